import { legalNameAmong, ownerName, readContacts } from "../contact/index.ts"
import { foldSpace, isUnseen } from "../core/index.ts"
import { addressIn } from "./addresses.ts"
import { type Field, readSchema } from "./schema.ts"
import { isGeneral, termOf } from "./terms/terms.ts"
import type { Thing } from "./things.ts"
import { labelsFor, type View } from "./view.ts"

const anyText = readSchema({ type: "object", properties: { text: { type: "string" } } })
  .properties[0]![1]

const reachable = new Set([
  "phone",
  "email",
  "fax",
  "address",
  "street",
  "city",
  "postal code",
  "vat id",
  "social links",
])

/** Returns whether a schema requests contact details without other facts about their owner. */
export function isOfOrganisation(field: Field, types: readonly string[]): boolean {
  if (types.length > 0) return types.includes("Organization")
  const telling = field.properties.filter(([name]) => !isGeneral(name))
  const requested = telling.filter(([name]) => reachable.has(termOf(name)?.names[0] ?? ""))
  return requested.length * 2 > telling.length
}

/** Headings of pages on which sites speak of themselves. */
const aboutItself =
  /^(?:about|contact|get in touch|reach us|find us|impressum|imprint|legal notice|über uns|kontakt|anbieter|our (?:story|team|company)|who we are|home|welcome|willkommen|à propos|qui sommes|nous contacter|mentions légales|contacto|sobre|quiénes|chi siamo|contatti|over ons)/i
const imprint = /^(?:impressum|imprint|legal notice|mentions légales|aviso legal|note legali)/i
const owner =
  /(?:©|\(c\)|copyright)\s*(?:\d{4}(?:\s?[-–]\s?\d{2,4})?)?,?\s*([\p{L}\d][^.|•·\n]{1,60}?)(?=\s*(?:[.|•·,]|all rights|$))/iu

/** Returns the organisation that publishes a page, with its contact details and name if stated. */
export function organisationThing(
  document: Document,
  url: string,
  { heading, isArticle, view }: { heading: string | null; isArticle: boolean; view: View },
): Thing {
  const contacts = readContacts(document, url)
  const { addresses, emails, phones, socials, vatId, lines } = contacts
  const [known] = addresses
  const whole = known?.street ? null : addressIn(lines)
  const parted = whole === null ? addressIn(textNodes(document.body)) : null
  const isParted = parted !== null && (!known?.street || isGlued(known.street, parted.street))
  const read = isParted ? parted : whole
  const href = read ? { country: null, ...known, ...read, text: known?.text ?? null } : known
  const isOwn =
    isArticle ||
    heading === null ||
    aboutItself.test(heading.trim()) ||
    URL.parse(url)?.pathname === "/" ||
    !isProfile(view)
  const named = isOwn ? ownName(contacts, document, url) : heading
  const legalName = legalNameAmong(lines, named)
  const name = imprint.test(heading ?? "") ? (legalName ?? named) : named
  const node = {
    name,
    legalName,
    email: emails[0]?.email,
    telephone: phones.find(({ e164 }) => e164 !== null)?.raw,
    vatID: vatId,
    sameAs: Object.values(socials).flat(),
    address: href && {
      name: href.text ?? undefined,
      streetAddress: href.street,
      postalCode: href.postalCode,
      addressLocality: href.city,
      addressRegion: href.region,
      addressCountry: href.country,
    },
  }
  return { node, source: "contact", name: "contact" }
}

/** Styles separate parts of one source line: `<span>Mill Lane 2</span><span>22765 Hamburg</span>`. */
function textNodes(element: Element, texts: string[] = []): string[] {
  if (isUnseen(element)) return texts
  for (
    let child = element.firstChild;
    child && texts.length < maxTexts;
    child = child.nextSibling
  ) {
    if (child.nodeType === 1) textNodes(child as Element, texts)
    else if (child.nodeType === 3) {
      const text = foldSpace(child.nodeValue ?? "")
      if (text !== "") texts.push(text)
    }
  }
  return texts
}

/** Returns whether a part adjoins the text before or after it without a space. */
function isGlued(text: string, part: string): boolean {
  const at = text.indexOf(part)
  const around = `${text[at - 1] ?? ""}${text[at + part.length] ?? ""}`
  return at >= 0 && /[\p{L}\p{N}]/u.test(around)
}

const maxTexts = 3000
const facts = [
  "founded",
  "employees",
  "industry",
  "phone",
  "address",
  "founder",
  "legal name",
  "vat id",
  "website",
  "url",
]

/** Returns whether a page labels an organisation, as directories do: its heading is the name then. */
const isProfile = (view: View) =>
  facts.filter((name) => !view.labelled(labelsFor(name, anyText), anyText).next().done).length > 1

function ownName(
  contacts: ReturnType<typeof readContacts>,
  document: Document,
  url: string,
): string | null {
  const { lines } = contacts
  const named = ownerName(contacts, document, url)
  const copyright = lines
    .slice(-60)
    .flatMap((line) => owner.exec(line)?.[1]?.trim() ?? [])
    .at(-1)
  return (aboutItself.test(named ?? "") ? null : named) ?? copyright ?? null
}
