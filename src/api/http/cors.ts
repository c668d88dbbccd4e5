import { pathOf } from "../log/logged-path.ts"

/** Scripts of any origin may call the keyless API, because it does not use cookies. */
export const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id",
} as const

const openPath = /^\/api\/(?:scrape|tools|results|agent)(?:\/|$)/

/**
 * Lets scripts of other origins read error responses of the keyless API too, except those that
 * refuse the page itself (403).
 */
export function openRefusal({ url }: Request, response: Response): void {
  if (response.status < 400 || response.status === 403 || !openPath.test(pathOf(url))) return
  for (const [name, value] of Object.entries(openCors)) response.headers.set(name, value)
}

/**
 * Returns the headers of a GET response without running a scrape, for link previews. The length is
 * unknown, so it is not set.
 */
export function headOnly({ request }: { request: Request }): Response | undefined {
  if (request.method !== "HEAD") return undefined
  return new Response(null, {
    headers: {
      ...openCors,
      "content-type": "application/json;charset=utf-8",
      "transfer-encoding": "chunked",
    },
  })
}

export function preflight(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...openCors,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "authorization, content-type, x-trawl-agent",
      "access-control-max-age": "86400",
    },
  })
}
