import {
  type CountryCode,
  findPhoneNumbersInText,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max"
import { foldSpace, wordSet, words } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { allEntities, type StructuredData, textAt } from "../structured/index.ts"
import { otherNumbers, phoneLabels } from "./words.ts"

// The max metadata (150 KB) is needed: the smaller sets know neither the type of a number nor every
// valid number.

type PhoneType = "phone" | "fax" | "mobile" | "whatsapp" | "unknown"

export interface PhoneMatch {
  /** Null for a national number of a country that is not known. */
  e164: string | null
  national: string
  /** As on the page. */
  raw: string
  country: string | null
  type: PhoneType
}

/** The country of a page whose numbers lack their prefix: its address, its domain, its language. */
export function phoneCountry(
  document: Document,
  data: StructuredData,
  pageUrl: string,
): string | null {
  const roots = allEntities(data).map((entity) => entity.data)
  for (const node of findObjects(roots, (object) => "addressCountry" in object)) {
    const country = textAt(data, node, "addressCountry")?.toUpperCase() ?? ""
    if (isSupportedCountry(country)) return country
  }
  const ending = new URL(pageUrl).hostname.split(".").at(-1)!.toUpperCase()
  const country = ending === "UK" ? "GB" : ending
  // Endings that are sold as words do not identify a country.
  if (isSupportedCountry(country) && !genericEndings.has(ending)) return country
  const region = /^[a-z]{2,3}[-_]([a-z]{2})\b/i.exec(
    document.documentElement?.getAttribute("lang") ?? "",
  )?.[1]
  return region && isSupportedCountry(region.toUpperCase()) ? region.toUpperCase() : null
}

const genericEndings = wordSet("AI AM CC CO FM GG IO LA LY ME SH SO TO TV VC WS")

const faxLabel = /(?:tele)?fax|фак|(?<![\p{L}\d])F\s?[.:]?\s*$/iu
const mobileLabel =
  /mobil|handy|\bcell|gsm|móvil|celular|portable|моб|\bM:|(?<![\p{L}\d])M\s?[.:]?\s*$/iu
const phoneWord = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${words(phoneLabels)})(?![\p{L}\d])|☎|✆|📞|📱|тел|電話|电话|전화|טל`,
  "iu",
)
const phoneLetter = /(?<![\p{L}\d])[TMFP]\s*[.:/]?(?![\p{L}\d])/iu
const moneyOrId = new RegExp(
  [
    String.raw`(?:[€$£¥]|\b(?:${words(otherNumbers)})\b)`,
    String.raw`[\s.:#-]*(?:n[ro°]\.?|nummer|number|no\.?)?([\s.:#A-Z]*)$`,
  ].join(""),
  "i",
)

/** Whether the words before a number name money or an ID, and no phone after it: "Order: call". */
function isOther(label: string): boolean {
  const rest = moneyOrId.exec(label)?.[1]
  return rest !== undefined && !phoneWord.test(rest)
}

/** All numbers of a page, each once: of links first, then of its data, then of its text lines. */
export function findPhones(
  document: Document,
  data: StructuredData,
  country: string | null,
  lines: readonly string[],
): PhoneMatch[] {
  const collector = new PhoneCollector(country)
  collector.readLinks(document)
  collector.readData(data)
  for (const line of lines) collector.readLine(line)
  return collector.matches()
}

class PhoneCollector {
  private readonly phones = new Map<string, PhoneMatch>()
  private readonly read = new Set<string>()
  /** National numbers of an unknown country, by their digits. */
  private readonly nationals = new Map<string, PhoneMatch>()

  constructor(private readonly country: string | null) {}

  matches(): PhoneMatch[] {
    const known = [...this.phones.keys()]
    const others = [...this.nationals].filter(
      ([digits]) => !known.some((number) => number.endsWith(digits.replace(/^0+/, ""))),
    )
    return [...this.phones.values(), ...others.map(([, phone]) => phone)]
  }

  readLinks(document: Document): void {
    for (const link of document.querySelectorAll("a[href]")) {
      const href = link.getAttribute("href")!.trim()
      const written = /^(?:tel|callto|phone|sms):(.+)$/is.exec(href)?.[1]
      const whatsapp =
        /(?:wa\.me\/|whatsapp\.com\/send\/?\?(?:.*&)?phone=)\+?(\d{7,15})/i.exec(href)?.[1] ?? null
      const text = foldSpace(link.textContent ?? "")
      // "Call us" is not a number.
      const visible = /\d{3}|\d[\d\s().-]{4}/.test(text) ? text : null
      if (whatsapp) this.add(`+${whatsapp}`, visible ?? whatsapp, "whatsapp")
      else if (written)
        this.add(dialled(written), visible ?? written, labelledType(`${before(link)} ${text}`))
    }
  }

  readData(data: StructuredData): void {
    const roots = allEntities(data).map((entity) => entity.data)
    for (const node of findObjects(
      roots,
      (object) => "telephone" in object || "faxNumber" in object,
    )) {
      const phone = textAt(data, node, "telephone")
      const fax = textAt(data, node, "faxNumber")
      if (phone) this.add(phone, phone, null)
      if (fax) this.add(fax, fax, "fax")
    }
  }

