import { liveEnvironment } from "../../src/engine/live.ts"
import { serveAsWorker } from "../../src/engine/worker-loop.ts"
import { waitingScraper } from "./scraper.ts"

serveAsWorker({
  scraperBySlug: () => waitingScraper,
  environment: async () =>
    liveEnvironment({
      egressAllow: [],
      proxyUrls: [],
      unlockerUrl: undefined,
      contact: undefined,
      env: {},
    }),
})
