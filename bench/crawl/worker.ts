import { type LiveSettings, workerEnvironment } from "../../src/app/live-environment.ts"
import { runOrder } from "../../src/engine/ops/health/check.ts"
import { serveAsWorker } from "../../src/engine/runtime/workers/loop.ts"
import { crawler } from "./scraper.ts"

/** The server's worker with the benchmark's scraper. */
serveAsWorker({
  check: runOrder,
  scraperBySlug: (slug) => (slug === crawler.slug ? crawler : undefined),
  environment: async (settings, services) =>
    workerEnvironment(settings as LiveSettings & { chromeIsThere: boolean }, services),
})
