"""What the Python client makes of sessions side by side in one event loop; the counterpart of ClientBench.java.

Arguments: where Kafka is, how many sessions, how many requests each, and `step` or `look`. A look asks where the session's
first state is, which takes no sandbox, so that the client counts. Prints requests per second, the 50th and 99th percentile
of a request in milliseconds, and this process's own processor time for each in milliseconds.
"""
import asyncio
import sys
import time

from stepwell import AsyncSession, AsyncStepwell


async def _request(session: AsyncSession, kind: str) -> float:
    start = time.perf_counter()
    if kind == "look":
        await session.at(1)
    else:
        (await session.run("n += 1")).or_throw()
    return (time.perf_counter() - start) * 1e3


async def _requests(session: AsyncSession, count: int, kind: str) -> list[float]:
    return [await _request(session, kind) for _ in range(count)]


async def main(bootstrap: str, sessions: int, count: int, kind: str) -> None:
    async with await AsyncStepwell.connect(bootstrap) as client:
        everything = [client.new_session() for _ in range(sessions)]
        for result in await asyncio.gather(*(session.run("n = 0") for session in everything)):
            result.or_throw()
        cpu, start = time.process_time(), time.perf_counter()
        found = await asyncio.gather(*(_requests(session, count, kind) for session in everything))
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    times = sorted(each for some in found for each in some)
    print(
        f"{len(times) / seconds:.1f} {times[len(times) // 2]:.2f} {times[len(times) * 99 // 100]:.2f}"
        f" {cpu * 1e3 / len(times):.3f}"
    )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
