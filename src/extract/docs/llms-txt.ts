import { words } from "../core/index.ts"
import { withoutSiteName } from "../page/index.ts"

/** The format of llms.txt (llmstxt.org, 2024). */

export interface LlmsPage {
  url: string
  title: string
  description: string | null
  markdown: string
}

export interface LlmsSection {
  name: string
  links: { title: string; url: string; description: string | null }[]
}

const optional = new RegExp(
  String.raw`^(?:${words(`
    legal|privacy|privacy-policy|terms|terms-of-service|terms-of-use|tos|cookies?|cookie-policy
    imprint|impressum|disclaimer|licen[cs]es?|changelog|release-notes|releases|archives?
    careers|jobs
  `)})(?:\.\w+)?$`,
  "i",
)

/** Sections that readers look for first, in this order. */
const leading = [
  /^(?:docs?|documentation|guides?|user-guide|learn|tutorials?|manual|help|handbook|kb)$/i,
  /^(?:api|apis|reference|api-reference|developers?|dev|dev-guide|sdk)$/i,
  /^(?:blog|news|articles?|posts|stories|magazine)$/i,
  /^(?:products?|features?|solutions?|pricing|plans|shop|store)$/i,
  /^(?:about|about-us|company|team|contact|who-we-are)$/i,
]

const singles = "Pages"
const optionalName = "Optional"

/** Groups pages by the first part of their path below the site's; names come from its navigation. */
export function groupPages(
  pages: readonly LlmsPage[],
  siteUrl: string,
  labels: ReadonlyMap<string, string>,
): LlmsSection[] {
  const groups = new Map<string, LlmsPage[]>()
  for (const page of pages) {
    const part = firstPart(page.url, siteUrl)
    const parts = new URL(page.url).pathname.split("/").filter(Boolean)
    const key = parts.some((name) => optional.test(name)) ? optionalName : part
    const group = groups.get(key)
    if (group) group.push(page)
    else groups.set(key, [page])
  }
  const sections: (LlmsSection & { rank: number })[] = []
  const single: LlmsPage[] = []
  for (const [part, group] of groups) {
    if (part === optionalName) continue
    if (group.length === 1) single.push(group[0]!)
    else sections.push({ name: nameOf(part, labels), links: group.map(linkOf), rank: rankOf(part) })
  }
  sections.sort((a, b) => a.rank - b.rank)
  if (single.length > 0) sections.push({ name: singles, links: single.map(linkOf), rank: 0 })
  const last = groups.get(optionalName)
  if (last) sections.push({ name: optionalName, links: last.map(linkOf), rank: 0 })
  return sections.map(({ name, links }) => ({ name, links }))
}

function firstPart(url: string, siteUrl: string): string {
  const base = new URL(siteUrl).pathname
  const path = new URL(url).pathname
  const rest = path.startsWith(base) ? path.slice(base.length) : path.slice(1)
  return rest.split("/")[0] ?? ""
}

function rankOf(part: string): number {
  const rank = leading.findIndex((form) => form.test(part))
  return rank < 0 ? leading.length : rank
}

function nameOf(part: string, labels: ReadonlyMap<string, string>): string {
  const label = labels.get(part)
  if (label) return label
  const words = part
    .replace(/\.\w+$/, "")
    .split(/[-_+\s]|%20/)
    .filter(Boolean)
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join(" ")
  return /^(?:api|apis|faq|sdk|cli|kb)$/i.test(name) ? name.toUpperCase() : name || singles
}

const linkOf = ({ title, url, description }: LlmsPage) => ({ title, url, description })

/** The file: name, summary, and the sections with their links. */
export function writeLlmsTxt(title: string, description: string, sections: LlmsSection[]): string {
  const head = [`# ${oneLine(title)}`, ...(description === "" ? [] : [`> ${oneLine(description)}`])]
  const body = sections.map(({ name, links }) => {
    const lines = links.map((link) => {
      const notes = link.description ? `: ${oneLine(link.description)}` : ""
      return `- [${oneLine(link.title).replace(/[[\]]/g, "\\$&")}](${link.url})${notes}`
    })
    return `## ${oneLine(name)}\n\n${lines.join("\n")}`
  })
  return `${[...head, ...body].join("\n\n")}\n`
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim()

/** The Markdown of all pages in one file, cut to a number of characters. */
export function writeLlmsFull(
  title: string,
  pages: readonly LlmsPage[],
  maxCharacters: number,
): { text: string; truncated: boolean } {
  const parts = pages.map(
    (page) => `## ${oneLine(page.title)}\n\nSource: ${page.url}\n\n${page.markdown.trim()}`,
  )
  const text = `${[`# ${oneLine(title)}`, ...parts].join("\n\n")}\n`
  const truncated = text.length > maxCharacters
  return { text: truncated ? text.slice(0, maxCharacters) : text, truncated }
}

/** The part that the titles of most pages end with; null if they share none. */
export function sharedTitlePart(titles: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const title of titles) {
    const parts = title.split(/(?<!\s)\s+[|\-–—·•:»]\s+/)
    if (parts.length < 2) continue
    for (const part of new Set([parts[0]!, parts.at(-1)!])) {
      counts.set(part, (counts.get(part) ?? 0) + 1)
    }
  }
  const [part, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0]
  return count >= 2 && count > titles.length / 2 ? part : null
}

/** A page's title without the site's name at either end. */
export function pageTitle(title: string, siteTitle: string, pageUrl: string): string {
  const cut = withoutSiteName(title, siteTitle, pageUrl)
  const front = /^(\S.*?)\s+[|\-–—·•:»]\s+(\S.*)$/s.exec(cut)
  return front && front[1]!.toLowerCase() === siteTitle.toLowerCase() ? front[2]! : cut
}

const descriptionChars = 160

/** The first sentence of a text, short enough for a list. */
export function firstSentence(text: string): string | null {
  const line = text.split("\n").find((row) => row.trim().length >= 40) ?? text.split("\n")[0] ?? ""
  const sentence = /^.+?[.!?。！？](?=\s|$)/s.exec(line.trim())?.[0] ?? line.trim()
  return shortened(sentence)
}

export function shortened(text: string): string | null {
  const line = oneLine(text)
  if (line === "") return null
  if (line.length <= descriptionChars) return line
  return `${line.slice(0, descriptionChars - 1).replace(/\s+\S*$/, "")}…`
}
