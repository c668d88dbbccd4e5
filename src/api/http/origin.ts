import { type AnyElysia, Elysia } from "elysia"
import type { Call } from "../service.ts"
import type { ClientParts, CoreParts } from "../service-parts.ts"
import { ApiError } from "./errors.ts"

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The host of a `Host` header or address, without its port. */
function plain(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase()
}

/**
 * Returns a sign that the request may come from a page whose host name was rebound to this machine;
 * undefined if there is none. Clients other than browsers send no Origin, and name the host they mean.
 */
export function rebindingSign(service: CoreParts & ClientParts, call: Call): string | undefined {
  return strangeHost(service, call) ?? strangeOrigin(service, call)
}

function strangeHost(service: CoreParts & ClientParts, call: Call): string | undefined {
  const host = plain(call.request.headers.get("host") ?? "")
  // A browser always says it.
  if (host === "" || loopbackHost.test(host) || ownHosts(service).has(host)) return undefined
  return isLocalPeer(service, call)
    ? `The host "${host}" is not one of this service; set TRAWL_BASE_URL to its public address.`
    : undefined
}

function strangeOrigin(service: CoreParts, { request }: Call): string | undefined {
  const { headers } = request
  const origin = headers.get("origin")
  // No page can write Sec-Fetch-Site; the Origin of a page that keeps its address to itself is null.
  if (origin === null || headers.get("sec-fetch-site") === "same-origin") return undefined
  const from = URL.parse(origin)
  const name = from ? plain(from.host) : ""
  const isOwn = loopbackHost.test(name) || ownHosts(service).has(name)
  if (isOwn || name === plain(headers.get("host") ?? "")) return undefined
  return `Requests of pages of "${origin}" are not taken.`
}

/**
 * A service that listens on loopback and has no public address is its operator's alone: no page of
 * another site that is open in a browser here may call it, whatever the route's own rules are.
 */
export function ownPagesOnly(service: CoreParts & ClientParts): AnyElysia {
  if (!isPrivate(service)) return new Elysia()
  return new Elysia({ name: "own-pages-only" })
    .onRequest(({ request, set, server }) => {
      const call: Call = { request, set, server }
      const host = strangeHost(service, call)
      const sign =
        (host && isDirect(service, call) ? host : undefined) ??
        (isVisit(request) ? undefined : (strangeOrigin(service, call) ?? foreignPart(request)))
      // Asked last, as it costs the most.
      if (sign && isLocalPeer(service, call)) throw new ApiError(403, sign)
    })
    .as("global")
}

const isPrivate = ({ config: { host, baseUrl } }: CoreParts) => !baseUrl && loopbackHost.test(host)

/**
 * Refuses links and forms of other sites on such a service when the call has an effect: it starts a
 * run, or uses the daily free quota. @throws ApiError 403
 */
export function requireOwnPage(service: CoreParts & ClientParts, call: Call): void {
  if (!isPrivate(service) || !isLocalPeer(service, call)) return
  const sign =
    strangeOrigin(service, call) ?? foreignPart(call.request) ?? strangeReferer(service, call)
  if (sign) throw new ApiError(403, sign)
}

/** Older browsers send no Sec-Fetch-Site. */
function strangeReferer(service: CoreParts, { request: { headers } }: Call): string | undefined {
  const referer = headers.get("sec-fetch-site") === null ? headers.get("referer") : null
  const from = referer === null ? null : URL.parse(referer)
  if (!from) return undefined
  const name = plain(from.host)
  const isOwn = loopbackHost.test(name) || ownHosts(service).has(name)
  if (isOwn || name === plain(headers.get("host") ?? "")) return undefined
  return `Requests of pages of "${from.origin}" are not taken.`
}

/** Whether a browser that sent this is connected to us: then it names our port; a proxy has its own. */
function isDirect(service: CoreParts, { request, server }: Call): boolean {
  const [, port = "80"] = /:(\d+)$/.exec(request.headers.get("host") ?? "") ?? []
  return Number(port) === (server?.port ?? service.config.port)
}

/** A link that is followed, a form that is sent: no page reads the response. Routes with effects check for themselves. */
function isVisit({ headers }: Request): boolean {
  return headers.get("sec-fetch-mode") === "navigate"
}

/** Pictures and scripts are fetched without an Origin. */
function foreignPart({ headers }: Request): string | undefined {
  return headers.get("sec-fetch-site") === "cross-site"
    ? "Requests of pages of other sites are not taken."
    : undefined
}

function ownHosts(service: CoreParts): Set<string> {
  const { baseUrl, host } = service.config
  const named = baseUrl ? URL.parse(baseUrl)?.host : undefined
  return new Set([plain(host), ...(named ? [plain(named)] : [])])
}

/** Whether the connection came from this machine, where a rebound name would come from. */
function isLocalPeer(service: ClientParts, { request, server }: Call): boolean {
  const peer = server?.requestIP(request)?.address ?? "127.0.0.1"
  const forwarded = request.headers.has("x-forwarded-for")
  if (forwarded && service.callers.trusts(peer)) return false
  return /^(?:127\.|::1$|::ffff:127\.)/.test(peer)
}
