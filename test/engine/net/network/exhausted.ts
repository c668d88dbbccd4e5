/**
 * Opens every file descriptor that the process may have, and connects. Prints the errors' codes.
 */
import { closeSync, openSync, writeSync } from "node:fs"
import type { ScrapeError } from "../../../../src/catalogue/kit/index.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import { resolveRecords } from "../../../../src/engine/net/network/dns.ts"
import { inspectTls } from "../../../../src/engine/net/network/tls.ts"

const site = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("a page") })
const filter = new EgressFilter(["127.0.0.1", "localhost"])
const live = new LiveTransport(filter)
const { signal } = new AbortController()
const codeOf = (work: Promise<unknown>) =>
  work.then(() => "none").catch((error: ScrapeError) => error.code)
const get = (host: string) =>
  live.send({
    ...{
      method: "GET",
      url: `http://${host}:${site.port}/`,
      headers: new Headers({ connection: "close" }),
    },
    ...{ maxBytes: 1000, timeoutMs: 5000, signal },
  })

// The threads of the client have their own descriptors.
await codeOf(get("127.0.0.1"))
const taken: number[] = []
for (;;) {
  try {
    taken.push(openSync("/dev/null", "r"))
  } catch (error) {
    if ((error as { code?: string }).code !== "EMFILE") throw error
    break
  }
}
const full = {
  address: await codeOf(get("127.0.0.1")),
  name: await codeOf(get("localhost")),
  dns: await codeOf(resolveRecords("localhost", "A", signal)),
  tls: await codeOf(inspectTls(filter, "127.0.0.1", site.port!, "", signal)),
}
for (const descriptor of taken) closeSync(descriptor)
const free = { address: await codeOf(get("127.0.0.1")) }
writeSync(1, JSON.stringify({ full, free }))
process.exit(0)
