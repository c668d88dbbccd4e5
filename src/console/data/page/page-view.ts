/** A page in the picker. */
export interface PageView {
  /** The parsed document. It runs no scripts and loads nothing. */
  page: Document
  visible: Map<Element, Element>
  source: Map<Node, Element>
  /** The elements in reading order. */
  order: Element[]
  isCut: boolean
}

const stored = new Set(
  "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table thead tbody tfoot tr th td caption blockquote pre code em strong b i u s small sub sup mark figure figcaption section article address br hr".split(
    " ",
  ),
)
const blocks = new Set(
  "body main header footer nav aside div form fieldset details summary dialog center menu hgroup search label legend option".split(
    " ",
  ),
)
const left = new Set("script style template noscript head link meta base title".split(" "))
const images = new Set("img picture svg video audio canvas iframe object embed".split(" "))
const maxVisible = 20_000

const styleAttributes = /(<[a-z][^<>]*?\s)(style\s*=)/gi

/**
 * Returns a page as a document. Its own styles are removed: they are not needed, and the console's
 * policy would report each.
 */
export function parsed(html: string): Document {
  const plain = withoutStyles(html).replace(styleAttributes, "$1data-$2")
  return new DOMParser().parseFromString(plain, "text/html")
}

function withoutStyles(html: string): string {
  const parts: string[] = []
  const start = /<style\b[^<>]*>/gi
  const end = /<\/style\s*>/gi
  let from = 0
  for (let match = start.exec(html); match; match = start.exec(html)) {
    end.lastIndex = start.lastIndex
    // If one end tag is missing, later ones are missing, too.
    if (!end.exec(html)) break
    parts.push(html.slice(from, match.index))
    from = end.lastIndex
    start.lastIndex = from
  }
  return parts.join("") + html.slice(from)
}

/**
 * Copies a page into a frame, as new elements of allowed kinds with their texts. Attributes of the
 * page are left out, except the spans of table cells, so that nothing is loaded, executed or
 * linked.
 */
export function visibleIn(frame: Document, page: Document): PageView {
  const visible = new Map<Element, Element>()
  const source = new Map<Node, Element>()
  const order: Element[] = []
  let isCut = false
  const waiting: [Node, Element][] = [[page.body, frame.body]]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [node, parent] = next
    if (node.nodeType === 3) parent.append((node.nodeValue ?? "").slice(0, 5_000))
    if (node.nodeType !== 1) continue
    const element = node as Element
    const tag = element.localName
    if (left.has(tag) || element.hasAttribute("hidden")) continue
    if (order.length >= maxVisible) {
      isCut = true
      break
    }
    const own = frame.createElement(stored.has(tag) ? tag : blocks.has(tag) ? "div" : "span")
    for (const name of ["colspan", "rowspan"]) {
      const width = element.getAttribute(name)
      if (width && /^\d{1,3}$/.test(width)) own.setAttribute(name, width)
    }
    parent.append(own)
    visible.set(element, own)
    source.set(own, element)
    order.push(element)
    if (tag === "a") own.className = "as-link"
    if (images.has(tag)) {
      own.className = "picture"
      own.textContent = element.getAttribute("alt")?.slice(0, 200) || `(${tag})`
    } else if (tag === "input" || tag === "textarea" || tag === "select") {
      own.className = "picture"
      own.textContent =
        element.getAttribute("value") || element.getAttribute("placeholder") || `(${tag})`
    } else {
      for (const child of [...element.childNodes].reverse()) waiting.push([child, own])
    }
  }
  return { page, visible, source, order, isCut }
}
