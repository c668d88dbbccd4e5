import { absoluteUrl, baseUrl, indexPage, spansBetween } from "../core/index.ts"
import { readMeta } from "../page/index.ts"
import { type Category, categories, type TechnologyRule } from "./rule.ts"
import { technologyRules } from "./rules.ts"

export interface Technology {
  name: string
  categories: Category[]
  /** Null if no sign contains it. */
  version: string | null
  /** 0 to 100. */
  confidence: number
  /** The signs that were found, for example `meta generator: WordPress 6.3.2`. */
  evidence: string[]
  /** The technology that requires this one, if it has no sign of its own. */
  impliedBy: string | null
  website: string
}

export interface TechnologyPage {
  document: Document
  /** After redirects. */
  url: string
  headers: Headers
  html: string
}

interface Sign {
  evidence: string
  confidence: number
  version: string | null
}

/** The confidence of each kind of sign, in percent; chosen by hand. */
const sure = 100
const weights = { url: 95, meta: 90, comment: 90, script: 80, html: 80, dom: 80, page: 50 } as const
const maxEvidenceChars = 140
const maxEvidence = 5

/**
 * Returns the technologies of a page, sorted by category and name.
 *
 * @example
 * ```ts
 * const html = '<meta name="generator" content="Ghost 5.2">'
 * const page = { document: parseDocument(html), url: "https://a.example/", headers: new Headers(), html }
 * detectTechnologies(page)[0].name // "Ghost"
 * ```
 */
export function detectTechnologies(page: TechnologyPage): Technology[] {
  const traces = tracesOf(page)
  const technologies = new Map<string, Technology>()
  for (const rule of technologyRules()) {
    const signs = signsOf(rule, traces)
    if (signs.length > 0) technologies.set(rule.name, technology(rule, signs))
  }
  addImplied(technologies)
  const rank = ({ categories: [first] }: Technology) => categories.indexOf(first!)
  return [...technologies.values()].toSorted(
    (a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name),
  )
}

function technology(rule: TechnologyRule, signs: Sign[]): Technology {
  const doubt = signs.reduce((rest, sign) => rest * (1 - sign.confidence / 100), 1)
  return {
    name: rule.name,
    categories: [...rule.categories],
    version: signs.find((sign) => sign.version !== null)?.version ?? null,
    confidence: Math.round((1 - doubt) * 100),
    evidence: [...new Set(signs.map((sign) => sign.evidence))].slice(0, maxEvidence),
    impliedBy: null,
    website: `https://${rule.site}/`,
  }
}

/** Adds the technologies that the found ones require, with the same confidence. */
function addImplied(technologies: Map<string, Technology>): void {
  const byName = new Map(technologyRules().map((rule) => [rule.name, rule]))
  const queue = [...technologies.values()]
  for (let current = queue.shift(); current; current = queue.shift()) {
    for (const name of byName.get(current.name)?.implies ?? []) {
      const rule = byName.get(name)
      if (!rule || technologies.has(name)) continue
      const implied: Technology = {
        name,
        categories: [...rule.categories],
        version: null,
        confidence: current.confidence,
        evidence: [`implied by ${current.name}`],
        impliedBy: current.name,
        website: `https://${rule.site}/`,
      }
      technologies.set(name, implied)
      queue.push(implied)
    }
  }
}

/** The parts of a page that the rules match. */
interface Traces {
  document: Document
  pageUrl: string
  generators: string[]
  headers: Headers
  cookies: string[]
  /** URLs that the page loads, one per line. */
  addresses: string
  scripts: string
  html: string
  comments: string
  meta: Map<string, string[]>
}

function tracesOf({ document, url, headers, html }: TechnologyPage): Traces {
  indexPage(document)
  const meta = readMeta(document)
  return {
    document,
    pageUrl: url,
    generators: (meta.byName.get("generator") ?? []).map((text) => text.trim()),
    headers,
    cookies: headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0]!.trim()),
    addresses: loadedAddresses(document, url).join("\n"),
    scripts: inlineScripts(document),
    html: inDoubleQuotes(html),
    comments: [...spansBetween(html, "<!--", "-->")].map((span) => html.slice(...span)).join("\n"),
    meta: meta.byName,
  }
}

