/** What an element is called: its tag, the words of its class and id, its role and item property. */
export interface Names {
  words: string[]
  hash: number
}

const known = new Map<string, Names>()
const mostKnown = 5_000
const longestKey = 300

/** Names that a style compiler made up: `style_1k79xgg`, `css-10x2p`. */
const generated = /(?:^|[-_])(?=[a-z0-9]{5,}(?:$|[-_]))[a-z]*\d+[a-z]+\d*[a-z0-9]*/
const mostWords = 24
const longestNames = 400

export function namesOf(element: Element): Names {
  const id = element.getAttribute("id") ?? ""
  const role = element.getAttribute("role") ?? ""
  const property = element.getAttribute("itemprop") ?? ""
  const key = `${element.localName} ${element.className}|${id}|${role}|${property}`
  const given = known.get(key)
  if (given) return given
  const names: Names = {
    words: wordsOf(element.localName, element.className, id, role, property),
    hash: hashOf(`${element.localName} ${element.className}`),
  }
  if (key.length > longestKey) return names
  if (known.size >= mostKnown) known.clear()
  known.set(key, names)
  return names
}

function wordsOf(tag: string, className: string, id: string, role: string, property: string) {
  const words = new Set<string>([`<${tag}`])
  if (role !== "") words.add(`@${role.slice(0, 20).toLowerCase()}`)
  if (property !== "") words.add(`:${property.slice(0, 30).toLowerCase()}`)
  for (const name of `${className} ${id}`.slice(0, longestNames).split(/\s+/)) {
    if (name === "" || generated.test(name)) continue
    const parts = name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((part) => part.length > 1)
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
