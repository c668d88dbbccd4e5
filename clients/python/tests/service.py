"""The running service with recorded upstreams that test/clients/python.test.ts starts."""

from __future__ import annotations

import importlib.util
import os
import unittest

BASE_URL = os.environ.get("CLIENT_URL", "")
API_KEY = os.environ.get("CLIENT_KEY", "")

needs_service = unittest.skipUnless(BASE_URL, "CLIENT_URL is not set")
needs_pandas = unittest.skipUnless(importlib.util.find_spec("pandas"), "pandas is not installed")
needs_httpx = unittest.skipUnless(importlib.util.find_spec("httpx"), "httpx is not installed")
