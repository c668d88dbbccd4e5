/** Seconds to wait by `Retry-After`, or until a used-up rate window ends; null without either. */
export function retryAfterSeconds(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after")?.trim()
  if (!value) return windowSeconds(headers, now)
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000)
}

/** Seconds to the end of a window whose `X-RateLimit-Remaining` is 0; its reset is a Unix time. */
function windowSeconds(headers: Headers, now: number): number | null {
  const reset = Number(headers.get("x-ratelimit-reset"))
  if (headers.get("x-ratelimit-remaining") !== "0" || !(reset > 1e9)) return null
  return Math.max(0, reset - now / 1000)
}
