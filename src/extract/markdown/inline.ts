import { zeroWidth } from "../core/index.ts"
import {
  bracketsPair,
  escapeLineStart,
  escapeText,
  isPunctuation,
  isSpace,
  linkDestination,
} from "./escape.ts"

export type Mark = "*" | "**" | "~~"

/** Line separators: a hard break in paragraphs, `<br>` in cells, a space in headings. */
export type LineBreak = "\\\n" | "<br>" | " "

interface Pair {
  /** Empty for a link. */
  mark: Mark | ""
  href: string
  open: number
  close: number
  dropped: boolean
  unpaired?: boolean
}

type Part =
  | { kind: "text"; text: string }
  /** Written as it is: code spans, images, HTML. */
  | { kind: "raw"; text: string }
  | { kind: "break" }
  | { kind: "open" | "close"; pair: Pair }

/** What is not written as it is; few texts have any of it. */
const uneven = / {2}|[^\S ]|[\p{Cc}\u00ad\u200b\u2060]/u

/**
 * Collects the inline content of one block: collapses white space across elements, moves it out of
 * emphasis, and writes delimiters only if CommonMark reads them as such.
 */
export class Inline {
  private parts: Part[] = []
  private readonly stack: Pair[] = []
  /** Opened, but still empty; dropped if nothing follows. */
  private waiting: Pair[] = []
  private space = false
  private hasContent = false

  constructor(private readonly lineBreak: LineBreak = "\\\n") {}

  get empty(): boolean {
    return !this.hasContent
  }

  text(value: string): void {
    const folded = uneven.test(value)
      ? value.replace(zeroWidth, "").replace(/[\s\p{Cc}]+/gu, " ")
      : value
    const trimmed = folded.trim()
    if (folded.startsWith(" ")) this.space = true
    if (trimmed === "") return
    this.content()
    const last = this.parts.at(-1)
    if (last?.kind === "text") last.text += trimmed
    else this.parts.push({ kind: "text", text: trimmed })
    this.space = folded.endsWith(" ")
  }

  raw(text: string): void {
    this.content()
    this.parts.push({ kind: "raw", text })
  }

  /** An empty line between two breaks ends the paragraph, which is for the caller to do. */
  break(): "line" | "paragraph" {
    const last = this.parts.at(-1)
    this.space = false
    if (last?.kind === "break") return "paragraph"
    if (this.hasContent) this.parts.push({ kind: "break" })
    return "line"
  }

  folds(): void {
    this.space = true
  }

  open(mark: Mark | "", href = ""): void {
    const pair: Pair = { mark, href, open: -1, close: -1, dropped: false }
    this.stack.push(pair)
    if (this.isActive(pair)) pair.dropped = true
    else this.waiting.push(pair)
  }

  /** Emphasis within the same emphasis, and a link within a link, are redundant. */
  private isActive(pair: Pair): boolean {
    return this.stack.some((other) => other !== pair && other.mark === pair.mark && !other.dropped)
  }

  /** The URL of an open link that nothing was written in yet, for another line to use. */
  readLink(): string | null {
    const link = this.waiting.find((pair) => pair.mark === "")
    if (!link) return null
    link.dropped = true
    this.waiting = this.waiting.filter((pair) => pair !== link)
    return link.href
  }

  close(): void {
    const pair = this.stack.pop()!
    if (pair.dropped) return
    const index = this.waiting.indexOf(pair)
    if (index >= 0) this.waiting.splice(index, 1)
    else this.closePair(pair)
  }

  private closePair(pair: Pair): void {
    const last = this.parts.at(-1)
    const broken = last?.kind === "break"
    if (broken) this.parts.pop()
    pair.close = this.parts.length
    this.parts.push({ kind: "close", pair })
    if (broken) this.parts.push(last)
  }

  /** Before anything is written: the space and the marks that wait for it. */
  private content(): void {
    if (this.space && this.hasContent && this.parts.at(-1)?.kind !== "break") {
      this.appendSpace()
    }
    this.space = false
    this.hasContent = true
    for (const pair of this.waiting) {
      const last = this.parts.at(-1)
      if (last?.kind === "close" && pair.mark !== "" && last.pair.mark === pair.mark) {
        this.parts.pop()
        this.adopt(pair, last.pair)
        continue
      }
      pair.open = this.parts.length
      this.parts.push({ kind: "open", pair })
    }
    this.waiting = []
  }

  /** Two alike marks that touch become one. */
  private adopt(pair: Pair, closed: Pair): void {
    pair.open = closed.open
    this.parts[closed.open] = { kind: "open", pair }
  }

  private appendSpace(): void {
    const last = this.parts.at(-1)
    if (last?.kind === "text") last.text += " "
    else this.parts.push({ kind: "text", text: " " })
  }

