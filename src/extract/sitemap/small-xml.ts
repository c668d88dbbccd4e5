import { decodeEntities, foldSpace } from "../core/index.ts"

/**
 * An element of a small piece of XML, such as one entry of a sitemap. Names are local ones, lower
 * case: sitemaps declare their namespaces wrongly too often to go by them.
 */
export class SmallElement {
  readonly children: SmallElement[] = []
  content = ""

  constructor(
    readonly name: string,
    private readonly attributes: string,
  ) {}

  all(name: string): SmallElement[] {
    return this.children.filter((child) => child.name === name)
  }

  first(name: string): SmallElement | undefined {
    return this.children.find((child) => child.name === name)
  }

  /** The text of the first child of a name, ends trimmed; null if there is none. */
  text(name: string): string | null {
    return this.first(name)?.content.trim() || null
  }

  attribute(name: string): string | null {
    const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i")
    const match = pattern.exec(this.attributes)
    const value = match?.[1] ?? match?.[2]
    return value === undefined ? null : foldSpace(decodeEntities(value)) || null
  }
}

const token =
  /<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s[^<>]*?)?)(\/?)>|([^<]+)|</g

/** The elements of an XML fragment, in a nameless element. Unclosed ones end with their parent. */
export function smallElements(source: string): SmallElement {
  const root = new SmallElement("", "")
  const open = [root]
  for (const [, cdata, slash, name, attributes, empty, text] of source.matchAll(token)) {
    const current = open.at(-1)!
    if (cdata !== undefined) current.content += cdata
    else if (text !== undefined) current.content += decodeEntities(text)
    else if (name !== undefined) {
      const lower = name.toLowerCase()
      if (slash) close(open, lower)
      else {
        const element = new SmallElement(lower, attributes ?? "")
        current.children.push(element)
        if (!empty) open.push(element)
      }
    }
  }
  return root
}

function close(open: SmallElement[], name: string): void {
  const index = open.findLastIndex((element) => element.name === name)
  if (index > 0) open.length = index
}
