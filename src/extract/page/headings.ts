import { absoluteUrl, foldSpace, isPermalink, isUnseen } from "../core/index.ts"

export interface Heading {
  level: number
  text: string
  /** The fragment that leads to it. */
  id: string | null
}

/** The headings of an element down to a level, in order; signs that link to them are left out. */
export function readHeadings(root: ParentNode, deepest: number): Heading[] {
  const headings: Heading[] = []
  for (const element of root.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Number(element.localName[1])
    const text = headingText(element)
    if (level > deepest || text === "" || isUnseen(element)) continue
    headings.push({ level, text, id: headingId(element) })
  }
  return headings
}

/** The text of a heading without the sign that links to it. */
export function headingText(heading: Element): string {
  const parts: string[] = []
  collect(heading, parts)
  return foldSpace(parts.join(""))
}

function collect(parent: Node, parts: string[]): void {
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) parts.push(child.nodeValue ?? "")
    if (child.nodeType !== 1) continue
    const element = child as Element
    if (element.localName === "br") parts.push(" ")
    if (!isPermalink(element) && !isUnseen(element)) collect(element, parts)
  }
}

function headingId(heading: Element): string | null {
  const id = heading.id || heading.querySelector("[id]")?.id
  if (id) return id
  const href = heading.querySelector('a[href^="#"]')?.getAttribute("href")
  return href && href.length > 1
    ? href.slice(1)
    : (heading.querySelector("a[name]")?.getAttribute("name") ?? null)
}

/** The URL of a heading on its page. */
export function headingUrl(heading: Heading, pageUrl: string): string | null {
  return heading.id === null ? null : absoluteUrl(`#${heading.id}`, pageUrl)
}
