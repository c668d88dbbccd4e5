import { hasSpaceless } from "./words.ts"

/** Finding words and phrases in a text, as a reader would count them. */

const maxMatches = 10_000
const snippetReachChars = 80
const wordCharacter = /[\p{L}\p{M}\p{N}]/u

/** A text made comparable: composed, soft hyphens gone, white space folded, typographic signs plain. */
function comparable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
}

/** Lower case, character by character, so that positions stay the same ("İ" would become two). */
function lowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  let folded = ""
  for (const char of text) {
    const lower = char.toLowerCase()
    folded += lower.length === char.length ? lower : char
  }
  return folded
}

/** A text prepared once for many keywords. */
export class SearchedText {
  private readonly visible: string
  private readonly searched: string

  constructor(
    text: string,
    private readonly caseSensitive: boolean,
  ) {
    this.visible = text
      .normalize("NFC")
      .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
      .replace(/\s+/g, " ")
      .trim()
    const plain = comparable(text)
    this.searched = caseSensitive ? plain : lowerCase(plain)
  }

  /** Returns the positions of a keyword, in order, without overlaps, and not within a longer word. */
  find(keyword: string): number[] {
    const written = comparable(unquoted(keyword))
    const wanted = this.caseSensitive ? written : lowerCase(written)
    if (wanted === "") return []
    const startsWord = hasEdge([...wanted][0]!)
    const endsWord = hasEdge([...wanted].at(-1)!)
    const positions: number[] = []
    let from = 0
    while (positions.length < maxMatches) {
      const at = this.searched.indexOf(wanted, from)
      if (at < 0) break
      const end = at + wanted.length
      const whole =
        !(startsWord && wordCharacter.test(before(this.searched, at))) &&
        !(endsWord && wordCharacter.test(after(this.searched, end)))
      if (whole) positions.push(at)
      from = whole ? end : at + 1
    }
    return positions
  }

  /** Returns a match with the words around it; `…` marks a cut. */
  snippet(at: number, keyword: string): string {
    const length = comparable(unquoted(keyword)).length
    let start = Math.max(0, at - snippetReachChars)
    let end = Math.min(this.visible.length, at + length + snippetReachChars)
    if (start > 0) start = Math.min(at, nextBreak(this.visible, start))
    if (end < this.visible.length) end = Math.max(at + length, lastBreak(this.visible, end))
    const text = this.visible.slice(start, end).trim()
    return `${start > 0 ? "…" : ""}${text}${end < this.visible.length ? "…" : ""}`
  }
}

/** `"a phrase"` is the phrase without its quotes. */
const unquoted = (keyword: string) => /^\s*"(.+)"\s*$/s.exec(keyword)?.[1] ?? keyword

const hasEdge = (char: string) => wordCharacter.test(char) && !hasSpaceless.test(char)

function before(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  return code >= 0xdc00 && code <= 0xdfff
    ? text.slice(at - 2, at)
    : text.slice(Math.max(0, at - 1), at)
}

const after = (text: string, end: number) =>
  end < text.length ? String.fromCodePoint(text.codePointAt(end)!) : ""

const maxWordChars = 30

function nextBreak(text: string, from: number): number {
  const at = text.indexOf(" ", from)
  return at < 0 || at - from > maxWordChars ? from : at + 1
}

function lastBreak(text: string, to: number): number {
  const at = text.lastIndexOf(" ", to)
  return at < 0 || to - at > maxWordChars ? to : at
}
