import { foldSpace, type XmlElement } from "../core/index.ts"

/** The namespaces that feeds use, without scheme and trailing signs; some are spelt variously. */
const namespaces: Record<string, string> = {
  "purl.org/rss/1.0/modules/content": "content",
  "purl.org/dc/elements/1.1": "dc",
  "purl.org/dc/terms": "dcterms",
  "search.yahoo.com/mrss": "media",
  "search.yahoo.com/mrss/rss": "media",
  "www.rssboard.org/media-rss": "media",
  "www.w3.org/2005/atom": "atom",
  "purl.org/atom/ns": "atom",
  "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
  "itunes.apple.com/dtds/podcast-1.0.dtd": "itunes",
  "www.google.com/schemas/play-podcasts/1.0": "googleplay",
  "www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd": "googleplay",
  "podcastindex.org/namespace/1.0": "podcast",
  "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast",
  "purl.org/rss/1.0/modules/slash": "slash",
  "wellformedweb.org/commentapi": "wfw",
  "www.georss.org/georss": "georss",
  "rssnamespace.org/feedburner/ext/1.0": "feedburner",
  "purl.org/syndication/thread/1.0": "thr",
  "www.w3.org/1999/xhtml": "xhtml",
  "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
  "www.w3.org/xml/1998/namespace": "xml",
}
const prefixes = new Set(Object.values(namespaces))

/** Returns the usual prefix of a namespace, whatever prefix the feed uses; "?" for unknown ones. */
function prefixOf(namespace: string): string {
  const plain = namespace
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/(?<![/#])[/#]+$/, "")
  // An undeclared prefix stands for itself.
  return namespaces[plain] ?? (prefixes.has(plain) ? plain : "?")
}

/**
 * An element of a feed. Its children have their usual names in lower case: `dc:creator`, `itunes:image`;
 * names without prefix belong to the feed's own format.
 */
export class FeedNode {
  private index?: Map<string, FeedNode[]>

  constructor(
    readonly element: XmlElement,
    /** The namespace of the feed's own format. */
    private readonly own: string,
  ) {}

  all(name: string): FeedNode[] {
    this.index ??= this.indexed()
    return this.index.get(name) ?? []
  }

  first(name: string): FeedNode | undefined {
    return this.all(name)[0]
  }

  /** The text of the first of these children that has one; ends trimmed. */
  text(...names: string[]): string | null {
    for (const name of names) {
      for (const child of this.all(name)) {
        const text = child.content
        if (text !== "") return text
      }
    }
    return null
  }

  /** The text of this element; ends trimmed. */
  get content(): string {
    return this.element.text.trim()
  }

  /** The content of the element as HTML: its text, or its serialized elements. */
  get html(): string {
    const { element } = this
    return element.elements().length === 0 ? this.content : innerHtml(element).trim()
  }

  /** An attribute without prefix, in any letter case. */
  attribute(name: string): string | null {
    const value =
      this.element.attribute(name) ??
      this.element.plainAttributes().find(([key]) => key.toLowerCase() === name)?.[1]
    return foldSpace(value ?? "") || null
  }

  private indexed(): Map<string, FeedNode[]> {
    const index = new Map<string, FeedNode[]>()
    for (const child of this.element.elements()) {
      const local = child.name.toLowerCase()
      const name = child.namespace === this.own ? local : `${prefixOf(child.namespace)}:${local}`
      const node = new FeedNode(child, this.own)
      const alike = index.get(name)
      if (alike) alike.push(node)
      else index.set(name, [node])
    }
    return index
  }
}

const voidElements = new Set(["area", "br", "col", "embed", "hr", "img", "input", "source", "wbr"])

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

function innerHtml(element: XmlElement): string {
  let html = ""
  for (const child of element.children) {
    if (typeof child === "string") html += child.replace(/[&<>]/g, escaped)
    else {
      const attributes = child
        .plainAttributes()
        .map(([name, value]) => ` ${name}="${escaped(value)}"`)
      html += `<${child.name}${attributes.join("")}>`
      if (!voidElements.has(child.name)) html += `${innerHtml(child)}</${child.name}>`
    }
  }
  return html
}
