import { scraperBySlug } from "./catalogue/index.ts"
import { workerEnvironment } from "./engine/environment/live.ts"
import type { WorkerSettings } from "./engine/environment/services.ts"
import { sendingTally } from "./engine/health/channel.ts"
import { readCases } from "./engine/replay/case.ts"
import { replayEnvironment } from "./engine/replay/environment.ts"
import { hostMemoryOf } from "./engine/shared/host-memory.ts"
import { serveAsWorker } from "./engine/workers/loop.ts"

/** The thread that executes runs: all scrapers, in the live world or in a recorded one. */
serveAsWorker({
  scraperBySlug,
  async environment(settings, services, store) {
    const { replay, ...live } = settings as WorkerSettings
    if (replay.length === 0) return workerEnvironment(live, services, hostMemoryOf(store))
    const { health } = services
    return {
      ...replayEnvironment(readCases(replay)),
      ...(health ? { tally: sendingTally(health) } : {}),
    }
  },
})