  /** Returns the collected Markdown; open marks continue in the next block. */
  take(): string {
    const reopened = this.stack.filter((pair) => !pair.dropped && pair.open >= 0)
    for (const pair of reopened.toReversed()) this.closePair(pair)
    while (this.parts.at(-1)?.kind === "break") this.parts.pop()
    const text = this.hasContent ? this.write() : ""
    this.parts = []
    this.space = false
    this.hasContent = false
    for (const pair of this.stack) {
      // One link on the first block of several is enough.
      if (pair.mark === "" && pair.open >= 0) pair.dropped = true
      pair.open = pair.close = -1
    }
    this.waiting = this.stack.filter((pair) => !pair.dropped)
    return text
  }

  private write(): string {
    this.dropUnreadable()
    const strings: string[] = []
    let link: Pair | null = null
    let rawBefore = ""
    this.parts.forEach((part, index) => {
      if (part.kind === "open" && isLink(part.pair)) link = part.pair
      const written = this.writePart(part, index, link)
      if (written === "") return
      const raw = part.kind === "raw" ? written : ""
      // Code spans side by side would be read as one.
      if (raw.startsWith("`") && rawBefore.endsWith("`")) strings.push(" ")
      strings.push(written)
      rawBefore = raw
      if (part.kind === "close" && part.pair === link) link = null
    })
    const text = strings.join("").trim()
    if (this.lineBreak !== "\\\n") return text
    return text
      .split("\n")
      .map((line) => escapeLineStart(line.trimStart()))
      .join("\n")
  }

  private writePart(part: Part, index: number, link: Pair | null): string {
    switch (part.kind) {
      case "text":
        return escapeText(part.text, {
          before: this.neighbour(index, -1),
          after: this.neighbour(index, 1),
          inTable: this.lineBreak === "<br>",
          escapeBrackets: link !== null && this.isUnpaired(link),
          inLink: link !== null,
          linkFollows: this.startsLink(index + 1),
        })
      case "raw":
        return part.text
      case "break":
        return this.lineBreak
      case "open":
        return part.pair.dropped ? "" : part.pair.mark || "["
      case "close":
        if (part.pair.dropped) return ""
        return part.pair.mark || `](${linkDestination(part.pair.href)})`
    }
  }

  /** The first or last character next to a part, skipping marks of the same kind. */
  private neighbour(index: number, step: 1 | -1, mark?: Mark): string {
    for (let at = index + step; ; at += step) {
      const part = this.parts[at]
      if (!part || part.kind === "break") return ""
      if (part.kind === "text" || part.kind === "raw") {
        const text = part.text
        if (text === "") continue
        return step > 0 ? String.fromCodePoint(text.codePointAt(0)!) : lastCharacter(text)
      }
      if (part.pair.dropped) continue
      if (part.pair.mark === "") return part.kind === "open" ? "[" : step > 0 ? "]" : ")"
      if (mark === undefined || part.pair.mark[0] !== mark[0]) return part.pair.mark[0]!
    }
  }

  /** Takes out emphasis that CommonMark would not read as such, as in `**(a)**b`. */
  private dropUnreadable(): void {
    for (const part of this.parts) {
      if (part.kind !== "open" || part.pair.mark === "" || part.pair.dropped) continue
      const { pair } = part
      const mark = part.pair.mark
      const opens = flanks(this.neighbour(pair.open, 1, mark), this.neighbour(pair.open, -1, mark))
      const closes = flanks(
        this.neighbour(pair.close, -1, mark),
        this.neighbour(pair.close, 1, mark),
      )
      if (!opens || !closes) pair.dropped = true
    }
  }

  private startsLink(index: number): boolean {
    const part = this.parts[index]
    if (part?.kind === "raw") return part.text.startsWith("[") || part.text.startsWith("(")
    return part?.kind === "open" && isLink(part.pair)
  }

  /** Returns whether the brackets in a link's text do not pair up. */
  private isUnpaired(link: Pair): boolean {
    link.unpaired ??= !bracketsPair(
      this.parts
        .slice(link.open, link.close)
        .map((part) => (part.kind === "text" ? part.text : ""))
        .join(""),
    )
    return link.unpaired
  }
}

const isLink = (pair: Pair) => pair.mark === "" && !pair.dropped

function lastCharacter(text: string): string {
  const code = text.charCodeAt(text.length - 1)
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(-2) : text.slice(-1)
}

/** Returns whether a mark with `inner` on its inside and `outer` on its outside is read as one. */
function flanks(inner: string, outer: string): boolean {
  if (isSpace(inner)) return false
  return !isPunctuation(inner) || isSpace(outer) || isPunctuation(outer)
}
