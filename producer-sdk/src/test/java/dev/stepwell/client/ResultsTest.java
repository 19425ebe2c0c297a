package dev.stepwell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stepwell.protocol.ErrorCode;
import dev.stepwell.protocol.ExceptionReport;
import dev.stepwell.protocol.ExecutionResult;
import dev.stepwell.protocol.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ResultsTest {
  @Test
  void completedStep_isGivenBack() {
    ExecutionResult result = TestResults.ended(Outcome.COMPLETED, 0);
    assertThat(Results.orThrow(result)).isSameAs(result);
  }

  @Test
  void stepThatExitsWithZero_isGivenBack() {
    ExecutionResult result = TestResults.ended(Outcome.EXITED, 0);
    assertThat(Results.orThrow(result)).isSameAs(result);
  }

  @Test
  void stepThatExitsOtherwise_failed() {
    assertThatThrownBy(() -> Results.orThrow(TestResults.ended(Outcome.EXITED, 3)))
        .isInstanceOf(StepFailedException.class)
        .hasMessage("request r-1 exited with 3");
  }

  @Test
  void exception_isNamedWithItsLine() {
    ExceptionReport exception = new ExceptionReport("KeyError", "'a'", "...", 12);
    assertThatThrownBy(() -> Results.orThrow(TestResults.failed(exception)))
        .isInstanceOf(StepFailedException.class)
        .hasMessage("step 7 of session s raised KeyError: 'a' at line 12");
  }

  @Test
  void infrastructureFailureBeforeTheCodeRan_isSafeToRetry() {
    InfrastructureException failure =
        catchThrowableOfType(
            InfrastructureException.class,
            () ->
                Results.orThrow(
                    TestResults.refused(Outcome.INFRASTRUCTURE, ErrorCode.NO_SANDBOX, true)));
    assertThat(failure.retrySafe()).isTrue();
    assertThat(failure).hasMessageContaining("NO_SANDBOX").hasMessageContaining("retry is safe");
  }

  @Test
  void infrastructureFailureWhileTheCodeRan_isNotSafeToRetry() {
    InfrastructureException failure =
        catchThrowableOfType(
            InfrastructureException.class,
            () ->
                Results.orThrow(
                    TestResults.refused(Outcome.INFRASTRUCTURE, ErrorCode.SANDBOX_LOST, false)));
    assertThat(failure.retrySafe()).isFalse();
    assertThat(failure).hasMessageContaining("may have run");
  }

  @Test
  void rejection_carriesReasonAndResult() {
    ExecutionResult result = TestResults.refused(Outcome.REJECTED, ErrorCode.UNKNOWN_PROFILE, true);
    RequestRejectedException rejection =
        catchThrowableOfType(RequestRejectedException.class, () -> Results.orThrow(result));
    assertThat(rejection.result()).isSameAs(result);
    assertThat(rejection).hasMessage("request r-1 was rejected: the reason (UNKNOWN_PROFILE)");
  }

  @Test
  void rejectionOfWhatIsNotThere_hasItsOwnException() {
    Map<ErrorCode, Class<? extends RequestRejectedException>> expected =
        Map.of(
            ErrorCode.SESSION_EXISTS, SessionExistsException.class,
            ErrorCode.SESSION_UNKNOWN, SessionUnknownException.class,
            ErrorCode.STEP_UNKNOWN, StateUnavailableException.class,
            ErrorCode.BASE_INVALID, StateUnavailableException.class,
            ErrorCode.FILE_NOT_FOUND, FileMissingException.class,
            ErrorCode.FILE_REFUSED, FileRefusedException.class);
    expected.forEach(
        (code, type) ->
            assertThatThrownBy(
                    () -> Results.orThrow(TestResults.refused(Outcome.REJECTED, code, true)))
                .isExactlyInstanceOf(type)
                .hasMessageContaining(code.name()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"COMPLETED"})
  void everyOtherOutcome_hasItsException(Outcome outcome) {
    Class<? extends StepException> expected =
        switch (outcome) {
          case COMPLETED -> throw new AssertionError("excluded");
          case FAILED, EXITED, CRASHED -> StepFailedException.class;
          case TIMED_OUT -> StepTimedOutException.class;
          case OUT_OF_MEMORY, LIMIT_EXCEEDED -> StepLimitException.class;
          case CANCELLED -> StepCancelledException.class;
          case REJECTED -> RequestRejectedException.class;
          case INFRASTRUCTURE -> InfrastructureException.class;
        };
    assertThatThrownBy(() -> Results.orThrow(TestResults.ended(outcome, null)))
        .isInstanceOf(expected);
  }
}
