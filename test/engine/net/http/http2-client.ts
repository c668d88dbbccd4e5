/** A process with HTTP/2 enabled, as in the executable. It prints its responses. */

import { systemClock } from "../../../../src/base/clock.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"

interface Task {
  method?: string
  url: string
  maxBytes?: number
  timeoutMs?: number
}

const { ca, rounds } = JSON.parse(process.argv[2]!) as { ca: string; rounds: Task[][] }
const filter = new EgressFilter(["a.test", "b.test", "c.test"], async () => ["127.0.0.1"])
const http = new HttpClient({
  transport: new LiveTransport(filter, { ca }),
  clock: systemClock,
  signal: new AbortController().signal,
})
const results: string[][] = []
for (const tasks of rounds) {
  const requested = tasks.map(({ method = "GET", url, ...options }) =>
    http.request(method, url, { ...options, retries: 0 }).then(
      (response) => response.text(),
      (error) => error.code as string,
    ),
  )
  results.push(await Promise.all(requested))
}
console.log(JSON.stringify(results))
process.exit(0)
