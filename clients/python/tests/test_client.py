from __future__ import annotations

import io
import tempfile
import unittest
import uuid
from pathlib import Path
from typing import TypedDict

from trawl_client import (
    ApiError,
    Client,
    InvalidInput,
    NotFound,
    RunFailed,
    Task,
    Unauthorized,
    WaitTimeout,
    is_error_item,
    recipe,
)
from trawl_client.scrapers import PypiPackageScraperItem, pypi_package_scraper

from .service import API_KEY, BASE_URL, needs_pandas, needs_service

flask = pypi_package_scraper({"packages": ["flask"]})


class PageData(TypedDict):
    title: str


class Page(TypedDict):
    data: PageData


@needs_service
class TestKeyless(unittest.TestCase):
    def setUp(self) -> None:
        self.trawl = Client(BASE_URL)

    def test_scrape_reads_a_page(self) -> None:
        page = self.trawl.scrape("https://example.com")
        self.assertEqual(page["title"], "Example Domain")
        self.assertIn("# Example Domain", str(page["markdown"]))

    def test_scrape_reads_fields(self) -> None:
        page = self.trawl.scrape(
            "https://example.com", fields={"heading": "h1", "[]links": "a @href"}
        )
        self.assertEqual(
            page["data"],
            {"heading": "Example Domain", "links": ["https://iana.org/domains/example"]},
        )

    def test_run_keyless_keeps_its_identity(self) -> None:
        result = self.trawl.run_keyless(
            pypi_package_scraper({"packages": ["flask", "no-such-package"]})
        )
        self.assertEqual([item["name"] for item in result.items], ["Flask"])
        self.assertEqual([error["error"]["code"] for error in result.errors], ["not_found"])
        again = self.trawl.run_keyless("pypi-package-scraper", {"packages": ["flask"]})
        self.assertEqual(again.agent_id, result.agent_id)
        self.assertEqual(self.trawl.agent_id, result.agent_id)

    def test_search_returns_cited_results(self) -> None:
        found = self.trawl.search("tower", engines=["wikipedia"], limit=2)
        self.assertEqual((found[0]["source"], found[0]["engines"]), (1, ["wikipedia"]))
        self.assertIn("wikipedia.org", found[0]["url"])
        with self.assertRaises(ApiError) as failed:
            self.trawl.search("unrecorded", engines=["wikipedia"], limit=2)
        self.assertEqual(failed.exception.code, "connection")

    def test_failures_are_errors(self) -> None:
        with self.assertRaises(InvalidInput) as refused:
            self.trawl.run_keyless("pypi-package-scraper", {"packges": ["flask"]})
        self.assertEqual(refused.exception.field, "packges")
        with self.assertRaises(InvalidInput):
            self.trawl.scrape("")
        with self.assertRaises(Unauthorized):
            self.trawl.me()


