import type { RequestOptions } from "../../catalogue/context.ts"
import { BadInput, type Outcome, Timeout, Unreachable } from "../../catalogue/outcome.ts"
import { hostOf, portOf } from "../http/live.ts"

/** Why a host was refused by the guard, if it was. */
export type Denial = (host: string, port: number) => Outcome | undefined

/** The address of a page with its query. @throws BadInput for what is no web address */
export function pageAddress(address: string, options: RequestOptions): string {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    throw new BadInput(`"${address}" is not an address.`)
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BadInput(`Chrome opens only http and https addresses here, not ${url.protocol}`, {
      url: address,
    })
  }
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(one))
  }
  return url.href
}

/** What it means that Chrome could not go to an address, by its words. */
export function navigationFailure(
  message: string,
  address: string,
  denial: Denial,
  timeout: number,
): Outcome {
  const url = new URL(address)
  const { hostname } = url
  const details = { url: address }
  const denied = denial(hostOf(url), portOf(url))
  if (denied) return denied
  if (/timeout/i.test(message)) {
    return new Timeout(`${hostname} did not answer within ${timeout / 1000} s in Chrome.`, details)
  }
  if (/ERR_CERT|SSL/i.test(message)) {
    return new Unreachable(`${hostname} has no valid certificate.`, "tls", details)
  }
  if (/NAME_NOT_RESOLVED/i.test(message)) {
    return new Unreachable(`${hostname} does not resolve.`, "dns", details)
  }
  const reason = /net::\w+/.exec(message)?.[0] ?? (message.split("\n")[0] || "no reason given")
  return new Unreachable(`Chrome could not open ${hostname} (${reason}).`, "connection", details)
}
