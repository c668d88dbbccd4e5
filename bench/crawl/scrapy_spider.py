"""The same crawl by Scrapy, with robots.txt and a JSON Lines feed: scrapy_spider.py URL FOLDER"""

import json
import re
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess


class Pages(scrapy.Spider):
    name = "pages"
    allowed_domains = ["127.0.0.1"]

    def start_requests(self):
        # As any other request, so that a link back to the first page is known.
        yield scrapy.Request(sys.argv[1], self.parse)

    def parse(self, response):
        yield {
            "url": response.url,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
        }
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)


feed = sys.argv[2] + "/items.jsonl"
process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "FEEDS": {feed: {"format": "jsonlines", "overwrite": True}},
    }
)
process.crawl(Pages)
started = time.monotonic()
process.start()
seconds = time.monotonic() - started
with open(feed) as items:
    pages = sum(1 for _ in items)
with open("/proc/self/status") as status:
    peak = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))
print(json.dumps({"pages": pages, "seconds": seconds, "megabytes": round(peak / 1024)}))
