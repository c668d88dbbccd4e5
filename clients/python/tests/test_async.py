from __future__ import annotations

import asyncio
import tempfile
import unittest
from pathlib import Path

from trawl_client import (
    AsyncClient,
    AsyncTransport,
    ConnectionFailed,
    HttpxTransport,
    NotFound,
    RunFailed,
    ThreadTransport,
    WaitTimeout,
)
from trawl_client.scrapers import pypi_package_scraper

from .service import API_KEY, BASE_URL, needs_httpx, needs_service

flask = pypi_package_scraper({"packages": ["flask"]})


async def use(transport: AsyncTransport) -> None:
    """Calls each kind of method once."""
    check = unittest.TestCase()
    async with AsyncClient(BASE_URL, api_key=API_KEY, transport=transport) as trawl:
        page, result = await asyncio.gather(
            trawl.scrape("https://example.com"), trawl.run(flask, wait_timeout=60)
        )
        check.assertEqual(page["title"], "Example Domain")
        check.assertEqual(result.items[0]["version"], "3.1.2")
        check.assertEqual([item["name"] async for item in trawl.iterate(flask)], ["Flask"])
        with check.assertRaises(NotFound):
            await trawl.wait("run_none")
        with check.assertRaises(RunFailed):
            await trawl.run(pypi_package_scraper({"packages": ["no-such-package"]}))
        run = await trawl.start(flask)
        with check.assertRaises(WaitTimeout):
            await trawl.wait(run["id"], timeout=-1)
        batch = await trawl.batches.upload(
            "pypi-package-scraper", b"flask\n", type="text/plain", name="uploaded"
        )
        check.assertEqual((await trawl.batches.wait(batch["id"]))["itemCount"], 1)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "packages.csv"
            await trawl.batches.export(batch["id"], "csv", path, columns=["name"])
            check.assertIn(b"name\r\nFlask\r\n", path.read_bytes())
        schedule = await trawl.schedules.create(flask, cron="0 6 * * *")
        check.assertEqual((await trawl.monitors.get(schedule["id"]))["id"], schedule["id"])
        await trawl.schedules.delete(schedule["id"])
        recipes = [one async for one in trawl.recipes.list()]
        check.assertIsInstance(recipes, list)


@needs_service
class TestAsyncClient(unittest.IsolatedAsyncioTestCase):
    async def test_with_threads(self) -> None:
        await use(ThreadTransport())

    @needs_httpx
    async def test_with_httpx(self) -> None:
        await use(HttpxTransport())

    async def test_a_task_can_be_cancelled(self) -> None:
        async with AsyncClient(BASE_URL, api_key=API_KEY) as trawl:
            run = await trawl.start(flask)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(trawl.wait(run["id"]), 0.0001)


class TestConnections(unittest.IsolatedAsyncioTestCase):
    async def test_no_server_listens(self) -> None:
        async with AsyncClient("http://127.0.0.1:9", max_retries=0) as trawl:
            with self.assertRaisesRegex(ConnectionFailed, "127.0.0.1:9/api/v1/me"):
                await trawl.me()

    @needs_httpx
    async def test_no_server_listens_with_httpx(self) -> None:
        client = AsyncClient("http://127.0.0.1:9", max_retries=0, transport=HttpxTransport())
        async with client as trawl:
            with self.assertRaises(ConnectionFailed):
                await trawl.me()


if __name__ == "__main__":
    unittest.main()