@needs_service
class TestRuns(unittest.TestCase):
    def setUp(self) -> None:
        self.trawl = Client(BASE_URL, api_key=API_KEY)

    def test_run_returns_items_and_failed_targets(self) -> None:
        task = pypi_package_scraper({"packages": ["flask", "no-such-package"]})
        result = self.trawl.run(task, max_items=5)
        items: list[PypiPackageScraperItem] = result.items
        self.assertEqual([item["version"] for item in items], ["3.1.2"])
        self.assertEqual([error["error"]["code"] for error in result.errors], ["not_found"])
        self.assertEqual(result.run["status"], "succeeded")

    def test_run_by_slug(self) -> None:
        result = self.trawl.run("pypi-package-scraper", {"packages": ["flask"]})
        self.assertEqual(result.items[0]["name"], "Flask")

    def test_iterate_yields_items(self) -> None:
        self.assertEqual([item["name"] for item in self.trawl.iterate(flask)], ["Flask"])

    def test_run_without_items_raises(self) -> None:
        task = pypi_package_scraper({"packages": ["no-such-package"]})
        with self.assertRaises(RunFailed) as failed:
            self.trawl.run(task)
        self.assertEqual(failed.exception.code, "not_found")
        assert failed.exception.run is not None
        self.assertEqual(failed.exception.run["status"], "failed")
        with self.assertRaises(RunFailed):
            list(self.trawl.iterate(task))

    def test_refusals_name_the_field(self) -> None:
        with self.assertRaisesRegex(InvalidInput, 'Did you mean "packages"') as refused:
            self.trawl.start("pypi-package-scraper", {"packges": ["flask"]})
        self.assertEqual((refused.exception.status, refused.exception.field), (400, "packges"))
        with self.assertRaises(NotFound):
            self.trawl.start(Task("poem-scraper", {}))
        with self.assertRaises(Unauthorized):
            Client(BASE_URL, api_key="trawl_live_wrong").me()

    def test_start_with_the_same_key_starts_once(self) -> None:
        key = str(uuid.uuid4())
        first = self.trawl.start(flask, idempotency_key=key)
        self.assertEqual(self.trawl.start(flask, idempotency_key=key)["id"], first["id"])

    def test_wait_has_a_limit(self) -> None:
        run = self.trawl.start(flask)
        with self.assertRaises(WaitTimeout):
            self.trawl.wait(run["id"], timeout=-1)
        self.assertEqual(self.trawl.wait(run["id"], timeout=60)["status"], "succeeded")

    def test_runs_are_listed_renamed_and_deleted(self) -> None:
        run = self.trawl.run(flask).run
        title = f"Title {uuid.uuid4()}"
        self.assertEqual(self.trawl.runs.rename(run["id"], title)["title"], title)
        self.assertEqual([one["id"] for one in self.trawl.runs.list(search=title)], [run["id"]])
        targets = list(self.trawl.runs.targets(run["id"]))
        self.assertEqual([target["state"] for target in targets], ["done"])
        self.trawl.runs.delete(run["id"])
        with self.assertRaises(NotFound):
            self.trawl.runs.get(run["id"])
        self.assertEqual(self.trawl.estimate(flask)["targets"], 1)


@needs_service
class TestDatasets(unittest.TestCase):
    trawl: Client
    dataset: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.trawl = Client(BASE_URL, api_key=API_KEY)
        task = pypi_package_scraper({"packages": ["flask", "tidecharts", "no-such-package"]})
        cls.dataset = cls.trawl.run(task).run["datasetId"]

    def test_items_are_read_by_pages(self) -> None:
        items = list(self.trawl.datasets.items(self.dataset, page_size=1))
        self.assertEqual([is_error_item(item) for item in items], [False, False, True])
        options = {"page_size": 1, "clean": True, "sort": "-name"}
        named = self.trawl.datasets.items(self.dataset, **options)  # type: ignore[arg-type]
        self.assertEqual([item["name"] for item in named], ["tidecharts", "Flask"])

    def test_exports_are_written_to_a_file(self) -> None:
        csv = self.trawl.datasets.export(self.dataset, "csv", columns=["name"], clean=True)
        self.assertEqual(csv.decode("utf-8-sig"), "name\r\nFlask\r\ntidecharts\r\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "packages.parquet"
            self.trawl.datasets.export(self.dataset, "parquet", path)
            self.assertEqual(path.read_bytes()[:4], b"PAR1")
            with self.assertRaises(NotFound):
                self.trawl.datasets.export("ds_none", "csv", Path(folder) / "none.csv")
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["packages.parquet"])

    @needs_pandas
    def test_dataframe_with_pandas(self) -> None:
        frame = self.trawl.datasets.to_dataframe(self.dataset)
        self.assertEqual(list(frame["name"]), ["Flask", "tidecharts"])
        self.assertEqual(self.trawl.run(flask).to_dataframe()["version"][0], "3.1.2")

    def test_diff_compares_two_datasets(self) -> None:
        before = self.trawl.run(flask).run["datasetId"]
        changes = self.trawl.datasets.diff(self.dataset, since=before, by=["name"])
        self.assertEqual([(one["change"], one["key"]) for one in changes], [("added", "tidecharts")])

    def test_share_creates_a_link(self) -> None:
        link = self.trawl.datasets.share(self.dataset, password="correct horse")
        self.assertTrue(link["hasPassword"])
        self.assertIn(self.dataset, [one["id"] for one in self.trawl.datasets.list()])


