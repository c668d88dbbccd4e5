import { escapeHtml, htmlPage } from "../http/page.ts"
import { guidePages, parts } from "./guide-pages.ts"

interface Section {
  page: string
  title: string
  /** Text of the heading; null for the text before the first heading. */
  heading: string | null
  text: string
  lowerCase: string
}

/** Returns the HTML of a page. `base` is the public path prefix of the service. */
export function guideHtml(name: string, base: string): string {
  const text = guidePages[name]!
  const html = withServedLinks(Bun.markdown.html(text, { headings: { ids: true } }), base)
  const contents = [...html.matchAll(/<h2 id="([^"]+)">([\s\S]*?)<\/h2>/g)]
    .map(([, id, heading]) => `<li><a href="#${id}">${heading!.replace(/<[^>]+>/g, "")}</a></li>`)
    .join("\n")
  const onThisPage =
    contents === ""
      ? ""
      : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${contents}</ul></nav>`
  return layout({ title: titleOf(name), name, base, onThisPage }, html)
}

const maxResults = 30

/** Returns the stem of an English word: "retries", "retry" and "retried" have the same. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|ied|ing|ed|es|s|y)$/, "")
  return stem.length < minStem ? word : stem
}
const minStem = 4

/** Returns the page with the sections that contain every word of a query, best first. */
export function searchHtml(query: string, base: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
  const results =
    words.length === 0
      ? []
      : sections()
          .filter(({ lowerCase }) => words.every((word) => lowerCase.includes(stemOf(word))))
          .sort((a, b) => scoreOf(b, words) - scoreOf(a, words))
  const list = results.slice(0, maxResults).map((section) => resultHtml(section, words, base))
  const summary =
    results.length === 0
      ? "No section contains all of these words. Try fewer words, or choose a page."
      : `${results.length} section${results.length === 1 ? "" : "s"}${results.length > maxResults ? `, the first ${maxResults} are shown` : ""}`
  const body = `<h1>Search: ${escapeHtml(query)}</h1>
<p>${summary}</p>
<ul>${list.join("\n")}</ul>`
  return layout({ title: "Search", name: "", base, onThisPage: "", query }, body)
}

/**
 * Ranks matches in headings first, then titles, then short sections. Generated lists of scrapers
 * come last.
 */
function scoreOf({ page, title, heading, lowerCase }: Section, words: readonly string[]): number {
  const isList = page.startsWith("scrapers-")
  return (
    matchOf(heading, words) * 8 +
    matchOf(title, words) * 4 -
    lowerCase.length / 10_000 -
    (isList ? 20 : 0)
  )
}

/** Returns how many of the words a text contains; a part of a word counts half. */
function matchOf(text: string | null, words: readonly string[]): number {
  const lowerCase = (text ?? "").toLowerCase()
  const whole = new Set(lowerCase.match(/[\p{L}\p{N}_]+/gu))
  const partsOf = (word: string) =>
    whole.has(word) ? 1 : lowerCase.includes(stemOf(word)) ? 0.5 : 0
  return words.reduce((sum, word) => sum + partsOf(word), 0)
}

function resultHtml(
  { page, title, heading, text }: Section,
  words: string[],
  base: string,
): string {
  const anchor = heading === null ? "" : `#${anchorOf(heading)}`
  const label = heading === null ? title : `${title}: ${heading}`
  const plain = text
    .replace(/^\s*(?:-|#+|\d+\.) |\||<!--[\s\S]*?-->/gm, " ")
    .replace(/[`*]|\]\([^)]*\)|\[/g, "")
    .replace(/\s+/g, " ")
  const match = plain.toLowerCase().indexOf(stemOf(words[0]!))
  // Whole words only.
  const at = match < 60 ? 0 : plain.indexOf(" ", match - 60) + 1
  const excerpt = plain.slice(at, plain.lastIndexOf(" ", at + 180)).trim()
  return `<li><a href="${urlOf(page, base)}${anchor}">${escapeHtml(label)}</a><br><small>${escapeHtml(excerpt)} …</small></li>`
}

let cached: Section[] | undefined

function sections(): Section[] {
  cached ??= Object.entries(guidePages).flatMap(([page, markdown]) =>
    markdown.split(/^(?=## )/m).map((text) => {
      const heading = /^## (.+)/.exec(text)?.[1] ?? null
      const title = titleOf(page)
      return { page, title, heading, text, lowerCase: `${title}\n${text}`.toLowerCase() }
    }),
  )
  return cached
}

/** The anchor that Bun.markdown generates for a heading. */
function anchorOf(heading: string): string {
  return (
    /id="([^"]+)"/.exec(Bun.markdown.html(`## ${heading}`, { headings: { ids: true } }))?.[1] ?? ""
  )
}

const titleOf = (name: string) => /^# (.+)$/m.exec(guidePages[name]!)?.[1] ?? "Guide"

const urlOf = (name: string, base: string) =>
  `${base}/docs/guide${name === "index" ? "" : `/${name}`}`

interface Layout {
  title: string
  name: string
  base: string
  onThisPage: string
  query?: string
}

function layout({ title, name, base, onThisPage, query = "" }: Layout, body: string): string {
  const link = (page: string) =>
    `<li><a href="${urlOf(page, base)}"${page === name ? ' aria-current="page"' : ""}>${escapeHtml(titleOf(page))}</a></li>`
  const pages = parts
    .map((part) => `<p>${part.title}</p><ul>${Object.keys(part.pages).map(link).join("\n")}</ul>`)
    .join("\n")
  const search = `<form action="${base}/docs/guide" role="search"><input name="q" type="search" maxlength="200" value="${escapeHtml(query)}" placeholder="Search the guide" aria-label="Search the guide"></form>`
  const navigation = `<nav class="pages" id="pages" aria-label="Guide"><ul>${link("index")}</ul>${pages}</nav>${onThisPage}`
  const toPages = `<p class="to-pages"><a href="#pages">All pages of the guide</a></p>\n`
  return htmlPage(
    { title: `${title} · Trawl`, base, guide: { search, navigation } },
    toPages + body,
  )
}

/** Links between files become links between served pages. */
function withServedLinks(html: string, base: string): string {
  const pictures = html.replaceAll('src="../../pictures/', `src="${base}/docs/guide/pictures/`)
  return pictures.replace(
    /href="(?:(?:\.\.\/)?(?:[a-z]+\/)?([\w-]+)\.md)?(\/?[^":]*)"/g,
    (_, page: string | undefined, rest: string) =>
      page === undefined
        ? `href="${rest.startsWith("/") ? base : ""}${rest}"`
        : `href="${urlOf(page, base)}${rest}"`,
  )
}
