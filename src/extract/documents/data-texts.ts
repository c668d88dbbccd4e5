import { parse } from "csv-parse/sync"
import { readFeed } from "../feed/index.ts"
import {
  escaped,
  factsOf,
  nestedTooDeep,
  plainFacts,
  type ReadDocument,
  tableHtml,
  UnreadableDocument,
  unreadable,
} from "./pages/document-page.ts"

const maxRows = 100_000

/** Reads delimited text as a table; the delimiter is the most frequent one of the first lines. */
export function readCsv(text: string, delimiter?: string): ReadDocument {
  try {
    const rows: string[][] = parse(text, {
      bom: true,
      delimiter: delimiter ?? likelyDelimiter(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: maxRows + 1,
    })
    if (rows.length > maxRows) {
      throw new UnreadableDocument("The table has more than 100,000 rows.", "too_large")
    }
    const cells = rows.map((row) => row.map((cell) => escaped(cell.trim()).replace(/\n/g, "<br>")))
    return { metadata: {}, parts: [tableHtml(cells) ?? ""], facts: plainFacts }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw unreadable("The table cannot be read: its quotes or columns are broken.")
  }
}

function likelyDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, "")
    .split("\n", 20)
  const score = (sign: string) => {
    const counts = lines.filter((line) => line.trim() !== "").map((line) => line.split(sign).length)
    return Math.min(...counts)
  }
  const signs = [",", ";", "\t", "|"]
  return signs.reduce((best, sign) => (score(sign) > score(best) ? sign : best))
}

/** Maximum depth, because each level indents its lines further. */
const maxDepth = 500

export function readJson(text: string): ReadDocument {
  if (depthOf(text) > maxDepth) throw nestedTooDeep()
  let written = text.trim()
  try {
    written = JSON.stringify(JSON.parse(written), null, 2)
  } catch {
    // JSON Lines, or with comments: as it is written.
  }
  return codePage(written, "json")
}

/** Returns the depth of JSON, up to slightly more than the maximum. */
function depthOf(text: string): number {
  let [depth, deepest, isText] = [0, 0, false]
  for (let at = 0; at < text.length && deepest <= maxDepth; at++) {
    const sign = text[at]!
    if (isText && sign === "\\") at++
    else if (sign === '"') isText = !isText
    else if (!isText && "[{".includes(sign)) deepest = Math.max(deepest, ++depth)
    else if (!isText && "]}".includes(sign)) depth--
  }
  return deepest
}

export const readText = (text: string): ReadDocument => codePage(text, "")

function codePage(text: string, language: string): ReadDocument {
  const named = language === "" ? "" : ` class="language-${language}"`
  const html = `<pre><code${named}>${escaped(text)}</code></pre>`
  return { metadata: {}, parts: [html], facts: plainFacts }
}

/** Reads a feed as a page: its entries with their links, dates and texts. */
export function readFeedPage(text: string, url: string): ReadDocument {
  const feed = readFeed(text, url)
  if (!feed) throw unreadable("The feed cannot be read.")
  const isCut =
    text.trimStart().startsWith("<") && !/<\/(?:[\w-]{1,20}:)?(?:rss|feed|rdf)\s*>/i.test(text)
  const entries = [...feed.entries()].map((entry) => {
    const title = escaped(entry.title ?? entry.url ?? "")
    const linked = entry.url ? `<a href="${escaped(entry.url)}">${title}</a>` : title
    const about = [entry.publishedAt, entry.author].filter(Boolean).join(" · ")
    return [
      `<h2>${linked}</h2>`,
      about ? `<p>${escaped(about)}</p>` : "",
      entry.content ?? `<p>${escaped(entry.summary ?? "")}</p>`,
    ].join("\n")
  })
  const { title, description, author, language, updated } = feed
  const head = [
    title ? `<h1>${escaped(title)}</h1>` : "",
    description ? `<p>${escaped(description)}</p>` : "",
  ]
  return {
    metadata: { title, description, author, language, modifiedAt: updated },
    parts: [[...head, ...entries].join("\n")],
    facts: { ...factsOf(isCut), pageCount: entries.length, pagesRead: entries.length },
  }
}
