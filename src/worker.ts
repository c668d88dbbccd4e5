import type { WorkerSettings } from "./app/environment-services.ts"
import { workerEnvironment } from "./app/live-environment.ts"
import { scraperBySlug } from "./catalogue/index.ts"
import { readCases } from "./engine/fetch/replay/case.ts"
import { replayEnvironment } from "./engine/fetch/replay/environment.ts"
import { sendingCounts } from "./engine/ops/health/channel.ts"
import { runOrder } from "./engine/ops/health/check.ts"
import { hostMemoryOf } from "./engine/runtime/shared/host-memory.ts"
import { serveAsWorker } from "./engine/runtime/workers/loop.ts"

/** The thread that executes runs with all scrapers, in the live or a recorded environment. */
serveAsWorker({
  check: runOrder,
  scraperBySlug,
  async environment(settings, services, store) {
    const { replay, ...live } = settings as WorkerSettings
    if (replay.length === 0) return workerEnvironment(live, services, hostMemoryOf(store))
    const { health } = services
    return {
      ...replayEnvironment(readCases(replay)),
      ...(health ? { counts: sendingCounts(health) } : {}),
    }
  },
})
