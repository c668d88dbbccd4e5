/** A process that may speak HTTP/2, as the executable may; what it got goes to stdout. */
import { EgressGuard } from "../../../src/engine/egress/guard.ts"
import { systemClock } from "../../../src/engine/environment/clock.ts"
import { HttpClient } from "../../../src/engine/http/client.ts"
import { LiveTransport } from "../../../src/engine/http/live.ts"

interface Task {
  method?: string
  url: string
  maxBytes?: number
  timeoutMs?: number
}

const { ca, rounds } = JSON.parse(process.argv[2]!) as { ca: string; rounds: Task[][] }
const guard = new EgressGuard(["a.test", "b.test", "c.test"], async () => ["127.0.0.1"])
const http = new HttpClient({
  transport: new LiveTransport(guard, { ca }),
  clock: systemClock,
  signal: new AbortController().signal,
})
const results: string[][] = []
for (const tasks of rounds) {
  const asked = tasks.map(({ method = "GET", url, ...options }) =>
    http.request(method, url, { ...options, retries: 0 }).then(
      (answer) => answer.text(),
      (error) => error.code as string,
    ),
  )
  results.push(await Promise.all(asked))
}
console.log(JSON.stringify(results))
process.exit(0)
