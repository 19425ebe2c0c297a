/**
 * What a session's workspace holds: an immutable tree of folders, files and links, and how it is
 * changed and written down.
 *
 * <p>Each folder is stored under a hash of all that is in it, so a change rewrites the folders
 * above it and nothing else. A file's content is a list of pieces. Nothing here touches a file
 * system: names from a sandbox are text, links are never followed.
 */
@NullMarked
package dev.stepwell.worker.workspace;

import org.jspecify.annotations.NullMarked;
