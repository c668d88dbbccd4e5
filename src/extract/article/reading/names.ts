import { attributesOf } from "../../core/index.ts"
import {
  type Name,
  type NamesOfPage,
  namesIn,
  namesOfPage,
  type Role,
  roleOfNames,
} from "../../page/index.ts"

/** The names of an element: its tag, the words of its class and ID, its role and item property. */
export interface Names {
  words: string[]
  hash: number
  /** The role of an element outside the content, by its class and id. */
  role: Role | null
  /** Unlikely to be part of an article, by Readability's rules for class, id and role. */
  unlikely: boolean
  /** For and against an article, as Readability counts it. */
  weight: number
  /** By its role. */
  isDialog: boolean
}

export const noNames: Names = {
  words: [],
  hash: 0,
  role: null,
  unlikely: false,
  weight: 0,
  isDialog: false,
}

/** A tag with a class: one object for each on a page. */
export interface Kind {
  readonly tag: string
  readonly className: string
  readonly hash: number
  /** The number of one element's children with these names, while they are counted. */
  count: number
  /** The names of those elements that have no more of them. */
  names: Names | null
  /** The weight of its class, once it is known. */
  weight: number | null
}

/** These are Readability's. */
const unlikely =
  /-ad-|ai2html|banner|breadcrumbs|combx|comment|community|cover-wrap|disqus|extra|footer|gdpr|header|legends|menu|related|remark|replies|rss|shoutbox|sidebar|skyscraper|social|sponsor|supplemental|ad-break|agegate|pagination|pager|popup|yom-remote/i
const likely = /and|article|body|column|content|main|shadow/i
const positive =
  /article|body|content|entry|hentry|h-entry|main|page|pagination|post|text|blog|story/i
const negative =
  /-ad-|hidden|^hid$| hid$| hid |^hid |banner|combx|comment|com-|contact|footer|gdpr|masthead|media|meta|outbrain|promo|related|scroll|share|shoutbox|sidebar|skyscraper|sponsor|shopping|tags|widget/i
const unlikelyRoles = new Set([
  "menu",
  "menubar",
  "complementary",
  "navigation",
  "alert",
  "alertdialog",
  "dialog",
])

const naming = ["id", "role", "itemprop"]
const maxWords = 24
const maxNames = 400

/** The names on one page, cached because many elements share them. */
export class PageNames {
  private readonly kinds = new Map<string, Map<string, Kind>>()
  private readonly known: NamesOfPage

  constructor(document: Document) {
    this.known = namesOfPage(document)
  }

  kindOf({ localName: tag, className }: Element): Kind {
    let ofTag = this.kinds.get(tag)
    if (!ofTag) {
      ofTag = new Map()
      this.kinds.set(tag, ofTag)
    }
    let kind = ofTag.get(className)
    if (!kind) {
      kind = {
        tag,
        className,
        hash: hashOf(`${tag} ${className}`),
        count: 0,
        names: null,
        weight: null,
      }
      ofTag.set(className, kind)
    }
    return kind
  }

  of(element: Element, kind: Kind): Names {
    const [id = "", role = "", property = ""] = attributesOf(element, naming)
    if (id !== "" || role !== "" || property !== "") return this.namesOf(kind, id, role, property)
    kind.names ??= this.namesOf(kind, "", "", "")
    return kind.names
  }

  private namesOf(kind: Kind, id: string, role: string, property: string): Names {
    const { className } = kind
    kind.weight ??= weightOf(className)
    const written = `${className} ${id}`.slice(0, maxNames)
    const isCut = className.length + id.length >= maxNames
    const names = isCut ? namesIn(written) : [...this.known.of(className), ...this.known.of(id)]
    return {
      words: wordsOf(kind.tag, names, role, property),
      hash: kind.hash,
      role: roleOfNames(names),
      unlikely: unlikelyRoles.has(role) || (unlikely.test(written) && !likely.test(written)),
      weight: kind.weight + weightOf(id),
      isDialog: role !== "" && /^(?:alert)?dialog$/i.test(role),
    }
  }
}

const weightOf = (name: string) =>
  name === "" ? 0 : (positive.test(name) ? 25 : 0) - (negative.test(name) ? 25 : 0)

function wordsOf(tag: string, names: readonly Name[], role: string, property: string): string[] {
  const words = [`<${tag}`]
  if (role !== "") words.push(`@${role.slice(0, 20).toLowerCase()}`)
  if (property !== "") words.push(`:${property.slice(0, 30).toLowerCase()}`)
  for (const { parts } of names) {
    for (const part of parts) {
      if (words.length < maxWords && !words.includes(part)) words.push(part)
    }
  }
  return words
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
