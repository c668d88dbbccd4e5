import { type ScrapeError, Timeout, Unreachable } from "../../../../catalogue/kit/index.ts"
import { hostOf, portOf } from "../../http/live.ts"

/** Returns the reason why the egress filter refused a host, if it did. */
export type Denial = (host: string, port: number) => ScrapeError | undefined

/** Converts Chrome's navigation error. */
export function navigationFailure(
  message: string,
  address: string,
  denial: Denial,
  timeoutMs: number,
): ScrapeError {
  const url = new URL(address)
  const { hostname } = url
  const details = { url: address }
  const denied = denial(hostOf(url), portOf(url))
  if (denied) return denied
  if (/timeout/i.test(message)) {
    return new Timeout(
      `${hostname} did not respond within ${timeoutMs / 1000} s in Chrome.`,
      details,
    )
  }
  if (/ERR_CERT|SSL/i.test(message)) {
    return new Unreachable(`${hostname} has no valid certificate.`, "tls", details)
  }
  if (/NAME_NOT_RESOLVED/i.test(message)) {
    return new Unreachable(`${hostname} does not resolve.`, "dns", details)
  }
  const reason = /net::\w+/.exec(message)?.[0] ?? (message.split("\n")[0] || "unknown reason")
  return new Unreachable(`Chrome could not load ${hostname} (${reason}).`, "connection", details)
}