@needs_service
class TestAutomation(unittest.TestCase):
    def setUp(self) -> None:
        self.trawl = Client(BASE_URL, api_key=API_KEY)

    def test_batch_runs_tasks(self) -> None:
        tasks = [flask, pypi_package_scraper({"packages": ["tidecharts"]})]
        batch = self.trawl.batches.create(tasks, name="two")
        self.assertEqual(self.trawl.batches.wait(batch["id"], timeout=60)["itemCount"], 2)
        items = self.trawl.batches.items(batch["id"])
        self.assertEqual([item["name"] for item in items], ["Flask", "tidecharts"])
        self.assertEqual(len(list(self.trawl.batches.runs(batch["id"]))), 2)

    def test_batch_reads_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "packages.csv"
            path.write_text("package,stars\nflask,70000\n", encoding="utf-8")
            batch = self.trawl.batches.upload("pypi-package-scraper", path, column="package")
        self.trawl.batches.wait(batch["id"])
        csv = self.trawl.batches.export(batch["id"], "csv", columns=["name"])
        self.assertEqual(csv.decode("utf-8-sig"), "name\r\nFlask\r\n")
        lines = io.BytesIO(b"flask\n")
        batch = self.trawl.batches.upload("pypi-package-scraper", lines, type="text/plain")
        self.assertEqual(self.trawl.batches.wait(batch["id"])["itemCount"], 1)

    def test_schedule_is_watched(self) -> None:
        schedule = self.trawl.schedules.create(
            flask,
            cron="0 6 * * *",
            name="Every morning",
            time_zone="Europe/Athens",
            conditions=[{"when": "changed", "field": "version"}],
        )
        id = schedule["id"]
        self.assertEqual(schedule["timeZone"], "Europe/Athens")
        run = self.trawl.schedules.run(id)
        self.trawl.wait(run["id"])
        self.assertFalse(self.trawl.schedules.change(id, enabled=False)["enabled"])
        self.assertIn(id, [one["id"] for one in self.trawl.schedules.list()])
        self.assertEqual(self.trawl.monitors.get(id)["conditions"][0]["when"], "changed")
        self.assertIn(id, [one["id"] for one in self.trawl.monitors.list()])
        self.assertEqual(self.trawl.monitors.changes(id)["items"], [])
        self.trawl.schedules.delete(id)
        with self.assertRaises(NotFound):
            self.trawl.schedules.get(id)

    def test_recipe_has_typed_items(self) -> None:
        slug = f"title-{uuid.uuid4().hex[:8]}"
        made = self.trawl.recipes.create(
            slug, name="Title", pattern="example.com/*", input={"fields": ["title: h1"]}
        )
        titles = recipe(slug, Page)
        result = self.trawl.run(titles({"urls": ["https://example.com/"]}))
        self.assertEqual(result.items[0]["data"]["title"], "Example Domain")
        self.assertIn(slug, [one["slug"] for one in self.trawl.recipes.list()])
        self.assertEqual(self.trawl.recipes.change(made["id"], name="Titles")["name"], "Titles")
        self.trawl.recipes.delete(made["id"])

    def test_a_session_and_a_destination_are_named(self) -> None:
        with self.assertRaisesRegex(ApiError, "no-such-session"):
            self.trawl.start(flask, session="no-such-session")
        with self.assertRaisesRegex(ApiError, "no-such-session"):
            self.trawl.batches.create([flask], session="no-such-session")
        with self.assertRaisesRegex(ApiError, "no-such-destination"):
            self.trawl.run(flask, destination="no-such-destination")
        with self.assertRaisesRegex(ApiError, "no-such-session"):
            self.trawl.schedules.create(flask, cron="0 6 * * *", session="no-such-session")

    def test_other_routes_are_called_by_path(self) -> None:
        keys = self.trawl.request("GET", "/api/v1/keys", query={"limit": 5})
        self.assertEqual(len(keys["items"]), 1)
        links = self.trawl.map("https://example.com")["links"]
        self.assertEqual([link["url"] for link in links], ["https://example.com/"])


if __name__ == "__main__":
    unittest.main()
