import { parse } from "tldts"
import { foldSpace, isBlock, isUnseen, textStart, words } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { allEntities, isOfType, type StructuredData, textAt } from "../structured/index.ts"
import {
  decodeCloudflare,
  decodeShifted,
  reversed,
  rot13,
  spelledEmails,
} from "./email-decoding.ts"
import { exampleDomains, exampleNames, nameParticles } from "./words.ts"

/** The method by which a page obfuscates an address. */
type Obfuscation = "none" | "cloudflare" | "entity" | "at-text" | "reversed" | "rot" | "attribute"

export interface EmailMatch {
  /** Host in lower case. */
  email: string
  obfuscation: Obfuscation
  /** The text around it, folded; null for addresses in data. */
  context: string | null
  /** The person whose name its link shows. */
  person: string | null
}

const host = String.raw`(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.)+[\p{L}]{2,24}`
const pattern = new RegExp(
  String.raw`[\p{L}\d](?:[\p{L}\d._%+'-]{0,62}[\p{L}\d_%+-])?@${host}`,
  "giu",
)

/** Hosts of addresses that stand for others, or belong to error trackers and site builders. */
const placeholderHosts = new RegExp(
  `^(?:${words(
    String.raw`(?:www\.)?(?:${words(exampleDomains)})\.\w{2,4}`,
    String.raw`(?:.*\.)?(?:sentry\.io|wixpress\.com)|email\.(?:com|tld)|mail\.tld`,
  )})$`,
  "i",
)
const placeholderNames = new RegExp(`^(?:${words(exampleNames)})$`, "i")
const fileEndings = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|mjs|woff2?|ttf|mp[34]|pdf|html?)$/i

/** Includes the white space and brackets around it. */
const maxWrittenChars = 1_000

