import { wordsOfName } from "../../page/index.ts"

/** What an element is called: its tag, the words of its class and id, its role and item property. */
export interface Names {
  words: string[]
  hash: number
}

/** A tag with a class: one object for each on a page. */
export interface Kind {
  readonly tag: string
  readonly className: string
  readonly hash: number
  /** The names of those elements that have no more of them. */
  names: Names | null
}

/** Kept from page to page, by what they were read from. */
const known = new Map<string, Names>()
const mostKnown = 5_000
const longestKey = 300

const mostWords = 24
const longestNames = 400

/** The names on one page, where the same ones stand on many elements. */
export class PageNames {
  private readonly kinds = new Map<string, Map<string, Kind>>()

  kindOf({ localName: tag, className }: Element): Kind {
    let ofTag = this.kinds.get(tag)
    if (!ofTag) {
      ofTag = new Map()
      this.kinds.set(tag, ofTag)
    }
    let kind = ofTag.get(className)
    if (!kind) {
      kind = { tag, className, hash: hashOf(`${tag} ${className}`), names: null }
      ofTag.set(className, kind)
    }
    return kind
  }

  of(element: Element, kind: Kind): Names {
    const id = element.getAttribute("id") ?? ""
    const role = element.getAttribute("role") ?? ""
    const property = element.getAttribute("itemprop") ?? ""
    if (id !== "" || role !== "" || property !== "") return namesOf(kind, id, role, property)
    kind.names ??= namesOf(kind, "", "", "")
    return kind.names
  }
}

function namesOf(kind: Kind, id: string, role: string, property: string): Names {
  const key = `${kind.tag} ${kind.className}|${id}|${role}|${property}`
  const given = known.get(key)
  if (given) return given
  const names: Names = { words: wordsOf(kind, id, role, property), hash: kind.hash }
  if (key.length > longestKey) return names
  if (known.size >= mostKnown) known.clear()
  known.set(key, names)
  return names
}

function wordsOf({ tag, className }: Kind, id: string, role: string, property: string) {
  const words = new Set<string>([`<${tag}`])
  if (role !== "") words.add(`@${role.slice(0, 20).toLowerCase()}`)
  if (property !== "") words.add(`:${property.slice(0, 30).toLowerCase()}`)
  for (const name of `${className} ${id}`.slice(0, longestNames).split(/\s+/)) {
    const parts = wordsOfName(name).filter((part) => part.length > 1)
    for (const part of parts) if (words.size < mostWords) words.add(part)
    for (let at = 1; at < parts.length && words.size < mostWords; at++) {
      words.add(`${parts[at - 1]}-${parts[at]}`)
    }
  }
  return [...words]
}

export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
