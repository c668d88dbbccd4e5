/** The rules of a robots.txt for one crawler. */
export interface RobotsRules {
  allows(url: string): boolean
  /** Seconds between requests, at most 10; undefined if the file does not set it. */
  crawlDelay?: number
  /** Absolute URLs. */
  sitemaps: string[]
  /** Reason why everything is disallowed, if the file could not be read. */
  unreachable?: string
}

interface Rule {
  allow: boolean
  /** Literal parts between asterisks. */
  parts: string[]
  anchored: boolean
  length: number
}

interface Group {
  rules: Rule[]
  delay?: number
}

const maxLineChars = 16 * 1024
const maxDelaySeconds = 10

/** Names of lines, with misspellings that large crawlers accept. */
const names: Record<string, string> = {
  "user-agent": "agent",
  useragent: "agent",
  "user agent": "agent",
  allow: "allow",
  disallow: "disallow",
  dissallow: "disallow",
  dissalow: "disallow",
  disalow: "disallow",
  diasllow: "disallow",
  disallaw: "disallow",
  sitemap: "sitemap",
  "site-map": "sitemap",
  "crawl-delay": "delay",
  crawldelay: "delay",
}

/**
 * Parses the rules of the file at `address` for the product `token` (RFC 9309): all groups of the
 * token, otherwise those of `*`. The longest match wins, and allow wins a tie.
 */
export function parseRobots(href: string, text: string, token: string): RobotsRules {
  const own: Group = { rules: [] }
  const general: Group = { rules: [] }
  const sitemaps = new Set<string>()
  let named = false
  let current = new Set<Group>()
  let inAgents = false
  for (const [name, value] of linesOf(text)) {
    if (name === "sitemap") {
      const sitemap = URL.parse(value, href)
      if (sitemap) sitemaps.add(sitemap.href)
    } else if (name === "agent") {
      if (!inAgents) current = new Set()
      inAgents = true
      const agent = agentOf(value)
      if (agent === "*") current.add(general)
      if (agent !== token.toLowerCase()) continue
      current.add(own)
      named = true
    } else {
      inAgents = false
      for (const group of current) addTo(group, name, value)
    }
  }
  const { rules, delay } = named ? own : general
  rules.sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow))
  return {
    allows: (url) => isAllowed(url, rules),
    ...(delay ? { crawlDelay: Math.min(delay, maxDelaySeconds) } : {}),
    sitemaps: [...sitemaps],
  }
}

function* linesOf(text: string): Generator<[name: string, value: string]> {
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    const text = line.slice(0, maxLineChars).split("#", 1)[0]!.trim()
    // A line without a colon counts if it has exactly two words.
    const lines = /^([a-z][a-z -]{0,20}?)\s*:\s*(.*)$/i.exec(text) ?? /^(\S+)\s+(\S+)$/.exec(text)
    const name = names[lines?.[1]?.toLowerCase() ?? ""]
    if (name) yield [name, lines![2]!]
  }
}

/** Returns the product of a user-agent line: its first word without the version. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*"
  return /^[a-z_-]*/i.exec(value)![0].toLowerCase()
}

function addTo(group: Group, name: string, value: string): void {
  if (name === "delay") {
    const seconds = Number.parseFloat(value)
    if (seconds > 0) group.delay = Math.max(group.delay ?? 0, seconds)
    return
  }
  if (value === "") return
  const allow = name === "allow"
  const pattern = normalised(value)
  group.rules.push(ruleOf(allow, pattern))
  // A rule for a folder's index page applies to the folder.
  const index = /^(.*\/)index\.html?$/.exec(pattern)
  if (allow && index) group.rules.push(ruleOf(true, `${index[1]}$`))
}

function ruleOf(allow: boolean, pattern: string): Rule {
  const anchored = pattern.endsWith("$")
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split("*")
  return { allow, parts, anchored, length: pattern.length }
}

/** Returns one spelling of each octet: escaped only if it must be. */
function normalised(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/g, (run) => encodeURI(run.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => {
      const plain = String.fromCharCode(Number.parseInt(octet.slice(1), 16))
      return /[\w.~-]/.test(plain) ? plain : octet.toUpperCase()
    })
}

/** Applies rules in order of precedence: longest first, allow before disallow. */
function isAllowed(url: string, rules: Rule[]): boolean {
  const { pathname, search } = new URL(url)
  if (pathname === "/robots.txt") return true
  const path = normalised(pathname + search)
  return rules.find((rule) => matches(path, rule))?.allow ?? true
}

function matches(path: string, { parts, anchored }: Rule): boolean {
  const last = parts.length - 1
  if (!path.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  for (let part = 1; part < last; part++) {
    const start = path.indexOf(parts[part]!, at)
    if (start < 0) return false
    at = start + parts[part]!.length
  }
  if (last === 0) return !anchored || at === path.length
  const end = anchored ? path.length - parts[last]!.length : path.indexOf(parts[last]!, at)
  return end >= at && path.startsWith(parts[last]!, end)
}
