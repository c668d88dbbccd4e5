import { pathOf } from "../log/logged-path.ts"

/** The keyless surface may be called by the scripts of any page: nothing there is known by cookie. */
export const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id",
} as const

const openPath = /^\/api\/(?:scrape|tools|results|agent)(?:\/|$)/

/**
 * Also what is refused there, or does not exist, must be readable by the page that asked; but for a
 * page that is itself refused (403).
 */
export function openRefusal({ url }: Request, response: Response): void {
  if (response.status < 400 || response.status === 403 || !openPath.test(pathOf(url))) return
  for (const [name, value] of Object.entries(openCors)) response.headers.set(name, value)
}

/**
 * Returns the headers of a GET response without a scrape, for previews of links. The length of the
 * body is not known, so that none is stated.
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
