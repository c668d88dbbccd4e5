import type { Server } from "bun"
import { messageOf } from "../../base/error-message.ts"
import { ConfigError } from "../../config/config.ts"
import type { Metrics } from "./metrics.ts"

/**
 * Serves only the metrics, at an IP address and port of their own, which limits who can read them.
 * @throws ConfigError if the port is in use: it could be the service's own port
 */
export function serveMetrics(address: string, metrics: Pick<Metrics, "text">): Server<undefined> {
  const { hostname, port } = new URL(`http://${address}`)
  try {
    return Bun.serve({
      hostname,
      port: port === "" ? 80 : Number(port),
      reusePort: false,
      development: false,
      fetch: (request) => response(request, metrics),
    })
  } catch (error) {
    throw new ConfigError(
      `TRAWL_METRICS_ADDRESS: cannot listen on ${address} (${messageOf(error)}). Use an IP address of this machine and a free port.`,
    )
  }
}

async function response(request: Request, metrics: Pick<Metrics, "text">): Promise<Response> {
  if (new URL(request.url).pathname !== "/metrics") {
    return new Response("Metrics are at /metrics.\n", { status: 404 })
  }
  const { type, body } = await metrics.text()
  return new Response(body, { headers: { "content-type": type } })
}
