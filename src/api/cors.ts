/** The keyless surface may be called by the scripts of any page: nothing there is known by cookie. */
export const openCors = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id",
} as const

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
