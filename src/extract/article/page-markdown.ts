import { baseUrl, countWords, upToSign, words } from "../core/index.ts"
import { toMarkdown } from "../markdown/index.ts"
import { isOwnHeading, pageHeading, plainText } from "../page/index.ts"
import { type MainContent, mainContent } from "./main-content.ts"
import { unshownProduct } from "./unshown-product.ts"

/** Returns a page as Markdown: its main content, or all of its visible content. */
export function pageMarkdown(document: Document, pageUrl: string, mainOnly: boolean) {
  const main = mainContent(document, pageUrl)
  const { pageType, isEmbedded } = main
  if (mainOnly) return { markdown: mainMarkdown(main, document, pageUrl), pageType }
  const visible = toMarkdown(document.body, baseUrl(document, pageUrl))
  const added = isEmbedded
    ? mainMarkdown(main, document, pageUrl)
    : unshownMarkdown({ root: document.body, pageType }, document, pageUrl)
  return { markdown: joined(visible, added), pageType }
}

/** Returns the main content with the parts of the product's description that are only in its data. */
export function mainMarkdown(main: MainContent, document: Document, pageUrl: string): string {
  const visible = toMarkdown(main.root, baseUrl(document, pageUrl))
  return joined(visible, unshownMarkdown(main, document, pageUrl))
}

function unshownMarkdown(
  main: Pick<MainContent, "root" | "pageType">,
  document: Document,
  pageUrl: string,
): string {
  const unshown = unshownProduct(document, pageUrl, main)
  return unshown ? toMarkdown(unshown, pageUrl) : ""
}

const joined = (visible: string, added: string) =>
  added === "" ? visible : `${visible}\n${added}`.trimStart()

/**
 * Returns Markdown under the page's own heading, which readers of the main content leave out because they
 * take it for the title. If the page has no heading, its title is used.
 */
export function withHeading(markdown: string, document: Document, title: string | null): string {
  const heading = pageHeading(document, title)
  if (heading === null) return withTitle(markdown, title)
  const wanted = plainText(heading)
  const [line] = markdown.split("\n", 1)
  if (/^# [^`\]]*(?:\][^(`]*)*$/.test(line!) && plainText(plain(line!)) === wanted) {
    return underHeading(heading, markdown.slice(line!.length).trimStart())
  }
  const isWritten = headingsIn(markdown).some((text) => plainText(text) === wanted)
  return isWritten || isOwnHeading(firstHeading(markdown), document)
    ? markdown
    : underHeading(heading, markdown)
}

/** Adds a first heading to Markdown that has none. */
export function withTitle(markdown: string, title: string | null): string {
  if (title === null || /^# \S/m.test(withoutCode(markdown))) return markdown
  return underHeading(title, markdown)
}

const underHeading = (heading: string, markdown: string) =>
  `# ${heading.replace(/([\\`*_[\]<])/g, "\\$1")}\n\n${markdown}`

const headingsIn = (markdown: string): string[] =>
  (withoutCode(markdown).match(/^#{1,6} .*$/gm) ?? []).map(plain)

/** Returns the first-level heading at the start of Markdown; "" if it starts with anything else. */
const firstHeading = (markdown: string): string => plain(/^# .*/.exec(markdown)?.[0] ?? "")

/** A heading without marks, images, and the URLs of links. */
const plain = (line: string): string =>
  line
    .replace(/^#+ /, "")
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,500}\)/g, "")
    .replace(/\]\([^)]{0,2000}\)/g, "]")
    .replace(/<\/?su[bp]>/g, "")

export interface MarkdownFigures {
  wordCount: number
  charCount: number
  /** A rule of thumb: four characters a token. */
  tokenEstimate: number
  linkCount: number
  imageCount: number
}

export function markdownFigures(markdown: string): MarkdownFigures {
  const prose = withoutCode(markdown)
  let images = 0
  for (const [, sign] of upToSign(prose, "![", /[\]\n]/)) {
    if (prose.startsWith("](", sign)) images++
  }
  const links = prose.match(/(?<!\\)\]\(/g)?.length ?? 0
  return {
    wordCount: countWords(withoutAddresses(markdown)),
    charCount: markdown.length,
    tokenEstimate: Math.ceil(markdown.length / 4),
    linkCount: links - images,
    imageCount: images,
  }
}

function withoutAddresses(markdown: string): string {
  const stored: string[] = []
  let at = 0
  for (const [start, sign] of upToSign(markdown, "](", /[)\s]/)) {
    if (start < at || markdown[sign] !== ")") continue
    stored.push(markdown.slice(at, start), "]")
    at = sign + 1
  }
  return stored.join("") + markdown.slice(at)
}

/** Markdown without its fenced blocks; an unclosed fence opens none. */
function withoutCode(markdown: string): string {
  const stored: string[] = []
  let fence = ""
  let opened = 0
  for (const line of markdown.split("\n")) {
    const text = line.trim()
    const marks = /^`{3,}/.exec(text)?.[0] ?? ""
    if (fence !== "" && marks === text && marks.length >= fence.length) {
      stored.length = opened
      fence = ""
      continue
    }
    if (fence === "" && marks !== "") {
      fence = marks
      opened = stored.length
    }
    stored.push(line)
  }
  return stored.join("\n")
}

/** A YAML block before Markdown. Unknown values are left empty. */
export function frontMatter(values: Record<string, string | null>): string {
  const lines = Object.entries(values).map(([name, value]) => `${name}:${yamlValue(value)}`)
  return `---\n${lines.join("\n")}\n---\n\n`
}

const needsQuotes = /[:#"'[\]{},&*!|>%@`\\\n]|^[\s?-]|\s$/
const looksLikeOther = new RegExp(
  `^(?:${words(
    "true|false|yes|no|on|off|null|~",
    String.raw`[-+]?\.?\d[\d_.eE+-]*|0[xo][\da-f]+|\d{4}-\d\d?-\d\d?.*|\.inf|\.nan`,
  )})$`,
  "i",
)

function yamlValue(value: string | null): string {
  if (value === null || value === "") return ""
  return needsQuotes.test(value) || looksLikeOther.test(value)
    ? ` ${JSON.stringify(value)}`
    : ` ${value}`
}
