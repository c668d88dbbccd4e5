import { systemClock } from "../../../../src/base/clock.ts"
import { Unreachable } from "../../../../src/catalogue/kit/index.ts"
import { runOrder } from "../../../../src/engine/ops/health/check.ts"
import { serveAsWorker } from "../../../../src/engine/runtime/workers/loop.ts"
import { scraperBySlug } from "./scrapers.ts"

/** A worker with the tests' scrapers, and a plain fetch of the local site. */
serveAsWorker({
  check: runOrder,
  scraperBySlug,
  environment: async () => ({
    clock: systemClock,
    env: {},
    http: {
      async send({ url, method, signal }) {
        const response = await fetch(url, { method, signal, redirect: "manual" }).catch((error) => {
          signal.throwIfAborted()
          throw new Unreachable(String(error), "connection", { url })
        })
        const { status, headers } = response
        return { status, headers, bytes: await response.bytes(), via: "http", firstByte: null }
      },
    },
    unlocker: {
      send: async ({ url }) => ({
        status: 200,
        headers: new Headers(),
        bytes: new TextEncoder().encode(`unlocked ${url}`),
        via: "unlocker",
        firstByte: null,
      }),
    },
    dns: () => Promise.reject(new Error("no DNS in tests")),
    tls: () => Promise.reject(new Error("no connections in tests")),
  }),
})
