import { type AnyElysia, Elysia } from "elysia"
import type { Call } from "../service.ts"
import type { ClientParts, CoreParts } from "../service-parts.ts"
import { ApiError } from "./errors.ts"

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** The host of a `Host` header or URL, without its port. */
function plain(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase()
}

/**
 * Returns a reason why the request may come from a page whose host name was rebound to this machine
 * (DNS rebinding); undefined if there is none. Clients other than browsers send no Origin and name
 * the intended host.
 */
export function rebindingSign(service: CoreParts & ClientParts, call: Call): string | undefined {
  return strangeHost(service, call) ?? strangeOrigin(service, call)
}

function strangeHost(service: CoreParts & ClientParts, call: Call): string | undefined {
  const host = plain(call.request.headers.get("host") ?? "")
  // Browsers always send it.
  if (host === "" || loopbackHost.test(host) || ownHosts(service).has(host)) return undefined
  return isLocalPeer(service, call)
    ? `The host "${host}" does not belong to this server. The operator can set TRAWL_BASE_URL to its public URL.`
    : undefined
}

function strangeOrigin(service: CoreParts, { request }: Call): string | undefined {
  const { headers } = request
  const origin = headers.get("origin")
  // No page can set Sec-Fetch-Site. The Origin of a page with a strict referrer policy is null.
  if (origin === null || headers.get("sec-fetch-site") === "same-origin") return undefined
  const from = URL.parse(origin)
  const name = from ? plain(from.host) : ""
  const isOwn = loopbackHost.test(name) || ownHosts(service).has(name)
  if (isOwn || name === plain(headers.get("host") ?? "")) return undefined
  return `Requests from pages of "${origin}" are refused. Call the API from a program instead.`
}

/** Returns whether a program may name this host: any on a public service, otherwise only its own. */
export function isOwnHost(service: CoreParts, host: string): boolean {
  return !isPrivate(service) || loopbackHost.test(plain(host))
}

/**
 * A service that listens on loopback without a public URL is only for its operator: pages of other
 * sites that are open in a browser on this machine must not call it, whatever the route's own
 * rules.
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
      // Checked last, because it is the most expensive check.
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

/** The Referer of another site. Older browsers send no Sec-Fetch-Site. */
function strangeReferer(service: CoreParts, { request: { headers } }: Call): string | undefined {
  const referer = headers.get("sec-fetch-site") === null ? headers.get("referer") : null
  const from = referer === null ? null : URL.parse(referer)
  if (!from) return undefined
  const name = plain(from.host)
  const isOwn = loopbackHost.test(name) || ownHosts(service).has(name)
  if (isOwn || name === plain(headers.get("host") ?? "")) return undefined
  return `Requests from pages of "${from.origin}" are refused. Call the API from a program instead.`
}

/**
 * Whether the browser is connected directly: then it sends this server's port. A proxy has a port
 * of its own.
 */
function isDirect(service: CoreParts, { request, server }: Call): boolean {
  const [, port = "80"] = /:(\d+)$/.exec(request.headers.get("host") ?? "") ?? []
  return Number(port) === (server?.port ?? service.config.port)
}

/**
 * A followed link or a submitted form: no page reads the response. Routes with effects do their own
 * checks.
 */
function isVisit({ headers }: Request): boolean {
  return headers.get("sec-fetch-mode") === "navigate"
}

/** Images and scripts, which are requested without an Origin. */
function foreignPart({ headers }: Request): string | undefined {
  return headers.get("sec-fetch-site") === "cross-site"
    ? "Requests from pages of other sites are refused. Call the API from a program instead."
    : undefined
}

function ownHosts(service: CoreParts): Set<string> {
  const { baseUrl, host } = service.config
  const named = baseUrl ? URL.parse(baseUrl)?.host : undefined
  return new Set([plain(host), ...(named ? [plain(named)] : [])])
}

/** Whether the connection comes from this machine, like those of a rebound host name. */
function isLocalPeer(service: ClientParts, { request, server }: Call): boolean {
  const peer = server?.requestIP(request)?.address ?? "127.0.0.1"
  const forwarded = request.headers.has("x-forwarded-for")
  if (forwarded && service.callers.trusts(peer)) return false
  return /^(?:127\.|::1$|::ffff:127\.)/.test(peer)
}
