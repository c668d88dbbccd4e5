import { decodeEntities, distinct, htmlToText } from "../../extract/core/index.ts"
import technologies from "./technologies.json"

const roleWord =
  /\b(?:engineers?|engineering|developers?|devs?|designers?|managers?|scientists?|leads?|founding|interns?|architects?|analysts?|researchers?|sres?|swes?|devops|director|head of|vp|cto|product|programmers?|administrators?|specialists?|consultants?|marketers?|recruiters?|roles?|positions?)\b/i
const money =
  /[$€£]\s?\d{2,3}(?:[,.]\d{3})?\s?[kK]?(?:\s?(?:-|–|—|to)\s?[$€£]?\s?\d{2,3}(?:[,.]\d{3})?\s?[kK]?)?\+?/g
const employment: [string, RegExp][] = [
  ["full-time", /\bfull[\s-]?time\b|\bFT\b/i],
  ["part-time", /\bpart[\s-]?time\b/i],
  ["contract", /\bcontract(?:or|ors|ing)?\b|\bfreelance\b/i],
  ["intern", /\bintern(?:s|ship|ships)?\b/i],
]
const remoteWord = /\bremote\b/i
const notRemote = /\b(?:no|not|non)[\s-]+remote\b|\bremote:?\s*(?:no|none)\b/i
const onsiteWord = /\bon[\s-]?site\b|\bin[\s-]office\b|\bin[\s-]person\b/i
const hybridWord = /\bhybrid\b/i
const visaWord = /\bvisas?\b/i
const address = /https?:\/\/|www\.|\b[a-z0-9-]{1,63}\.(?:com|io|ai|org|net|co|dev|app)\b/i
const addresses = new RegExp(`(?:${address.source})\\S*`, "gi")

const escaped = (word: string) => word.replace(/[.+*?^${}()|[\]\\#]/g, "\\$&")
/** Technologies to detect, as their makers write them. */
const technologyPatterns = technologies.map(
  (name) =>
    [
      name,
      new RegExp(`(?<![\\w.])${escaped(name)}(?![\\w+#])`, name.length < 4 ? "" : "i"),
    ] as const,
)

/** Returns the facts in the header line and the text of a "Who is hiring?" post. */
export function readJobPost(html: string, text: string | null) {
  const [opening = ""] = html.split(/<p>/i)
  const header = firstLine(opening)
  const parts = headerParts(firstLine(withoutProse(opening)) ?? "")
  const links = linksOf(html)
  const company = parts[0]?.replace(/(?<!\s)\s*\(?(?:https?:\/\/|www\.).*$/i, "").trim() || null
  const rest = parts.slice(1)
  const title = rest.find((part) => roleWord.test(part.replace(addresses, " "))) ?? null
  return {
    header,
    company,
    title,
    location: rest.find((part) => part !== title && isPlace(part)) ?? null,
    remote: remoteWord.test(header ?? "") && !notRemote.test(header ?? ""),
    onsite: onsiteWord.test(header ?? ""),
    hybrid: hybridWord.test(header ?? ""),
    employmentType: employment.filter(([, word]) => word.test(header ?? "")).map(([name]) => name),
    salary: salaryOf(header) ?? salaryOf(text),
    visa: visaWord.test(header ?? ""),
    links,
    emails: emailsOf(text ?? ""),
    applyUrl: links.find((link) => !isFrontPage(link)) ?? links[0] ?? null,
    technologies: technologyPatterns
      .filter(([, word]) => word.test(text ?? ""))
      .map(([name]) => name),
  }
}

const firstLine = (html: string) => htmlToText(html)?.split("\n")[0]?.trim() || null

/** Some authors end the header with a bare line break; a line may continue with a "|". */
const withoutProse = (opening: string): string =>
  opening
    .trim()
    .replace(/(?<!\s)[^\S\n]*\n\s*\|/g, " |")
    .split("\n")[0] ?? ""

/** A header without separators is a sentence without a company. */
function headerParts(header: string): string[] {
  for (const separator of [/(?<!\s)\s*[|•]\s*/, /(?<!\s)\s+[-–—]\s+/]) {
    const parts = header
      .split(separator)
      .map((part) => part.trim())
      .filter(Boolean)
    if (parts.length > 1) return parts
  }
  return []
}

function isPlace(part: string): boolean {
  const pay = /[$€£]\s?\d|\d\s?k\b/i
  const known = [roleWord, address, pay, visaWord, ...employment.map(([, word]) => word)]
  if (known.some((word) => word.test(part))) return false
  const trimmed = part
    .replace(
      /\b(?:remote|on[\s-]?site|hybrid|in[\s-]office|only|or|and|ok|friendly|possible)\b|[(),/:&+-]/gi,
      "",
    )
    .trim()
  return trimmed.length > 1 && part.length < 100
}

/** Returns the first amount that looks like pay: a range, or thousands. */
function salaryOf(text: string | null): string | null {
  for (const [sum] of (text ?? "").matchAll(money)) {
    if (/[kK]|\d[.,]\d{3}|\d\s?(?:-|–|—|to)/.test(sum)) return sum.trim()
  }
  return null
}

function linksOf(html: string): string[] {
  const hrefs = [...html.matchAll(/href="([^"]+)"/gi)].map((match) => decodeEntities(match[1]!))
  return distinct(hrefs.filter((href) => /^https?:\/\//i.test(href)))
}

function isFrontPage(link: string): boolean {
  const url = URL.parse(link)
  return url !== null && url.pathname === "/" && url.search === ""
}

function emailsOf(text: string): string[] {
  const plain = text.match(/(?<![\w.+-])[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi) ?? []
  const spelled = [
    ...text.matchAll(
      /\b([\w.+-]{1,64})\s*(?:\[at\]|\(at\)|\{at\}|\sat\s)\s*([a-z0-9-]+(?:\s*(?:\[dot\]|\(dot\)|\sdot\s|\.)\s*[a-z0-9-]+)+)/gi,
    ),
  ]
    .filter((match) => /dot|\[at\]|\(at\)|\{at\}/i.test(match[0]))
    .map(
      (match) => `${match[1]}@${match[2]!.replace(/\s*(?:\[dot\]|\(dot\)|\sdot\s|\.)\s*/gi, ".")}`,
    )
  return distinct([...plain, ...spelled].map((email) => email.replace(/\.$/, "").toLowerCase()))
}
