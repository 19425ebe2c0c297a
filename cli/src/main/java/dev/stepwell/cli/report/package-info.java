/**
 * Reports as one HTML page that needs nothing beside it.
 *
 * <p>{@link dev.stepwell.cli.report.ReportPage} writes one, of what {@link
 * dev.stepwell.cli.report.ReportData} says.
 */
@NullMarked
package dev.stepwell.cli.report;

import org.jspecify.annotations.NullMarked;
