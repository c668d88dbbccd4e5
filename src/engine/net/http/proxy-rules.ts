/** What a request asks of the operator's proxies. */
export interface EgressRules {
  /** Two letters, lower case: the country from which the upstream should be asked. */
  country?: string
  run: string
  /** "" for the keyless. */
  account: string
}

/** One entry of TRAWL_PROXY_URLS: a proxy, and for what it is taken. */
export interface ProxyRule {
  /** Without its rules; `{session}` and `{country}` in it are filled in for each request. */
  url: string
  /** Patterns of hosts; none means any. */
  hosts: RegExp[]
  /** Two letters each; none says nothing, `*` gives any. */
  countries: string[]
  /** What keeps the same proxy and `{session}`. */
  sticky: "request" | "run" | "account"
}

const stickyFor = ["request", "run", "account"] as const
const known = ["hosts", "country", "sticky"]

/**
 * Reads `http://user:password@host:port#hosts=*.shop.com|shop.org&country=de|at&sticky=run`.
 * @throws Error with what is wrong, without the address, which holds a password
 */
export function readProxyRule(entry: string): ProxyRule {
  const [url = "", rules = ""] = entry.split("#", 2)
  const address = URL.parse(url.replaceAll(/[{}]/g, ""))
  if (!address?.host) throw new Error("is not a valid URL")
  if (!isProxyScheme(address)) {
    throw new Error(`has the scheme ${address.protocol}//; give a proxy by http:// or https://`)
  }
  const parameters = new URLSearchParams(rules)
  for (const name of parameters.keys()) {
    if (!known.includes(name))
      throw new Error(`has a rule "${name}"; there are hosts, country, sticky`)
  }
  const listed = (name: string) =>
    (parameters.get(name) ?? "").toLowerCase().split("|").filter(Boolean)
  const countries = listed("country")
  const wrong = countries.find((code) => !/^(?:[a-z]{2}|\*)$/.test(code))
  if (wrong) throw new Error(`has the country "${wrong}"; give two letters, as de, or *`)
  const sticky = stickyFor.find((choice) => choice === (parameters.get("sticky") ?? "request"))
  if (!sticky)
    throw new Error(`has sticky=${parameters.get("sticky")}; give request, run or account`)
  return { url, hosts: listed("hosts").map(hostPattern), countries, sticky }
}

/** Those that plain requests and Chrome's guard can both go on by. */
export const isProxyScheme = ({ protocol }: URL) => /^https?:$/.test(protocol)

/** `shop.com` matches that host and its subdomains; `*` matches anything. */
function hostPattern(glob: string): RegExp {
  const source = glob.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
  return glob.includes("*")
    ? new RegExp(`^${source.join(".*")}$`)
    : new RegExp(`^(?:.*\\.)?${source.join("")}$`)
}

/** Whether a rule serves a host, and gives the wanted country. */
function serves({ hosts, countries }: ProxyRule, host: string, country?: string): boolean {
  if (hosts.length > 0 && !hosts.some((pattern) => pattern.test(host))) return false
  return !country || countries.includes(country) || countries.includes("*")
}

/**
 * Returns the rules for a host: those that name it before those for any host, and those of the wanted
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

/** The key for which a rule keeps its proxy; null where each request may have another. */
export function sessionOf({ sticky }: ProxyRule, egress: EgressRules | undefined): string | null {
  if (!egress || sticky === "request") return null
  return sticky === "run" ? egress.run : egress.account || egress.run
}

/** Returns the proxy's URL for one request: its user name contains session and country. */
export function filledUrl(rule: ProxyRule, egress: EgressRules | undefined): string {
  const session = sessionOf(rule, egress) ?? crypto.randomUUID()
  const fallback = rule.countries.find((code) => code !== "*") ?? ""
  const wanted = egress?.country ?? fallback
  return rule.url
    .replaceAll("{session}", Bun.hash(session).toString(36))
    .replaceAll("{country}", wanted)
}

/** A rule that a session always gets, however the others come and go: the highest hash wins. */
export function stickyRule<R extends ProxyRule>(rules: readonly R[], session: string): R {
  const weight = ({ url }: R) => Bun.hash(`${session} ${url}`)
  return rules.reduce((best, rule) => (weight(rule) > weight(best) ? rule : best))
}
