"""IO: what a step may ask of the outside world, in a blocking and an awaiting form.

Steps are coroutines over `protocols.IO`. `AsyncIO` awaits models and embeddings; `BlockingIO` calls them and never
suspends, so that `finish` completes any step without an event loop. What a call is stands in `_calls`, once for both.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from langchain_contextmode._calls import PASS_THROUGH, CallFailedError, Calls

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

__all__ = ["PASS_THROUGH", "AsyncIO", "BlockingIO", "CallFailedError", "finish"]

T = TypeVar("T")


def finish(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a step over a `BlockingIO` to its end, without an event loop.

    Raises:
        RuntimeError: The step awaited something other than the `BlockingIO`.
    """
    try:
        coroutine.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    coroutine.close()
    message = f"{getattr(coroutine, '__qualname__', coroutine)} suspended: a step driven by finish() may await only its BlockingIO."
    raise RuntimeError(message)


class AsyncIO(Calls):
    """Awaits; cancellation passes through. A model without its own async form runs in the loop's executor (LangChain's default)."""

    _semaphore = asyncio.Semaphore

    async def _call(self, target: Any, method: str, *args: Any, **options: Any) -> Any:
        limit = self.config.call_timeout_seconds
        async with asyncio.timeout(self._left()), self._slots, asyncio.timeout(limit):
            return await getattr(target, f"a{method}")(*args, **options)

    async def all(self, tasks: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
        """See `protocols.IO.all`. The first unexpected error cancels the others."""
        running = [asyncio.ensure_future(_settled(task)) for task in tasks]
        try:
            return list(await asyncio.gather(*running))
        finally:
            for future in running:
                future.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            for task in tasks:
                task.close()  # one that was cancelled before it started would warn


class BlockingIO(Calls):
    """Calls, in threads that can be given up: an answer that comes late is ignored, and no thread holds up the interpreter's end."""

    _semaphore = threading.Semaphore

    async def _call(self, target: Any, method: str, *args: Any, **options: Any) -> Any:
        call, context = getattr(target, method), copy_context()
        if not self._slots.acquire(timeout=self._left()):
            raise TimeoutError
        answer: Future[Any] = Future()

        def work() -> None:
            try:
                answer.set_result(context.run(call, *args, **options))
            except BaseException as error:  # noqa: BLE001  (it belongs to the thread that waits)
                answer.set_exception(error)

        try:
            threading.Thread(target=work, name=f"contextmode-{method}", daemon=True).start()
            return answer.result(timeout=min(self.config.call_timeout_seconds, self._left()))
        finally:
            self._slots.release()

    async def all(self, tasks: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
        """See `protocols.IO.all`."""
        results: list[Any] = [None] * len(tasks)
        errors: list[BaseException] = []
        pending = deque(enumerate(tasks))

        def work() -> None:
            while pending and not errors:
                try:
                    index, task = pending.popleft()
                except IndexError:  # another worker took it
                    return
                try:
                    results[index] = finish(_settled(task))
                except BaseException as error:  # noqa: BLE001  (it belongs to the caller)
                    errors.append(error)

        try:
            _side_by_side(work, min(len(tasks), self.config.max_concurrency))
        finally:
            while pending:
                pending.pop()[1].close()
        if errors:
            raise errors[0]
        return results


def _side_by_side(work: Callable[[], None], workers: int) -> None:
    if workers <= 1:
        work()
        return
    threads = [threading.Thread(target=copy_context().run, args=(work,), daemon=True) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


async def _settled(task: Coroutine[Any, Any, T]) -> T | CallFailedError:
    try:
        return await task
    except CallFailedError as error:
        return error
