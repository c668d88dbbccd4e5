import { htmlToText, textLines } from "../core/index.ts"
import { nodesOfType, type SchemaNode, type StructuredData, textAt } from "../structured/index.ts"

export interface PostalAddress {
  street: string | null
  postalCode: string | null
  city: string | null
  region: string | null
  country: string | null
  /** The address on one line. */
  text: string
}

/** The addresses of a page: of its data first, then of `address` elements, then of its text. */
export function findPostalAddresses(
  document: Document,
  data: StructuredData,
  lines: readonly string[],
): PostalAddress[] {
  const addresses = [
    ...nodesOfType(data, "PostalAddress").flatMap((node) => ofNode(data, node)),
    ...[...document.querySelectorAll("address, .adr, .vcard .adr")].flatMap(ofElement),
    ...germanIn(lines.filter((line) => line.length < 400).join("\n")),
  ]
  const distinct = new Map<string, PostalAddress>()
  for (const address of addresses) {
    const key = addressKey(address)
    const same = [...distinct].find(([known]) => known.includes(key) || key.includes(known))
    if (same) same[1].country ??= address.country
    else distinct.set(key, address)
  }
  return [...distinct.values()]
}

/** Street and postal code are enough to distinguish two addresses. */
function addressKey({ street, postalCode, text }: PostalAddress): string {
  const parts = street && postalCode ? `${street}${postalCode}` : text
  return parts
    .toLowerCase()
    .replace(/straße|strasse|str\./g, "str")
    .replace(/[^\p{L}\d]/gu, "")
}

function ofNode(data: StructuredData, node: SchemaNode): PostalAddress[] {
  const part = (name: string) =>
    htmlToText(textAt(data, node, name))?.replace(/\s*\n\s*/g, ", ") ?? null
  const parts = {
    street: part("streetAddress"),
    postalCode: part("postalCode"),
    city: part("addressLocality"),
    region: part("addressRegion"),
    country: part("addressCountry"),
  }
  if (!parts.street && !parts.city && !parts.postalCode) return []
  const locality = [parts.postalCode, parts.city].filter(Boolean).join(" ")
  const text = [parts.street, locality, parts.region, parts.country].filter(Boolean).join(", ")
  return [{ ...parts, text }]
}

/** `address` also holds authors and emails: it needs a house number or a postal code. */
function ofElement(element: Element): PostalAddress[] {
  const lines = textLines(element).flatMap((line) => line.split("\t"))
  const postal = lines.filter(
    (line) =>
      !/@|https?:|www\.|^(?:tel|fon|phone|fax|e-?mail)\b/i.test(line) &&
      !/^\+?[\d\s()/.-]{7,}$/.test(line),
  )
  const text = postal.join(", ")
  if (text.length > 300 || text.length < 8 || !/\d/.test(text)) return []
  const german = germanIn(text)[0]
  if (german) return [{ ...german, text }]
  const american = /(?:^|,\s*)([^,]*\d[^,]*),\s*([^,]+),\s*([A-Z]{2})\s+(\d{5}(?:-\d{4})?)/.exec(
    text,
  )
  if (american) {
    const [, street, city, region, postalCode] = american
    return [
      {
        street: street!,
        city: city!,
        region: region!,
        postalCode: postalCode!,
        country: "US",
        text,
      },
    ]
  }
  const british = /\b([A-Z]{1,2}\d[A-Z\d]?\s*\d[A-Z]{2})\b/.exec(text)
  if (british) {
    return [
      {
        street: postal.find((line) => /^(?:\p{L}{0,12}\s)?\d/u.test(line)) ?? postal[0] ?? null,
        city: townBefore(british[1]!, postal),
        region: null,
        postalCode: british[1]!,
        country: "GB",
        text,
      },
    ]
  }
  const codeFirst = codeFirstIn(text)
  if (codeFirst) return [{ ...codeFirst, text }]
  return /\d.*\p{L}{3}|\p{L}{3}.*\d/u.test(text) && /\d{3,}|\b\d{1,4}\b,/.test(text)
    ? [{ street: null, postalCode: null, city: null, region: null, country: null, text }]
    : []
}

