import type { Visible } from "./shown.ts"
import { termOf } from "./terms/terms.ts"
import type { Candidate } from "./things.ts"

/** Words in URLs of pages about one author or brand: `/author/ada-byron`, `/brand/northwind?from=list`. */
const pagesAbout: Record<string, RegExp> = {
  author: /^[^?#]*?\/(authors?|autore?s?|auteurs?|bylines?|redakteure?)\/[^/?#]+/i,
  brand:
    /^[^?#]*?\/(brands?|marcas?|marchi|marken?|marques?|merken?|producent|manufacturers?)\/[^/?#]+/i,
}
const maxLinks = 2000
const maxName = 80
/** In characters: maximum distance of an author above the heading. */
const maxAbove = 400

/** A line that names the author, and no more than the day. */
const byline =
  /^(?:(?:written|posted|published|geschrieben|escrito|publicado|scritto|rédigé|publié)\s+)?(?:by|von|par|por|di|door|av|af)[\s:]+(?:\p{Lu}[\p{L}.'’-]*)(?:\s(?:(?:de|del|der|den|di|da|du|la|le|van|von|bin|ter)\s){0,2}\p{Lu}[\p{L}.'’-]*){1,3}(?:\s*[|•·,–-].{0,40})?$/iu
/** Lines above and below the heading that may be the byline. */
const [linesAbove, linesBelow] = [2, 6]

/** Yields the name in a link to the page of an author or brand, next to the page's heading. */
export function* nearLinks(name: string, visible: Visible): Generator<Candidate> {
  const url = Object.entries(pagesAbout).find(([term]) => isNamed(name, term))?.[1]
  if (!url) return
  const top = topOf(visible)
  const links = visible.links
    .slice(0, maxLinks)
    .filter(({ value, from, to }) => url.test(value) && to > from && to - from <= maxName)
    .filter(({ from }) => from > top - maxAbove)
  const link = links.find(({ from }) => from >= top) ?? links.at(-1)
  // A role follows the name: `Ada Byron, Editor`.
  const raw = link && visible.line(link)?.split(/[,|]/, 1)[0]
  if (raw) yield { raw, source: "markup", at: url.exec(link.value)![1]! }
}

/** Yields the line next to the page's heading that begins with a word such as "by". */
export function* bylines(name: string, visible: Visible): Generator<Candidate> {
  if (!isNamed(name, "author")) return
  const top = topOf(visible)
  const above = visible.text.slice(Math.max(0, top - maxAbove), top).split("\n")
  const below = visible.text.slice(top, top + maxAbove * 4).split("\n")
  const written = (lines: string[]) =>
    lines.map((line) => line.trim()).filter((line) => line !== "")
  for (const line of [
    ...written(below).slice(0, linesBelow),
    ...written(above).slice(-linesAbove),
  ]) {
    if (line.length <= maxName && byline.test(line)) yield { raw: line, source: "block", at: "by" }
  }
}

const isNamed = (name: string, term: string) => termOf(name)?.names[0] === termOf(term)!.names[0]

/** Returns the start of the page's heading. */
const topOf = ({ headings }: Visible) =>
  (headings.find(({ level }) => level === 1) ?? headings[0])?.from ?? 0