/** An address in its usual spelling; null if it is not one, or only an example. */
export function emailOf(written: string): string | null {
  if (written.length > maxWrittenChars) return null
  const text = written.trim().replace(/^['"<(]+|['">).,;:]+$/g, "")
  const cut = text.lastIndexOf("@")
  if (cut < 1) return null
  const local = text.slice(0, cut)
  const host = text.slice(cut + 1).toLowerCase()
  if (!/^[\p{L}\d._%+'-]{1,64}$/u.test(local) || local.includes("..") || fileEndings.test(host))
    return null
  const { isIcann, isPrivate, domain } = parse(host)
  if (!domain || !(isIcann || isPrivate)) return null
  if (placeholderHosts.test(host) && !/^(?:info|contact|office|kontakt)$/i.test(local)) return null
  if (placeholderHosts.test(host) && /example|beispiel|sentry|wixpress/.test(host)) return null
  if (placeholderNames.test(local) && (/^[0-9a-f]{32}$/.test(local) || placeholderLike(host)))
    return null
  return `${local}@${host}`
}

const placeholderLike = (host: string) =>
  /^(?:e?mail|domain|company|firma|site|host|provider|server|gmail)\.\w+$/.test(host)

/** All addresses of a page in document order, each once, those in its data last. */
export function findEmails(document: Document, data: StructuredData, html?: string): EmailMatch[] {
  const collector = new EmailCollector(html)
  if (document.body) collector.walk(document.body)
  const roots = allEntities(data).map((entity) => entity.data)
  for (const node of findObjects(roots, (object) => typeof object.email === "string")) {
    const person = isOfType(node, "Person") ? textAt(data, node, "name") : null
    collector.add(String(node.email).replace(/^mailto:/i, ""), "none", null, person)
  }
  return collector.matches()
}

/** Addresses searched for in the source one by one: limits the work on one page. */
const maxSearches = 500

class EmailCollector {
  private readonly emails = new Map<string, EmailMatch>()
  private readonly source: string | undefined
  /** The addresses in plain text in the source: searching it for each would be slow. */
  private readonly plain: ReadonlySet<string>
  private searches = 0
  private readonly texts = new Map<Element, string>()
  private line = ""

  constructor(html: string | undefined) {
    this.source = html?.toLowerCase()
    this.plain = new Set(this.source?.match(pattern))
  }

  matches(): EmailMatch[] {
    return [...this.emails.values()]
  }

  add(
    written: string,
    obfuscation: Obfuscation,
    context: string | null,
    person: string | null = null,
  ): boolean {
    const email = emailOf(written)
    if (email === null) return false
    const key = email.toLowerCase()
    const known = this.emails.get(key)
    if (known) {
      known.person ??= person
      return true
    }
    const how = obfuscation === "none" ? this.hiding(key) : obfuscation
    this.emails.set(key, { email, obfuscation: how, context, person })
    return true
  }

  /** Returns how the source encodes an address that the page shows. */
  private hiding(email: string): Obfuscation {
    const { source } = this
    if (source === undefined || this.plain.has(email)) return "none"
    if (++this.searches > maxSearches) return "entity"
    if ([email, email.replace("@", "%40")].some((spelling) => source.includes(spelling)))
      return "none"
    return source.includes(reversed(email)) ? "reversed" : "entity"
  }

  walk(root: Element): void {
    this.visit(root, 0)
    this.endLine()
  }

  private visit(element: Element, depth: number): void {
    if (depth > 500) return
    this.readAttributes(element)
    if (isUnseen(element)) return
    const block = isBlock(element) || element.localName === "br"
    if (block) this.endLine()
    if (isTurnedAround(element)) this.line += reversed(element.textContent ?? "")
    else if (element.getAttribute("data-cfemail") === null) {
      for (let child = element.firstChild; child; child = child.nextSibling) {
        if (child.nodeType === 3) this.line += child.nodeValue ?? ""
        else if (child.nodeType === 1) this.visit(child as Element, depth + 1)
      }
    }
    if (block) this.endLine()
  }

  private readAttributes(element: Element): void {
    const code = element.getAttribute("data-cfemail")
    if (code) this.addDecoded(decodeCloudflare(code), "cloudflare", element)
    const token = element.getAttribute("data-mailto-token")
    if (token) {
      const vector = Number(element.getAttribute("data-mailto-vector") ?? Number.NaN)
      this.addDecoded(
        decodeShifted(token, Number.isFinite(vector) ? -vector : undefined),
        "rot",
        element,
      )
    }
    const user = element.getAttribute("data-user") ?? element.getAttribute("data-name")
    const host = element.getAttribute("data-domain") ?? element.getAttribute("data-host")
    const ending = element.getAttribute("data-tld")
    if (user && host)
      this.add(`${user}@${host}${ending ? `.${ending}` : ""}`, "attribute", this.nearby(element))
    for (const name of ["data-email", "data-mail", "data-mailto"]) {
      const value = element.getAttribute(name)
      if (value) this.addAny(value, "attribute", element)
    }
    const href = element.getAttribute("href")
    if (href && element.localName !== "link") this.readLink(href, element)
  }

  private readLink(href: string, element: Element): void {
    const protection = /\/cdn-cgi\/l\/email-protection#([0-9a-f]+)/i.exec(href)?.[1]
    if (protection) this.addDecoded(decodeCloudflare(protection), "cloudflare", element)
    const crypt = /linkTo_UnCryptMailto\((?:'|"|%27|&#39;)(.+?)(?:'|"|%27|&#39;)/i.exec(href)?.[1]
    if (crypt) this.addDecoded(decodeShifted(decoded(crypt)), "rot", element)
    if (!/^\s*mailto:/i.test(href)) return
    const addresses = decoded(href.replace(/^\s*mailto:/i, "").replace(/\?.*$/s, ""))
    for (const address of addresses.split(/[,;]/)) this.addAny(address, "none", element)
    const recipients = /[?&](?:to|cc)=([^&]+)/i.exec(href)?.[1]
    if (recipients)
      for (const recipient of decoded(recipients).split(","))
        this.addAny(recipient, "none", element)
  }

  private addDecoded(text: string | null, how: Obfuscation, element: Element): void {
    if (text === null) return
    const address = decoded(text)
      .replace(/^mailto:/i, "")
      .replace(/\?.*$/s, "")
    this.add(address, how, this.nearby(element, address))
  }

  /** An address as written, spelt out, turned around or shifted by 13. */
  private addAny(written: string, how: Obfuscation, element: Element): void {
    const context = this.nearby(element)
    const [spelt] = spelledEmails(written)
    if (this.add(spelt?.email ?? written, spelt ? "at-text" : how, context, personIn(element)))
      return
    if (this.add(reversed(written.trim()), "reversed", context)) return
    this.add(rot13(written.trim()), "rot", context)
  }

  /** Returns the text around an element; Cloudflare writes "[email protected]" instead of the address. */
  private nearby(element: Element, address = ""): string | null {
    const own = foldSpace(textStart(element, 2 * lookedAtChars))
    const holder = element.parentElement ?? element
    const all = this.texts.get(holder) ?? foldSpace(textStart(holder, lookedAtChars))
    this.texts.set(holder, all)
    const index = Math.max(0, all.indexOf(own))
    return around(all, index, own.length).replace(/\[email.protected\]/g, address) || null
  }

  private endLine(): void {
    const line = foldSpace(this.line.replace(/[\u00ad\u200b\u2060\ufeff]/g, ""))
    this.line = ""
    if (line.length < 6) return
    if (line.includes("@")) {
      for (const match of line.matchAll(pattern)) {
        const context = around(line, match.index, match[0].length)
        const written = withoutPhone(match[0], line.slice(0, match.index))
        if (!this.add(written, "none", context)) this.add(reversed(written), "reversed", context)
      }
    }
    for (const { email, index, length } of spelledEmails(line)) {
      this.add(email, "at-text", around(line, index, length))
    }
  }
}

/** Removes the end of a phone number that is right before an address: "(859) 735-3750info@". */
function withoutPhone(written: string, before: string): string {
  const digits = /^[\d.-]*\d(?=\p{L}{3})/u.exec(written)?.[0] ?? ""
  const count = digits.replace(/\D/g, "").length
  const isPhone = count > 6 ? /[.-]/.test(digits) : count > 1 && /\d[\s()/-]{0,2}$/.test(before)
  return isPhone ? written.slice(digits.length) : written
}

const personName = new RegExp(
  [
    String.raw`^(?:(?:Dr|Prof|Mag|Ing|Dipl)\.[\s-]*)*\p{Lu}[\p{L}'’-]+`,
    String.raw`(?: (?:${nameParticles}|\p{Lu}[\p{L}'’.-]*)){1,3}$`,
  ].join(""),
  "u",
)

/** The text of a link that is a person's name: two to four words, each with a capital. */
function personIn(element: Element): string | null {
  const text = foldSpace(textStart(element, lookedAtChars))
  return personName.test(text) ? text : null
}

/** The hrefs of pages hold stray per cent signs. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A style that shows a text from right to left, written backwards in the source. */
function isTurnedAround(element: Element): boolean {
  const style = element.getAttribute("style") ?? ""
  const isRtl = /direction\s*:\s*rtl/i.test(style) || element.getAttribute("dir") === "rtl"
  return isRtl && (/unicode-bidi\s*:\s*bidi-override/i.test(style) || element.localName === "bdo")
}

const contextChars = 60

function around(line: string, index: number, length: number): string {
  const spare = Math.max(0, contextChars - length)
  const start = Math.max(0, index - Math.floor(spare / 2))
  return line.slice(start, start + Math.max(contextChars, length)).trim()
}

/** Maximum length of the text around an element that is searched for a position. */
const lookedAtChars = 2_000
