/** Properties of a request that select upstream proxies. */
export interface EgressRules {
  /** Country of the request's exit: two lower-case letters. */
  country?: string
  run: string
  /** Account ID; "" for anonymous callers. */
  account: string
}

/** An entry of TRAWL_PROXY_URLS: a proxy, and when to use it. */
export interface ProxyRule {
  /** URL without its rules; `{session}` and `{country}` are replaced for each request. */
  url: string
  /** Host patterns; empty for any host. */
  hosts: RegExp[]
  /** Two-letter country codes; empty for an unspecified country, `*` for any. */
  countries: string[]
  /** Scope that keeps the same proxy and `{session}`. */
  sticky: "request" | "run" | "account"
}

const stickyFor = ["request", "run", "account"] as const
const known = ["hosts", "country", "sticky"]

/**
 * Reads `http://user:password@host:port#hosts=*.shop.com|shop.org&country=de|at&sticky=run`.
 * @throws Error whose message does not contain the URL, because it has a password
 */
export function readProxyRule(entry: string): ProxyRule {
  const [url = "", rules = ""] = entry.split("#", 2)
  const href = URL.parse(url.replaceAll(/[{}]/g, ""))
  if (!href?.host) throw new Error("is not a valid URL")
  if (!isProxyScheme(href)) {
    throw new Error(`has the scheme ${href.protocol}//; use http:// or https://`)
  }
  const parameters = new URLSearchParams(rules)
  for (const name of parameters.keys()) {
    if (!known.includes(name))
      throw new Error(`has a rule "${name}"; valid rules: hosts, country, sticky`)
  }
  const listed = (name: string) =>
    (parameters.get(name) ?? "").toLowerCase().split("|").filter(Boolean)
  const countries = listed("country")
  const wrong = countries.find((code) => !/^(?:[a-z]{2}|\*)$/.test(code))
  if (wrong) throw new Error(`has the country "${wrong}"; use two letters, for example de, or *`)
  const sticky = stickyFor.find((choice) => choice === (parameters.get("sticky") ?? "request"))
  if (!sticky)
    throw new Error(`has sticky=${parameters.get("sticky")}; use request, run or account`)
  return { url, hosts: listed("hosts").map(hostPattern), countries, sticky }
}

/** Schemes that both plain requests and Chrome's filtering proxy support. */
export const isProxyScheme = ({ protocol }: URL) => /^https?:$/.test(protocol)

/** `shop.com` matches that host and its subdomains; `*` matches anything. */
function hostPattern(glob: string): RegExp {
  const source = glob.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return glob.includes("*")
    ? new RegExp(`^${source.join(".*")}$`)
    : new RegExp(`^(?:.*\\.)?${source.join("")}$`)
}

/** Whether a rule applies to a host and offers the country. */
function serves({ hosts, countries }: ProxyRule, host: string, country?: string): boolean {
  if (hosts.length > 0 && !hosts.some((pattern) => pattern.test(host))) return false
  return !country || countries.includes(country) || countries.includes("*")
}

/**
 * Returns the rules for a host: those that name it before those for any host, and those with the
 * country if there are any.
 */
export function rulesFor<R extends ProxyRule>(
  rules: readonly R[],
  host: string,
  egress?: EgressRules,
): R[] {
  const all = rules.filter((rule) => serves(rule, host))
  const own = all.filter(({ hosts }) => hosts.length > 0)
  const fit = own.length > 0 ? own : all
  const local = egress?.country ? fit.filter((rule) => serves(rule, host, egress.country)) : []
  return local.length > 0 ? local : fit
}

/** Returns the key for which a rule keeps its proxy; null if each request may use another. */
export function sessionOf({ sticky }: ProxyRule, egress: EgressRules | undefined): string | null {
  if (!egress || sticky === "request") return null
  return sticky === "run" ? egress.run : egress.account || egress.run
}

/** Returns the proxy's URL for a request: its user name contains session and country. */
export function filledUrl(rule: ProxyRule, egress: EgressRules | undefined): string {
  const session = sessionOf(rule, egress) ?? crypto.randomUUID()
  const fallback = rule.countries.find((code) => code !== "*") ?? ""
  const wanted = egress?.country ?? fallback
  return rule.url
    .replaceAll("{session}", Bun.hash(session).toString(36))
    .replaceAll("{country}", wanted)
}

/** Returns a stable rule for a session, independent of other rules: the highest hash wins. */
export function stickyRule<R extends ProxyRule>(rules: readonly R[], session: string): R {
  const weight = ({ url }: R) => Bun.hash(`${session} ${url}`)
  return rules.reduce((best, rule) => (weight(rule) > weight(best) ? rule : best))
}
