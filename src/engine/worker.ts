import { scraperBySlug } from "../catalogue/index.ts"
import { workerEnvironment } from "./live.ts"
import { joinCases, readCase } from "./replay/case.ts"
import { replayEnvironment } from "./replay/environment.ts"
import type { WorkerSettings } from "./services.ts"
import { serveAsWorker } from "./worker-loop.ts"

/** The thread that executes runs: all scrapers, in the live world or in a recorded one. */
serveAsWorker({
  scraperBySlug,
  async environment(settings, services) {
    const { replay, ...live } = settings as WorkerSettings
    return replay.length > 0
      ? replayEnvironment(joinCases(replay.map(readCase)))
      : workerEnvironment(live, services)
  },
})