const codeAndTown =
  /^(?:[A-Z]{1,2}[- ])?(\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{3}\s\d{2}|\d{4,5})\s+(\p{Lu}[^\d(]*(?:(?:Cedex|CEDEX)(?:\s\d+)?)?)(?:\(([A-Z]{2})\))?$/u
/** "1000 Second Ave" begins with a house number. */
const englishStreet = /\b(?:Ave(?:nue)?|Blvd|Court|Dr(?:ive)?|Lane|R(?:oa)?d|St(?:reet)?|Way)\.?$/

/** Most of Europe: "12 bis rue de la Paix, 75002 Paris", "Via Roma, 12 - 20121 Milano (MI)". */
function codeFirstIn(text: string): Omit<PostalAddress, "text"> | null {
  const parts = text.split(/\s*(?:,|\s[-–—·•|]\s)\s*/)
  const at = parts.findIndex(
    (part, index) => index > 0 && codeAndTown.test(part) && !englishStreet.test(part),
  )
  if (at < 0) return null
  const [, postalCode, city, region] = codeAndTown.exec(parts[at]!)!
  const isNumber = /^\d{1,4}\s?\p{L}?$/u.test(parts[at - 1]!)
  const street = parts.slice(isNumber && at > 1 ? at - 2 : at - 1, at).join(", ")
  return {
    street: /\d/.test(street) ? street : null,
    postalCode: postalCode!,
    city: city!.trim(),
    region: region ?? null,
    country: null,
  }
}

/** `York YO1 7HH`, or the line above the code. */
function townBefore(code: string, lines: string[]): string | null {
  const at = lines.findIndex((line) => line.includes(code))
  const before = lines[at]?.slice(0, lines[at]!.indexOf(code)).replace(/[\s,]+$/, "")
  const town = before?.split(",").at(-1)?.trim() || (at > 1 ? lines[at - 1] : undefined)
  return town && !/\d/.test(town) ? town : null
}

/**
 * "Musterstraße 12, 12345 Musterstadt", on one line or two. A name that does not end like a street
 * counts with five digits after a comma or a line break.
 */
const number = "\\d{1,4}\\s?[a-z]?(?:\\s?[-–/+]\\s?\\d{1,4}\\s?[a-z]?)?"
const ending =
  "(?:str(?:aße|asse|\\.)|weg|platz|allee|gasse|ring|ufer|damm|hof|markt|berg|steig|chaussee)\\.?"
const city = "(\\p{Lu}[\\p{L}.-]+(?:[ /](?:\\p{Lu}[\\p{L}.-]+|am|an|der|im|bei|ob|in|a\\.|d\\.))*)"
const country = "(?:(D|A|CH|DE|AT)[- ])?"
const german = new RegExp(
  [
    `((?:\\p{Lu}[\\p{L}.-]*[ -]){0,3}\\p{Lu}?[\\p{L}.-]*${ending}\\s+${number})`,
    `\\s*[,\n·|•–-]?\\s*${country}(\\d{4,5})\\s+${city}`,
    `|((?:\\p{Lu}[\\p{L}.'-]*[ -]){1,4}${number})`,
    `\\s*[,\n·|•]\\s*${country}(\\d{5})\\s+${city}`,
  ].join(""),
  "gu",
)

function germanIn(text: string): PostalAddress[] {
  return [...text.matchAll(german)].map(([, ...groups]) => {
    const [street, mark, postalCode, locality] = groups[0] === undefined ? groups.slice(4) : groups
    const clean = street!.replace(/\s+/g, " ").trim()
    return {
      street: clean,
      postalCode: postalCode!,
      city: locality!.trim(),
      region: null,
      country: countryOf(mark, postalCode!),
      text: `${clean}, ${postalCode} ${locality!.trim()}`,
    }
  })
}

function countryOf(mark: string | undefined, postalCode: string): string | null {
  if (mark?.startsWith("A")) return "AT"
  if (mark === "CH") return "CH"
  return mark !== undefined || postalCode.length === 5 ? "DE" : null
}
