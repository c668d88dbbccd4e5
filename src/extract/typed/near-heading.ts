import type { Visible } from "./shown.ts"
import { termOf } from "./terms/terms.ts"
import type { Candidate } from "./things.ts"

/** URLs of pages about one author: `/author/ada-byron`, `/autor/ada-byron_7617`. */
const ofAuthor = /^[^?#]*?\/(authors?|autore?s?|auteurs?|bylines?|redakteure?)\/[^/?#]+/i
const maxLinks = 2000
const maxName = 80
/** In characters: maximum distance of an author from the heading. */
const [maxAbove, maxBelow] = [400, 1600]

/** A line that names the author, and no more than the day. */
const byline =
  /^(?:\p{L}{5,11}\s+)?(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)[\s:]+(?:\p{Lu}[\p{L}.'’-]*)(?:\s(?:(?:de|del|der|den|di|da|du|la|le|van|von|bin|ter)\s){0,2}\p{Lu}[\p{L}.'’-]*){1,3}(?:\s*[|•·,–-].{0,40})?$/u
/** Lines above and below the heading that may be the byline. */
const [linesAbove, linesBelow] = [2, 6]

/** Yields the name in a link to the author's page, next to the page's heading. */
export function* authorLinks(name: string, visible: Visible): Generator<Candidate> {
  if (!isAuthor(name)) return
  const top = topOf(visible)
  const links = visible.links
    .slice(0, maxLinks)
    .filter(({ value, from, to }) => ofAuthor.test(value) && to > from && to - from <= maxName)
    .filter(({ from }) => from > top - maxAbove && from < top + maxBelow)
  const link = links.find(({ from }) => from >= top) ?? links.at(-1)
  // A role follows the name: `Ada Byron, Editor`.
  const raw = link && visible.line(link)?.split(/[,|]/, 1)[0]
  if (raw) yield { raw, source: "markup", at: ofAuthor.exec(link.value)![1]! }
}

/** Yields the line next to the page's heading that begins with a word such as "by". */
export function* bylines(name: string, visible: Visible): Generator<Candidate> {
  if (!isAuthor(name)) return
  const top = topOf(visible)
  const above = visible.text.slice(Math.max(0, top - maxAbove), top).split("\n")
  const below = visible.text.slice(top, top + maxBelow).split("\n")
  const written = (lines: string[]) =>
    lines.map((line) => line.trim()).filter((line) => line !== "")
  for (const line of [
    ...written(below).slice(0, linesBelow),
    ...written(above).slice(-linesAbove),
  ]) {
    if (line.length <= maxName && byline.test(line)) yield { raw: line, source: "block", at: "by" }
  }
}

const isAuthor = (name: string) => termOf(name)?.names[0] === termOf("author")!.names[0]

/** Returns the start of the page's heading. */
const topOf = ({ headings }: Visible) =>
  (headings.find(({ level }) => level === 1) ?? headings[0])?.from ?? 0
