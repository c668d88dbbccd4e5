import type { Server } from "bun"
import type { Metrics } from "./metrics.ts"

/** Serves the metrics, and nothing else, on an address of its own, which is who may read them. */
export function serveMetrics(address: string, metrics: Pick<Metrics, "text">): Server<undefined> {
  const { hostname, port } = new URL(`http://${address}`)
  return Bun.serve({
    hostname,
    port: port === "" ? 80 : Number(port),
    reusePort: false,
    development: false,
    async fetch(request) {
      if (new URL(request.url).pathname !== "/metrics") {
        return new Response("The metrics are at /metrics.\n", { status: 404 })
      }
      const { type, body } = await metrics.text()
      return new Response(body, { headers: { "content-type": type } })
    },
  })
}
