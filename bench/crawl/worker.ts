import { type LiveSettings, workerEnvironment } from "../../src/engine/environment/live.ts"
import { serveAsWorker } from "../../src/engine/workers/loop.ts"
import { crawler } from "./scraper.ts"

/** A worker as the server's, with the benchmark's scraper. */
serveAsWorker({
  scraperBySlug: (slug) => (slug === crawler.slug ? crawler : undefined),
  environment: async (settings, services) =>
    workerEnvironment(settings as LiveSettings & { chromeIsThere: boolean }, services),
})
