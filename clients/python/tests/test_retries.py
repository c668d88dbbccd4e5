from __future__ import annotations

import json
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, List, Tuple

from trawl_client import (
    ApiError,
    Client,
    Conflict,
    ConnectionFailed,
    Forbidden,
    InvalidInput,
    NotFound,
    OutOfCredit,
    RateLimited,
    TrawlError,
    Unavailable,
)

Reply = Tuple[int, Dict[str, str], Any]


class Handler(BaseHTTPRequestHandler):
    replies: List[Reply] = []
    requests: List[Tuple[str, str, Dict[str, str]]] = []

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.requests.append((self.command, self.path, headers))
        ok: Reply = (200, {}, {"id": "run_1", "status": "succeeded"})
        status, extra, body = self.replies.pop(0) if self.replies else ok
        text = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"content-length": str(len(text)), **extra}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_POST = do_DELETE = do_PATCH = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


def refuse(status: int, code: str, **headers: str) -> Reply:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, names, {"error": {"code": code, "message": f"It is {code}.", "status": status}}


class TestRetries(unittest.TestCase):
    server: ThreadingHTTPServer
    url: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.url = f"http://127.0.0.1:{cls.server.server_port}"
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self) -> None:
        Handler.replies.clear()
        Handler.requests.clear()
        self.trawl = Client(self.url, api_key="secret")

    def test_busy_responses_are_retried_with_the_same_key(self) -> None:
        Handler.replies += [
            refuse(429, "rate_limited", retry_after="0"),
            refuse(503, "unavailable", retry_after="1"),
        ]
        started = time.monotonic()
        self.trawl.start("pypi-package-scraper", {"packages": ["flask"]})
        self.assertGreater(time.monotonic() - started, 0.99)
        keys = {headers["idempotency-key"] for _, _, headers in Handler.requests}
        self.assertEqual((len(Handler.requests), len(keys)), (3, 1))

    def test_a_long_wait_is_an_error(self) -> None:
        Handler.replies.append(refuse(429, "rate_limited", retry_after="3600"))
        with self.assertRaises(RateLimited) as limited:
            self.trawl.me()
        self.assertEqual((limited.exception.retry_after, len(Handler.requests)), (3600, 1))

    def test_the_number_of_retries_is_limited(self) -> None:
        Handler.replies += [refuse(503, "unavailable", retry_after="0")] * 5
        with self.assertRaises(Unavailable):
            Client(self.url, api_key="secret", max_retries=2).me()
        self.assertEqual(len(Handler.requests), 3)

    def test_other_errors_have_classes(self) -> None:
        for status, code, kind in [
            (400, "invalid_input", InvalidInput),
            (402, "out_of_credit", OutOfCredit),
            (403, "forbidden", Forbidden),
            (404, "not_found", NotFound),
            (409, "conflict", Conflict),
            (500, "internal_error", ApiError),
        ]:
            Handler.replies.append(refuse(status, code))
            with self.assertRaises(kind) as error:
                self.trawl.me()
            self.assertEqual((type(error.exception), error.exception.code), (kind, code))

    def test_a_lost_response_is_not_repeated_if_it_can_act_twice(self) -> None:
        truncated: Reply = (200, {"content-length": "999"}, b"{")
        trawl = Client(self.url, api_key="secret", max_retries=1)
        Handler.replies.append(truncated)
        with self.assertRaises(ConnectionFailed):
            trawl.abort("run_1")
        self.assertEqual(len(Handler.requests), 1)
        Handler.replies.append(truncated)
        trawl.me()
        self.assertEqual(len(Handler.requests), 3)

    def test_a_truncated_export_is_an_error(self) -> None:
        Handler.replies.append((200, {"content-length": "999"}, b"name\r\n"))
        with self.assertRaises(ConnectionFailed):
            Client(self.url, api_key="secret", max_retries=0).datasets.export("ds_1", "csv")

    def test_a_redirect_keeps_the_key_here(self) -> None:
        Handler.replies.append((301, {"location": "http://127.0.0.1:9/api"}, b""))
        with self.assertRaisesRegex(ApiError, "redirects to http://127.0.0.1:9/api: set base_url"):
            self.trawl.me()

    def test_another_server_is_recognised(self) -> None:
        Handler.replies.append((200, {}, b"<h1>Router</h1>"))
        with self.assertRaisesRegex(TrawlError, "is this a Trawl server"):
            self.trawl.me()
        with self.assertRaisesRegex(TrawlError, "must start with http://"):
            Client("127.0.0.1:8080")

    def test_later_results_are_read_at_the_own_url(self) -> None:
        own = "https://public.example/trawl"
        keyless = {"agentId": "agt_1", "free": {}, "items": [], "status": "SUCCEEDED"}
        Handler.replies += [
            (200, {}, {**keyless, "status": "RUNNING", "resultUrl": f"{own}/api/results/abc"}),
            (200, {}, {**keyless, "items": [{"n": 1}], "next": f"{own}/api/results/abc?cursor=1"}),
            (200, {}, {**keyless, "items": [{"n": 2}]}),
        ]
        found = Client(self.url).run_keyless("pypi-package-scraper", {"packages": ["a"]})
        self.assertEqual(found.items, [{"n": 1}, {"n": 2}])
        paths = [path for _, path, _ in Handler.requests]
        self.assertEqual(paths[1:], ["/api/results/abc", "/api/results/abc?cursor=1"])

    def test_a_spent_quota_has_the_link_to_sign_up(self) -> None:
        spent = {"status": "PAYMENT_REQUIRED", "claimUrl": "http://127.0.0.1/signup", "error": "Used up."}
        Handler.replies.append((200, {}, spent))
        with self.assertRaisesRegex(OutOfCredit, "Used up") as error:
            Client(self.url).scrape("https://example.com")
        self.assertEqual(error.exception.claim_url, "http://127.0.0.1/signup")

    def test_the_key_is_not_shown(self) -> None:
        self.assertNotIn("secret", repr(self.trawl) + repr(vars(self.trawl)))


if __name__ == "__main__":
    unittest.main()
