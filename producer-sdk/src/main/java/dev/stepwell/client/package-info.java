/**
 * The Java client: sends steps, awaits their results, cancels; forks sessions, looks back at their
 * states, puts and gets their files.
 *
 * <p>Start at {@link dev.stepwell.client.Stepwell}. How a step ended is a value, {@link
 * dev.stepwell.protocol.ExecutionResult}, whatever became of it; exceptions are about requests that
 * have no answer, unless {@link dev.stepwell.client.Results#orThrow} is asked to make them of
 * outcomes too. What runs no code has no outcome to show: where it can't be done, that is an
 * exception.
 *
 * <pre>
 * StepwellException
 * +-- StepException                what a result says, as an exception
 * |   +-- StepFailedException          your code failed
 * |   +-- StepTimedOutException        your code took too long
 * |   +-- StepLimitException           your code took too much
 * |   +-- StepCancelledException       it was cancelled
 * |   +-- RequestRejectedException     the request was wrong
 * |   |   +-- SessionExistsException       a fork's id is taken
 * |   |   +-- SessionUnknownException      there is no such session
 * |   |   +-- StateUnavailableException    no state is retained of that step
 * |   |   +-- FileMissingException         no such file in the workspace
 * |   |   +-- FileRefusedException         a file that can't be read or put
 * |   +-- InfrastructureException      Stepwell failed; it says whether a retry is safe
 * +-- NoAnswerException            not answered in time; it may still be
 * +-- BrokerUnreachableException   no connection
 * +-- TopicMissingException        connected, but Stepwell's topics are not there
 * +-- MessageTooLargeException     too many bytes
 * +-- TooManyInFlightException     too many requests without an answer
 * +-- UnreadableResultException    an answer that this client doesn't understand
 * +-- ClientClosedException        the client was closed
 * </pre>
 */
@NullMarked
package dev.stepwell.client;

import org.jspecify.annotations.NullMarked;