  /** A text number counts near a word for phone, with its country's prefix, or alone on its line. */
  readLine(line: string): void {
    if (!/\d[\d\s().\u2013/-]{5,}\d/.test(line) || line.length > 2000) return
    if (this.read.has(line)) return
    this.read.add(line)
    const text = line.replace(/\(0\)/g, "").replace(/[\u2010-\u2015]/g, "-")
    const options = this.country ? { defaultCountry: this.country as CountryCode } : undefined
    for (const { number, startsAt, endsAt } of findPhoneNumbersInText(text, options)) {
      const label = text.slice(Math.max(0, startsAt - 40), startsAt)
      const raw = text.slice(startsAt, endsAt).trim()
      if (isOther(label) || !number.isValid()) continue
      if (looksLikeDate(raw) || looksLikeAmount(raw)) continue
      const isLabelled = phoneWord.test(label) || phoneLetter.test(label)
      const isAlone =
        raw.length * 2 > line.length && /[\s/().-]/.test(raw) && /^\+|^0|^\(/.test(raw)
      if (isLabelled || raw.startsWith("+") || isAlone) this.keep(number, raw, labelledType(label))
    }
  }

  private add(written: string, raw: string, type: PhoneType | null): void {
    const number = this.parsed(written)
    if (number) this.keep(number, foldSpace(raw), type)
    else if (this.country === null) this.keepNational(written, foldSpace(raw), type)
  }

  /** Keeps a number that a link or the data marks; without a country it has no international form. */
  private keepNational(written: string, raw: string, type: PhoneType | null): void {
    const digits = written.replace(/\D/g, "")
    const isNational = /^[\d\s().\u2010-\u2015/-]+$/.test(written.trim())
    if (!isNational || digits.length < 6 || digits.length > 12 || this.nationals.has(digits)) return
    const national = raw.length <= 60 ? raw : written.trim()
    const e164 = null
    this.nationals.set(digits, {
      e164,
      national,
      raw: national,
      country: null,
      type: type ?? "unknown",
    })
  }

  /** Numbers without prefix belong to the page's country; else the prefix may lack its plus. */
  private parsed(written: string): PhoneNumber | undefined {
    const text = written.replace(/\(0\)/g, "").replace(/^\s*00/, "+")
    const tries = [
      parsePhoneNumberFromString(text, (this.country ?? undefined) as CountryCode | undefined),
      text.startsWith("+") ? undefined : parsePhoneNumberFromString(`+${text}`),
    ]
    return tries.find((number) => number?.isValid())
  }

  private keep(number: PhoneNumber, raw: string, label: PhoneType | null): void {
    const type = label ?? typeOf(number)
    const known = this.phones.get(number.number)
    if (known) {
      // A later label is more specific than the number.
      if (label !== null && known.type === typeOf(number)) known.type = label
      return
    }
    this.phones.set(number.number, {
      e164: number.number,
      national: number.formatNational(),
      raw: raw.length <= 60 ? raw : number.formatInternational(),
      country: number.country ?? null,
      type,
    })
  }
}

/** `tel:` addresses hold escapes, parameters and "(0)". */
function dialled(written: string): string {
  let text = written
  try {
    text = decodeURIComponent(written)
  } catch {
    // A stray per cent sign: the digits are as they are.
  }
  return text.replace(/^\/\//, "").replace(/[;?].*$/s, "")
}

/** Returns the text right before an element, which may be its label. */
function before(element: Element): string {
  let text = ""
  for (let node: Node | null = element; node && text.length < 3; node = node.parentNode) {
    for (let left = node.previousSibling; left && text.length < 30; left = left.previousSibling) {
      text = `${left.textContent ?? ""}${text}`
    }
    const name = (node as Element).localName
    if (name === "p" || name === "li" || name === "div" || name === "tr" || name === "body") break
  }
  return foldSpace(text.slice(-40))
}

/** The last label before a number counts: in "Tel. 1 Fax 2" the second is a fax. */
function labelledType(label: string): PhoneType | null {
  const near = label.slice(-25)
  if (faxLabel.test(near) && !/fax.*(?:tel|phone|fon)\W*$/i.test(near)) return "fax"
  if (mobileLabel.test(near)) return "mobile"
  return /whats\s?app/i.test(near) ? "whatsapp" : null
}

function typeOf(number: PhoneNumber): PhoneType {
  const type = number.getType()
  if (type === "MOBILE") return "mobile"
  return type === undefined ? "unknown" : "phone"
}

// "01.42.68.53.01" has too many parts for a date.
const looksLikeDate = (raw: string) =>
  /^\(?(?:\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?![./-]?\d)/.test(raw) ||
  // "02.02. - 23.02.23"
  /^\(?\d{1,2}\.\d{1,2}\.?\s*-\s*\d{1,2}\.\d{1,2}\.\d{2,4}$/.test(raw) ||
  /^\d{4}\s?[-/]\s?\d{4}$/.test(raw)

/** "300.000": groups of thousands, which "030.123.456" is not. */
const looksLikeAmount = (raw: string) => /^[1-9]\d{0,2}(?:\.000)+$/.test(raw)
