/**
 * Cuts and spans in one pass. A regular expression with a lazy middle takes quadratic time on a page with
 * many openings and no ending.
 */

/** Removes the text between two marks, with the marks; text after a mark that is never closed stays. */
export function cutBetween(text: string, open: string, close: string): string {
  if (!text.includes(open)) return text
  const stored: string[] = []
  let at = 0
  for (const [start, end] of spansBetween(text, open, close)) {
    stored.push(text.slice(at, start))
    at = end
  }
  stored.push(text.slice(at))
  return stored.join("")
}

/** Yields the start and end of each part between two marks, marks included. */
export function* spansBetween(
  text: string,
  open: string,
  close: string,
): Generator<[start: number, end: number]> {
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const inner = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (inner < 0) return
    at = inner + close.length
    yield [start, at]
  }
}

/** Cuts out the elements of these names with their content; those that are never closed stay. */
export function cutElements(html: string, names: readonly string[]): string {
  const opening = new RegExp(`<(${names.join("|")})\\b`, "gi")
  const unclosed = new Set<string>()
  const stored: string[] = []
  let at = 0
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const name = match[1]!.toLowerCase()
    if (unclosed.has(name)) continue
    const closing = new RegExp(`</${name}\\s*>`, "gi")
    closing.lastIndex = opening.lastIndex
    if (!closing.test(html)) {
      unclosed.add(name)
      continue
    }
    stored.push(html.slice(at, match.index))
    at = closing.lastIndex
    opening.lastIndex = at
  }
  return at === 0 ? html : stored.join("") + html.slice(at)
}

/** Removes tags: `<` and at least one character up to the next `>`. */
export function cutTags(html: string): string {
  const stored: string[] = []
  let at = 0
  for (let start = html.indexOf("<"); start >= 0; start = html.indexOf("<", start)) {
    const end = html.indexOf(">", start)
    if (end < 0) break
    if (end === start + 1) {
      start = end
      continue
    }
    stored.push(html.slice(at, start))
    start = at = end + 1
  }
  return at === 0 ? html : stored.join("") + html.slice(at)
}

/** Removes spaces and tabs at line ends. Each run is tried only from its beginning. */
export const trimLineEnds = (text: string) => text.replace(/(?<![ \t])[ \t]+$/gm, "")

/**
 * Yields the position of each `open`, and of the first of some signs after it, or the length of the
 * text if none follows.
 */
export function* upToSign(
  text: string,
  open: string,
  signs: RegExp,
): Generator<[start: number, sign: number]> {
  const next = new RegExp(signs, "g")
  let sign = -1
  for (let start = text.indexOf(open); start >= 0; start = text.indexOf(open, start + 1)) {
    const inner = start + open.length
    if (sign < inner) {
      next.lastIndex = inner
      sign = next.exec(text)?.index ?? text.length
    }
    yield [start, sign]
  }
}
