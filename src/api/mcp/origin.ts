import type { Call, Service } from "../service.ts"

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The host of a `Host` header or address, without its port. */
function bare(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase()
}

/**
 * Why a request may come from a page that had its name rebound to this machine; undefined when it
 * cannot. A client that is no browser sends no Origin, and names the host that it means.
 */
export function rebindingSign(service: Service, call: Call): string | undefined {
  const { headers } = call.request
  const host = bare(headers.get("host") ?? "")
  const own = ownHosts(service)
  const local = isLocalPeer(service, call)
  if (local && !own.has(host) && !loopbackHost.test(host)) {
    return `The host "${host}" is not one of this service; set TRAWL_BASE_URL to its public address.`
  }
  const origin = headers.get("origin")
  if (origin === null) return undefined
  const from = URL.parse(origin)
  const name = from ? bare(from.host) : ""
  if (loopbackHost.test(name) || own.has(name) || name === host) return undefined
  return `Requests of pages of "${origin}" are not taken.`
}

function ownHosts(service: Service): Set<string> {
  const { baseUrl, host } = service.config
  const named = baseUrl ? URL.parse(baseUrl)?.host : undefined
  return new Set([bare(host), ...(named ? [bare(named)] : [])])
}

/** Whether the connection came from this machine, where a rebound name would come from. */
function isLocalPeer(service: Service, { request, server }: Call): boolean {
  const peer = server?.requestIP(request)?.address ?? "127.0.0.1"
  const forwarded = request.headers.has("x-forwarded-for")
  if (forwarded && service.callers.trusts(peer)) return false
  return /^(?:127\.|::1$|::ffff:127\.)/.test(peer)
}
