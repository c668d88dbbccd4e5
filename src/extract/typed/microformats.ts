import { absoluteUrl, elementsWhere, textOrNull } from "../core/index.ts"
import { addValue, type SchemaNode } from "../structured/index.ts"
import type { Thing } from "./things.ts"

/** Things, and elements within all of them together, that are read of one page. */
const maxRoots = 100
const maxElements = 5_000
/** Texts lie in each other, and are read of each. */
const maxChars = 2_000_000
const maxText = 20_000

/** The schema.org types of old and new microformats' classes. */
const roots: Record<string, string> = {
  "h-card": "Card",
  vcard: "Card",
  "h-event": "Event",
  vevent: "Event",
  "h-recipe": "Recipe",
  hrecipe: "Recipe",
  "h-adr": "PostalAddress",
  adr: "PostalAddress",
}

const url: Record<string, string> = {
  "street-address": "streetAddress",
  locality: "addressLocality",
  region: "addressRegion",
  "postal-code": "postalCode",
  "country-name": "addressCountry",
}

const properties: Record<string, Record<string, string>> = {
  PostalAddress: url,
  Card: {
    ...url,
    name: "name",
    fn: "name",
    org: "worksFor",
    "job-title": "jobTitle",
    title: "jobTitle",
    role: "jobTitle",
    email: "email",
    tel: "telephone",
    url: "url",
    photo: "image",
    logo: "logo",
    adr: "address",
    bday: "birthDate",
    note: "description",
    "given-name": "givenName",
    "family-name": "familyName",
  },
  Event: {
    name: "name",
    summary: "name",
    start: "startDate",
    dtstart: "startDate",
    end: "endDate",
    dtend: "endDate",
    location: "location",
    organizer: "organizer",
    url: "url",
    photo: "image",
    description: "description",
  },
  Recipe: {
    name: "name",
    fn: "name",
    ingredient: "recipeIngredient",
    instructions: "recipeInstructions",
    yield: "recipeYield",
    duration: "totalTime",
    preptime: "prepTime",
    cooktime: "cookTime",
    author: "author",
    photo: "image",
    summary: "description",
  },
}

const rootClass = /\b(?:h-(?:card|event|recipe|adr)|vcard|vevent|hrecipe|adr)\b/
const classesOf = (element: Element) => element.className.split(/\s+/)

function rootOf(element: Element): string | undefined {
  if (!rootClass.test(element.className)) return undefined
  const name = classesOf(element).find((one) => Object.hasOwn(roots, one))
  return name && roots[name]
}

/** Things that a page marks by the classes of microformats: cards, events, recipes. */
export function microformatThings(body: Element, base: string): Thing[] {
  const match = elementsWhere(body, (element) => rootOf(element) !== undefined).slice(0, maxRoots)
  const reader = new MicroformatReader(base)
  return match.flatMap((root) => reader.outer(root) ?? [])
}

class MicroformatReader {
  private elements = maxElements
  private chars = maxChars
  private readonly read = new Set<Element>()

  constructor(private readonly base: string) {}

  /** Returns null for a part of another item, or a URL only. */
  outer(root: Element): Thing | null {
    const type = rootOf(root)!
    if (this.read.has(root) || this.elements <= 0 || type === "PostalAddress") return null
    const node = this.thing(root, type)
    return { node, source: "microformats", name: [node["@type"]].flat().join(" or ") }
  }

  private thing(root: Element, type: string): SchemaNode {
    const node: SchemaNode = {}
    this.read.add(root)
    this.walk(root, node, properties[type]!)
    return typed(node, type)
  }

  private walk(parent: Element, node: SchemaNode, known: Record<string, string>): void {
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      if (--this.elements < 0 || this.chars < 0) return
      const inner = rootOf(child)
      const names = propertiesOf(child, known)
      const thing = inner ? this.thing(child, inner) : null
      for (const name of names) {
        const value = thing ?? this.stated(child, name)
        if (value !== null) addValue(node, name, value)
      }
      if (inner === "PostalAddress" && names.length === 0) addValue(node, "address", thing)
      if (!inner) this.walk(child, node, known)
    }
  }

  private stated(element: Element, property: string): string | null {
    const attribute = (name: string) => textOrNull(element.getAttribute(name) ?? "")
    const url = attribute("href") ?? attribute("src")
    if (/^(?:url|image|logo)$/.test(property) && url) return absoluteUrl(url, this.base)
    const mail = /^mailto:([^?]+)/i.exec(url ?? "")?.[1]
    if (mail && property === "email") return mail
    const value =
      element.localName === "abbr"
        ? attribute("title")
        : (attribute("datetime") ?? attribute("value"))
    return value ?? this.textOf(valueWithin(element) ?? element)
  }

  private textOf(element: Element): string | null {
    const text = element.getAttribute("class")?.includes("value-title")
      ? (element.getAttribute("title") ?? "")
      : (element.textContent ?? "")
    this.chars -= text.length
    return textOrNull(text.slice(0, maxText))
  }
}

/** Returns the properties of an element, for example by `p-name` and `fn`; a bare prefix names none. */
function propertiesOf(element: Element, known: Record<string, string>): string[] {
  const names = classesOf(element).flatMap((name) => {
    const [, plain = name] = /^(?:p|u|dt|e)-(.+)$/.exec(name) ?? []
    return Object.hasOwn(known, plain) ? [known[plain]!] : []
  })
  return [...new Set(names)]
}

/** Returns the value element of an old microformat, as in `Phone: <b class="value">…</b>`. */
function valueWithin(element: Element): Element | undefined {
  let child = element.firstElementChild
  for (let seen = 0; child && seen < 5; seen++, child = child.nextElementSibling) {
    if (/(?:^|\s)value(?:-title)?(?:\s|$)/.test(child.className)) return child
  }
  return undefined
}

/** A card whose name is that of its organisation is the organisation's; addresses lie in one. */
function typed(node: SchemaNode, type: string): SchemaNode {
  if (type !== "Card") return { "@type": type, ...node }
  const { name, worksFor } = node
  const parts = Object.values(url).filter((part) => part in node)
  const own = Object.fromEntries(parts.map((part) => [part, node[part]]))
  if (parts.length > 0 && node.address === undefined) node.address = own
  if (worksFor !== undefined && (name === undefined || String(name) === String(worksFor))) {
    return { "@type": "Organization", ...node, name: worksFor, worksFor: undefined }
  }
  const isOfPerson = ["worksFor", "jobTitle", "birthDate", "givenName"].some((key) => key in node)
  return { "@type": isOfPerson ? "Person" : ["Person", "Organization", "Place"], ...node }
}
