import { type LiveSettings, workerEnvironment } from "../../src/app/live-environment.ts"
import { runOrder } from "../../src/engine/ops/health/check.ts"
import { serveAsWorker } from "../../src/engine/runtime/workers/loop.ts"
import { scrapers } from "./scraper.ts"

/** The server's worker with the benchmark's scrapers. */
serveAsWorker({
  check: runOrder,
  scraperBySlug: (slug) => scrapers.find((scraper) => scraper.slug === slug),
  environment: async (settings, services) =>
    workerEnvironment(settings as LiveSettings & { chromeIsThere: boolean }, services),
})
