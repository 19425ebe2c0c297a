"""The blocking client."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from stepwell import plans
from stepwell.core import ClientCore, refuse_pickling
from stepwell.errors import NoAnswerError, StepwellError
from stepwell.execution import Execution
from stepwell.messages import ExecutionResult, Request
from stepwell.messages.document import DEFAULT_MAX_MESSAGE_BYTES
from stepwell.options import ClientOptions
from stepwell.plans import Answer, Ask, Plan
from stepwell.step import Step, StepOptions

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from stepwell.session import Session

T = TypeVar("T")


class Stepwell:
    """A connection to Stepwell, for any number of sessions and one-shots; thread-safe.

    Make one for a process, with `Stepwell.connect`: it holds a producer, a consumer, and a thread
    for each. `close`, or the end of a `with` block, ends it. Every request without an answer then
    fails with ClientClosedError, as does every later call; what was sent may still run.

    A process that is forked from this one can't use it: there everything raises ClientForkedError.
    """

    def __init__(self, core: ClientCore) -> None:
        """For `connect` and for `stepwell.testing`; `core` is open."""
        self._core = core

    @classmethod
    def connect(
        cls,
        bootstrap: str,
        *,
        topic_prefix: str = "stepwell",
        reply_topic: str | None = None,
        client_id: str = "stepwell-client",
        connect_timeout: float = 10.0,
        submit_timeout: float = 30.0,
        answer_timeout: float = 300.0,
        max_in_flight: int = 1024,
        max_request_bytes: int = DEFAULT_MAX_MESSAGE_BYTES,
        kafka: Mapping[str, object] | None = None,
    ) -> Stepwell:
        """Connects; blocks until results can be read.

        - `bootstrap`: where Kafka is: `host:port`, several separated by commas.
        - `topic_prefix`: what the topics' names begin with.
        - `reply_topic`: a topic for this client's results, which the workers must be configured to
          allow; None for the common one.
        - `client_id`: what this client calls itself to Kafka.
        - `connect_timeout`: how many seconds connecting may take.
        - `submit_timeout`: how many seconds submitting may wait for a place, and Kafka may take to
          confirm a request.
        - `answer_timeout`: how many seconds an answer is awaited where nothing else is said.
        - `max_in_flight`: how many requests may be without an answer at once.
        - `max_request_bytes`: how many bytes a request's message may have; by default 8 MiB, which
          is what workers accept by default.
        - `kafka`: settings for librdkafka, such as those of `security.` and `ssl.`.

        Raises BrokerUnreachableError if there is no connection in time, TopicMissingError if
        Stepwell's topics are not there, and ValueError for an option that can't be.
        """
        options = ClientOptions(
            bootstrap=bootstrap,
            topic_prefix=topic_prefix,
            reply_topic=reply_topic,
            client_id=client_id,
            connect_timeout=connect_timeout,
            submit_timeout=submit_timeout,
            answer_timeout=answer_timeout,
            max_in_flight=max_in_flight,
            max_request_bytes=max_request_bytes,
            kafka=dict(kafka or {}),
        )
        return cls(connected(options))

    def session(self, session_id: str, *, profile: str | None = None) -> Session:
        """A session by its id, which is 1 to 128 printable ASCII characters without spaces.

        `profile` is that of the steps that this object sends and that name none themselves. Nothing
        is sent: a session comes to be with its first step.
        """
        from stepwell.session import Session

        return Session(self, session_id, profile)

    def new_session(self, *, profile: str | None = None) -> Session:
        """A session of a random id; see `session`. Nothing is sent."""
        return self.session(plans.new_session_id(), profile=profile)

    def run(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> ExecutionResult:
        """Runs a step as a one-shot, without state, and waits for its result.

        Returns the result, whatever its outcome is. Raises NoAnswerError if there is none within
        the answer timeout, and what `submit` raises.
        """
        return self.submit(step_or_source, **options).result()

    def submit(self, step_or_source: Step | str, **options: Unpack[StepOptions]) -> Execution:
        """Sends a step, or Python source, as a one-shot; `options` are those of `Step.python`.

        Waits only for a place for another request, at most as long as the submit timeout says. What
        can't be published is answered with BrokerUnreachableError.

        Raises InvalidMessageError if the step is not acceptable, naming what of it;
        MessageTooLargeError; TooManyInFlightError; ClientClosedError.
        """
        return self._submit_step(Step.of(step_or_source, **options), None, None)

    def close(self) -> None:
        """Ends the connection, within some 10 seconds. The second time there is nothing to do."""
        self._core.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        refuse_pickling(self)

    def _submit_step(self, step: Step, session_id: str | None, base: str | None) -> Execution:
        return self._submit(self._core.step_request(step, session_id, base))

    def _submit(self, request: Request) -> Execution:
        message = self._core.encoded(request)
        self._core.pending.places.take(self._core.options.submit_timeout)
        execution = Execution(self._core, request.request_id, request.session_id)
        self._core.send(request, message, execution)
        return execution

    def _carry_out(self, plan: Plan[T]) -> T:
        """Sends what a plan wants sent, until it has what it was made for."""
        try:
            asks = next(plan)
            while True:
                asks = plan.send(self._ask(asks))
        except StopIteration as end:
            value: T = end.value
            return value
        finally:
            plan.close()

    def _ask(self, asks: list[Ask]) -> list[Answer]:
        """Sends all, then waits for each. What can't be sent keeps the rest from being sent."""
        sent: list[Execution] = []
        answers: list[Answer] = []
        failure: StepwellError | None = None
        try:
            for ask in asks:
                sent.append(
                    self._submit(self._core.work_request(ask.work, ask.session_id, ask.base))
                )
        except StepwellError as error:
            failure = error
        patience = self._core.options.answer_timeout
        try:
            for execution in sent:
                answers.append(_awaited(execution, patience))
                # After one wait without an answer, the others are only looked at.
                patience = 0.0 if isinstance(answers[-1], NoAnswerError) else patience
        finally:
            for execution in sent:
                execution.abandon()
        if failure is not None:
            answers.extend([failure] * (len(asks) - len(answers)))
        return answers


def _awaited(execution: Execution, timeout: float) -> Answer:
    try:
        return execution.result(timeout)
    except StepwellError as error:
        return error


def connected(options: ClientOptions) -> ClientCore:
    """An open core over Kafka."""
    from stepwell.kafka_transport import KafkaTransport

    core = ClientCore(options, KafkaTransport(options))
    core.open()
    return core
