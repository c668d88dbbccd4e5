/** Requests per second by the host in an entry. */
export type OperatorRateLimit = Readonly<Record<string, number>>

const form = /^(?<host>[a-z0-9.-]+)=(?<perSecond>\d+(?:\.\d+)?)$/i

/** Parses an entry such as `shop.com=0.5`. @throws Error */
function readEntry(entry: string): [host: string, perSecond: number] {
  const { host, perSecond } = form.exec(entry)?.groups ?? {}
  if (!host || !(Number(perSecond) > 0)) {
    throw new Error(
      `takes hosts with requests per second, for example shop.com=0.5, not "${entry}"`,
    )
  }
  return [host.toLowerCase(), Number(perSecond)]
}

/** @throws Error */
export function readRateLimit(entries: readonly string[]): OperatorRateLimit {
  return Object.fromEntries(entries.map(readEntry))
}

/** Returns the operator's rate limit of a host or of its parent domain. */
export function operatorRateLimitOf(
  host: string,
  rateLimit: OperatorRateLimit = {},
): number | undefined {
  for (
    let name = host;
    name !== "";
    name = name.includes(".") ? name.slice(name.indexOf(".") + 1) : ""
  ) {
    if (Object.hasOwn(rateLimit, name)) return rateLimit[name]
  }
  return undefined
}
