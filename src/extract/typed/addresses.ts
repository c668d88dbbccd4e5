export interface Address {
  street: string
  city: string
  postalCode: string
  region: string | null
}

const maxParts = 3000
const maxPart = 80

const town = String.raw`(\p{Lu}[\p{L}.'’ /()-]{1,40}(?:\s\d{1,2})?)`
const whole = (written: string) => new RegExp(`^${written}$`, "u")
/** `22765 Hamburg`, `F-75011 Paris`, `1012 AB Amsterdam`, `00-950 Warszawa`, `114 35 Stockholm`. */
const codeFirst = whole(
  String.raw`(?:[A-Z]{1,2}[- ])?(\d{4}\s?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{3} \d{2}|\d{4,5})\s+${town}`,
)
/** `Boston, MA 02110`, `Ottawa ON K1A 0B6`, `Carlton VIC 3053`. */
const regionLast = whole(
  String.raw`(?:${town}\s+)?([A-Z]{2,3})\.?\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z]\s?\d[A-Z]\d|\d{4})`,
)
/** `York YO1 7HH`, or the code alone. */
const british = whole(String.raw`(?:${town}\s+)?([A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})`)

const number = String.raw`\d{1,5}\s?[a-zA-Z]?(?:\s?[-–/+]\s?\d{1,5}\s?[a-zA-Z]?)?`
const numberFirst = whole(
  String.raw`(?:(?:No|Unit|Suite|Nr)\.?\s)?${number}(?:\s(?:bis|ter))?\s\p{L}.+`,
)
const numberLast = whole(String.raw`\p{L}.*\s(?:n[º°.]\s?)?${number}\.?`)
/** Numbers that are none of a house. */
const others =
  /^(?:tel|fon|phone|fax|mob|call|©|copyright|since|seit|vat|ust|hrb?|siren|siret|p\.?\s?iva|cif|nif|monday|mon|open|page|po box)\b|@|https?:|\d{6}|\d:\d\d/iu
const year = /^(?:19|20)\d\d$/
const streetWord =
  /(?:str(?:aße|asse|aat|\.)|weg|gasse|platz|plein|laan|lei|kaai|allee|gade|vej|quai)(?=[\s.]|$)|^(?:rue|avenue|chemin|route|place|via|quai)\s/i
const within = /^(?:suite|ste|apt|unit|floor|level|room|\d{1,2}(?:st|nd|rd|th) floor)\b/i
const alone = new RegExp(`^${number}$`)

interface Part {
  text: string
  /** Whether the part before it is on the same line. */
  joined: boolean
}

/** Returns the first postal address in lines, in the form of any known country; null if none is sure. */
export function addressIn(lines: readonly string[]): Address | null {
  const parts = partsOf(lines)
  for (const [index, { text }] of parts.entries()) {
    const match = placeAt(parts, index, text)
    if (match === null) continue
    const { place, before } = match
    const street = streetBefore(parts, before, match.isFar)
    if (street === null) continue
    const city = place.city ?? parts[before]!.text
    const isSame = place.city === null && street.at === before
    if (!isSame) return { ...place, city: street.next ?? city, street: street.text }
  }
  return null
}

type Place = Omit<Address, "street" | "city"> & { city: string | null }

/** Returns the line that ends an address, with the index of the part after its street. */
function placeAt(
  parts: readonly Part[],
  index: number,
  text: string,
): { place: Place; before: number; isFar: boolean } | null {
  const [, code, city] = codeFirst.exec(text) ?? []
  if (code && city) {
    // It is a year, unless the part above it is a street by its name.
    if (year.test(code) && !streetWord.test(parts[index - 1]?.text ?? "")) return null
    const [, plain, province] = /^(.+?)\s?\(([A-Z]{2})\)$/.exec(city) ?? []
    const place = { postalCode: code, city: plain ?? city.trim(), region: province ?? null }
    return { place, before: index - 1, isFar: false }
  }
  const [, near, region, after] = regionLast.exec(text) ?? []
  const previous = parts[index - 1]?.text ?? null
  if (region && after) {
    const own = near ?? previous
    if (own === null || /\d/.test(own)) return null
    return {
      place: { postalCode: after, city: own, region },
      before: index - (near ? 1 : 2),
      isFar: false,
    }
  }
  const [, inside, postcode] = british.exec(text) ?? []
  if (!postcode || (!inside && previous === null)) return null
  const own = inside ?? previous!
  const place = { postalCode: postcode, city: own, region: null }
  return { place, before: index - (inside ? 1 : 2), isFar: true }
}

/** Returns the street above; a British village or county may be between: the town follows the street. */
function streetBefore(
  parts: readonly Part[],
  from: number,
  isFar: boolean,
): { text: string; at: number; next: string | null } | null {
  for (let at = from; at >= Math.max(0, from - (isFar ? 2 : 1)); at--) {
    const { text } = parts[at]!
    // `Calle Mayor, 5`
    if (alone.test(text) && parts[at]!.joined && /^\p{L}/u.test(parts[at - 1]?.text ?? "")) {
      return { text: `${parts[at - 1]!.text}, ${text}`, at, next: null }
    }
    const above = parts[at - 1]?.text ?? ""
    if (within.test(text) && numberFirst.test(above) && !within.test(above)) {
      return { text: `${above}, ${text}`, at, next: null }
    }
    if (others.test(text) || !(numberFirst.test(text) || numberLast.test(text))) continue
    const between = parts[at + 1]?.text ?? null
    if (at < from && !isFar) return { text: `${text}, ${between}`, at, next: null }
    return { text, at, next: at < from ? between : null }
  }
  return null
}

function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = []
  for (const line of lines) {
    const pieces = line.length > 300 ? [] : line.split(/\s*[,|•·;\t]\s*|\s+[-–]\s+/)
    for (const [index, piece] of pieces.entries()) {
      const text = piece
        .replace(/^(?:address|adresse|anschrift|adres|indirizzo|dirección)\s*:\s*/i, "")
        .trim()
      if (text !== "" && text.length <= maxPart) parts.push({ text, joined: index > 0 })
    }
    if (parts.length >= maxParts) break
  }
  return parts
}
