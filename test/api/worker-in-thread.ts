import { systemClock } from "../../src/base/clock.ts"
import { connect, serve } from "../../src/base/rpc.ts"
import type { AnyScraper } from "../../src/catalogue/kit/index.ts"
import type { Environment } from "../../src/engine/fetch/environment.ts"
import { runOrder } from "../../src/engine/ops/health/check.ts"
import type { StartWorker } from "../../src/engine/runtime/workers/handle.ts"
import { RunWorker } from "../../src/engine/runtime/workers/loop.ts"
import type { WorkerInterface } from "../../src/engine/runtime/workers/worker-interface.ts"

/** An environment in which each URL returns one short page. */
const world: Environment = {
  clock: systemClock,
  http: {
    async send() {
      return {
        status: 200,
        headers: new Headers({ "content-type": "text/html" }),
        bytes: new TextEncoder().encode("<html><body>page</body></html>"),
        via: "http",
        firstByte: null,
      }
    },
  },
  dns: () => Promise.reject(new Error("no DNS in tests")),
  tls: () => Promise.reject(new Error("no connections in tests")),
  env: {},
}

/**
 * A worker at the other end of a channel, but in this thread, so that a test controls what its
 * scrapers wait for.
 */
export function workerInThread(
  scrapers: readonly AnyScraper[],
  { http = world.http, ...more }: Partial<Environment> = {},
): StartWorker {
  const bySlug = new Map(scrapers.map((scraper) => [scraper.slug, scraper]))
  return () => {
    const { port1, port2 } = new MessageChannel()
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const worker = new (class extends RunWorker {
      override async end(): Promise<void> {
        await super.end()
        resolve()
      }
    })(
      {
        check: runOrder,
        scraperBySlug: (slug) => bySlug.get(slug),
        environment: async () => ({ ...world, ...more, http }),
      },
      false,
    )
    serve<WorkerInterface>(port1, worker)
    return {
      ...connect<WorkerInterface>(port2),
      ended,
      holdProcess() {},
      end() {
        port1.close()
        port2.close()
      },
    }
  }
}
