import { scraperBySlug } from "../catalogue/index.ts"
import { type LiveSettings, workerEnvironment } from "./live.ts"
import { serveAsWorker } from "./worker-loop.ts"

/** The thread that executes runs: all scrapers, in the live world. */
serveAsWorker({
  scraperBySlug,
  environment: async (settings, services) =>
    workerEnvironment(settings as LiveSettings & { chromeIsThere: boolean }, services),
})