/** Returns HTML with double quotes around all attribute values, as rules expect them. */
const inDoubleQuotes = (html: string) =>
  html.replace(
    /(?<=\s)([\w:@.-]+)=(?:'([^'"<>]*)'|([^\s"'<>=`]+))(?=[\s>])/g,
    (_, name, single, plain) => `${name}="${single ?? plain}"`,
  )

const loading =
  "script[src], link[href], img[src], iframe[src], source[src], embed[src], [data-src], object[data]"
/** Links that a browser loads or prefetches, as opposed to links to other pages. */
const loadingRels = /stylesheet|preload|prefetch|preconnect|modulepreload|icon|manifest|import/i

function loadedAddresses(document: Document, pageUrl: string): string[] {
  const base = baseUrl(document, pageUrl)
  const addresses = new Set<string>()
  for (const element of document.querySelectorAll(loading)) {
    if (element.localName === "link" && !loadingRels.test(element.getAttribute("rel") ?? ""))
      continue
    const written =
      element.getAttribute("src") ??
      element.getAttribute("href") ??
      element.getAttribute("data-src") ??
      element.getAttribute("data")
    const url = absoluteUrl(written, base)
    if (url !== null && url.length < 2000) addresses.add(url)
  }
  return [...addresses]
}

/** Returns the text of executable scripts; JSON in script elements is content. */
function inlineScripts(document: Document): string {
  return [...document.getElementsByTagName("script")]
    .filter(
      (script) => !script.hasAttribute("src") && !/json/i.test(script.getAttribute("type") ?? ""),
    )
    .map((script) => script.textContent ?? "")
    .join("\n")
}

function signsOf(rule: TechnologyRule, traces: Traces): Sign[] {
  const signs: Sign[] = []
  const add = (
    kind: string,
    match: RegExpExecArray | null,
    confidence: number,
    visible?: string,
  ) => {
    if (match) signs.push(sign(kind, match, confidence, visible))
  }
  const weight = (kind: keyof typeof weights) => rule.weight ?? weights[kind]
  for (const text of rule.generator ? traces.generators : []) {
    add("meta generator", rule.generator!.exec(text), sure, text)
  }
  for (const [name, pattern] of Object.entries(rule.headers ?? {})) {
    const value = traces.headers.get(name)
    if (value !== null) add(`header ${name}`, pattern.exec(value), sure, value)
  }
  for (const name of rule.cookie ? traces.cookies : []) {
    add("cookie", rule.cookie!.exec(name), sure, name)
  }
  for (const pattern of rule.url ?? []) {
    const match = pattern.exec(traces.addresses)
    add("address", match, weight("url"), match ? lineAt(traces.addresses, match.index) : "")
  }
  for (const [name, pattern] of Object.entries(rule.meta ?? {})) {
    const content = traces.meta.get(name)?.[0]
    if (content !== undefined) add(`meta ${name}`, pattern.exec(content), weight("meta"), content)
  }
  if (rule.script) add("script", rule.script.exec(traces.scripts), weight("script"))
  if (rule.html) add("html", rule.html.exec(traces.html), weight("html"))
  if (rule.comment) add("comment", rule.comment.exec(traces.comments), weight("comment"))
  if (rule.page) add("page address", rule.page.exec(traces.pageUrl), weight("page"))
  if (rule.dom && traces.document.querySelector(rule.dom)) {
    signs.push({ evidence: `element: ${rule.dom}`, confidence: weight("dom"), version: null })
  }
  return signs
}

function sign(kind: string, match: RegExpExecArray, confidence: number, visible = match[0]): Sign {
  const version = match.slice(1).find((group) => group && /^\d[\w.+-]*$/.test(group)) ?? null
  return {
    evidence: `${kind}: ${visible.trim().slice(0, maxEvidenceChars)}`,
    confidence,
    version,
  }
}

function lineAt(text: string, index: number): string {
  const start = text.lastIndexOf("\n", index) + 1
  const end = text.indexOf("\n", index)
  return text.slice(start, end < 0 ? undefined : end)
}
