import { drawnOnce, type Piece } from "./bold.ts"
import { accented, fromTheRight, isAccent, plainLetters } from "./text.ts"

/** Text on one line without a gap as wide as between columns. */
export interface Segment {
  parts: { text: string; link?: string | undefined }[]
  x0: number
  x1: number
  y: number
  size: number
  rtl: boolean
}

export const textOfSegment = ({ parts }: Segment) => parts.map(({ text }) => text).join("")

/** A piece of a page's text, as PDF.js returns it. */
export interface TextItem {
  str: string
  fontName: string
  dir: string
  width: number
  height: number
  transform: number[]
  hasEOL: boolean
}

export interface LinkArea {
  url: string
  x0: number
  x1: number
  y0: number
  y1: number
}

/** Maximum pieces of one page; more are patterns, not text. */
const maxItems = 50_000
/** In letter heights: minimum gap between words, and between columns or cells. */
const wordGap = 0.12
const cellGap = 0.75

/** Returns the text along the lines of the page, and the rotated text. */
export function segmentsOf(
  items: readonly TextItem[],
  toPage: (x: number, y: number) => readonly [number, number],
  links: readonly LinkArea[],
  selected = (pieces: Piece[]) => pieces,
): { segments: Segment[]; askew: string[] } {
  const pieces: Piece[] = []
  const askew = new Map<number, Piece[]>()
  const vertical: OpenSegment[] = []
  for (const item of items.slice(0, maxItems)) {
    const text = plainLetters(item.str)
    if (text.trim() === "") {
      if (text !== "") spaceAfter(pieces.at(-1), item, toPage)
      continue
    }
    const [a, b, , , e, f] = item.transform as [number, number, number, number, number, number]
    const size = Math.hypot(item.transform[2]!, item.transform[3]!) || item.height
    if (size < 0.5) continue
    const [x, y] = toPage(e, f)
    if (item.dir === "ttb") {
      vertical.push({ text, x, y, size })
      continue
    }
    const [tipX, tipY] = toPage(
      e + (a / (Math.hypot(a, b) || 1)) * item.width,
      f + (b / (Math.hypot(a, b) || 1)) * item.width,
    )
    if (Math.abs(tipY - y) > size / 2 || tipX < x - size) {
      const direction = Math.atan2(tipY - y, tipX - x)
      const degrees = Math.round((direction * 180) / Math.PI)
      const turned = turnedPiece({ text, x0: x, x1: tipX, y, size, rtl: item.dir === "rtl" }, tipY)
      const group = askew.get(degrees)
      if (group) group.push(turned)
      else askew.set(degrees, [turned])
      continue
    }
    const piece = { text, x0: x, x1: tipX, y, size, rtl: item.dir === "rtl" }
    pieces.push(...byLinks(piece, links))
  }
  const lines = [...askew.values()].flatMap((group) => joined(group).map(textOfSegment))
  if (vertical.length > 0) lines.push(columnsText(vertical))
  return { segments: joined(selected(pieces)), askew: lines }
}

/** Returns a rotated piece with its positions along and across its own direction. */
function turnedPiece(piece: Piece, tipY: number): Piece {
  const { x0, x1, y } = piece
  const length = Math.hypot(x1 - x0, tipY - y) || 1
  const [cos, sin] = [(x1 - x0) / length, (tipY - y) / length]
  const along = x0 * cos + y * sin
  return { ...piece, x0: along, x1: along + length, y: y * cos - x0 * sin }
}

/**
 * Adds a space to the piece before: a space as a separate item separates words, however narrow it
 * is. In text from the right, a space to the right of a piece is before its text.
 */
function spaceAfter(
  piece: Piece | undefined,
  { transform, width }: TextItem,
  toPage: (x: number, y: number) => readonly [number, number],
): void {
  if (!piece) return
  const [x, y] = toPage(transform[4]!, transform[5]!)
  if (Math.abs(y - piece.y) >= piece.size * 0.3) return
  const isRight = Math.abs(x - piece.x1) < piece.size
  const isLeft = Math.abs(x + width - piece.x0) < piece.size
  if (!piece.rtl && isRight && !/\s$/.test(piece.text)) piece.text += " "
  if (!piece.rtl) return
  if (isRight && x > (piece.x0 + piece.x1) / 2) piece.text = ` ${piece.text.trimStart()}`
  else if (isLeft) piece.text = `${piece.text.trimEnd()} `
}

/** A run of text whose letters are one below the other. */
interface OpenSegment {
  text: string
  x: number
  y: number
  size: number
}

/** Returns the text of vertical lines, from right to left and from top to bottom. */
function columnsText(pieces: OpenSegment[]): string {
  const columns: OpenSegment[][] = []
  for (const piece of pieces.toSorted((a, b) => b.x - a.x)) {
    const column = columns.at(-1)
    if (column && column[0]!.x - piece.x < piece.size / 2) column.push(piece)
    else columns.push([piece])
  }
  return columns
    .flatMap((column) => column.toSorted((a, b) => a.y - b.y))
    .map(({ text }) => text)
    .join("")
}

/** Splits a piece at the end of a link's area, between words. */
function byLinks(piece: Piece, links: readonly LinkArea[]): Piece[] {
  const middle = piece.y - piece.size * 0.3
  const link = links.find(
    ({ x0, x1, y0, y1 }) => middle > y0 && middle < y1 && piece.x1 > x0 + 1 && piece.x0 < x1 - 1,
  )
  if (!link) return [piece]
  const width = (piece.x1 - piece.x0) / piece.text.length
  const at = (x: number) => nearestSpace(piece.text, (x - piece.x0) / width)
  const start = link.x0 <= piece.x0 + width ? 0 : at(link.x0)
  const end = link.x1 >= piece.x1 - width ? piece.text.length : at(link.x1)
  if (end <= start) return [{ ...piece, link: link.url }]
  const part = (from: number, to: number, url?: string): Piece => ({
    ...piece,
    text: piece.text.slice(from, to),
    x0: piece.x0 + from * width,
    x1: piece.x0 + to * width,
    link: url,
  })
  const others = links.filter((other) => other !== link)
  return [
    ...(start > 0 ? [part(0, start)] : []),
    part(start, end, link.url),
    ...(end < piece.text.length ? byLinks(part(end, piece.text.length), others) : []),
  ].filter(({ text }) => text.trim() !== "")
}

function nearestSpace(text: string, position: number): number {
  const aim = Math.max(0, Math.min(text.length, Math.round(position)))
  for (let step = 0; step <= 8; step++) {
    for (const at of [aim - step, aim + step]) {
      if (at === 0 || at === text.length) return at
      if (at > 0 && at < text.length && text[at - 1] === " ") return at
    }
  }
  return aim
}

/** Joins pieces on one baseline, except across gaps as wide as those between columns. */
function joined(pieces: Piece[]): Segment[] {
  const lines = new Map<number, Piece[]>()
  for (const piece of pieces) {
    // Neighbouring baselines count, too: superscripts and subscripts belong to their line.
    const key = Math.round(piece.y / 2)
    const line = lines.get(key)
    if (line) line.push(piece)
    else lines.set(key, [piece])
  }
  const sorted = [...lines.entries()].sort(([a], [b]) => a - b).map(([, line]) => line)
  const rows: Piece[][] = []
  for (const line of sorted) {
    for (const piece of line) {
      const row = rows.slice(-3).findLast((candidate) => onLine(candidate, piece))
      if (row) row.push(piece)
      else rows.push([piece])
    }
  }
  return withRaised(rows).flatMap(joinRow)
}

function onLine(row: Piece[], piece: Piece): boolean {
  return row.some(
    (other) =>
      Math.abs(other.y - piece.y) < Math.min(other.size, piece.size) * 0.3 ||
      isRaised(piece, other) ||
      isRaised(other, piece),
  )
}

/** Returns whether a piece is above or below a line's baseline, next to a larger piece of the line. */
function isRaised(piece: Piece, { x0, x1, y, size }: Piece): boolean {
  const apart = Math.max(x0, piece.x0) - Math.min(x1, piece.x1)
  return piece.size < size * 0.85 && apart < size * 0.4 && Math.abs(y - piece.y) < size * 0.55
}

/** Neighbouring rows that are examined for the line of a raised piece. */
const nearRows = 2

/**
 * Returns the rows without those that have only raised pieces. A raised piece is read before its line,
 * and its neighbours on the line may follow later.
 */
function withRaised(rows: Piece[][]): Piece[][] {
  return rows.filter((row, at) => {
    const near = rows
      .slice(Math.max(0, at - nearRows), at + nearRows + 1)
      .filter((other) => other !== row && other.length > 0)
    const raised = row.toSorted((a, b) => a.x0 - b.x0)
    const lines: Piece[][] = []
    for (const piece of raised) {
      const before = raised[lines.length - 1]
      const line =
        near.find((other) => other.some((larger) => isRaised(piece, larger))) ??
        (before && piece.x0 - before.x1 < piece.size * 0.4 ? lines.at(-1) : undefined)
      if (!line) return true
      lines.push(line)
    }
    for (const [index, line] of lines.entries()) line.push(raised[index]!)
    row.length = 0
    return false
  })
}

function joinRow(row: Piece[]): Segment[] {
  const inOrder = withAccents(drawnOnce(withInitials([...row]).sort((a, b) => a.x0 - b.x0)))
  const segments: Segment[] = []
  let group: Piece[] = []
  const end = () => {
    if (group.length > 0) segments.push(segmentOf(group))
    group = []
  }
  for (const piece of inOrder) {
    const last = group.at(-1)
    const gap = last ? piece.x0 - last.x1 : 0
    if (last && gap > Math.max(piece.size, last.size) * cellGap && !isMarker(group, gap)) end()
    group.push(piece)
  }
  end()
  return segments
}

/**
 * Returns whether a group is the marker of a list item, which has a gap after it but is not a cell.
 */
function isMarker(group: Piece[], gap: number): boolean {
  const [first] = group
  if (group.length !== 1 || gap > first!.size * 4) return false
  return /^\s*(?:[^\p{L}\p{N}\s]|\(?[\da-z]{1,3}[.)])\s*$/u.test(first!.text)
}

/** In letter heights: maximum distance of an accent from the start of the letter below it. */
const accentDistance = 0.25

/**
 * Combines accents that are pieces of their own with the first letter of the piece below them. An accent of a
 * capital is higher than its line, and may begin after its letter.
 */
function withInitials(row: Piece[]): Piece[] {
  return row.filter((accent) => {
    const sign = accent.text.trim()
    if (sign.length !== 1 || !isAccent(sign)) return true
    const distance = ({ x0 }: Piece) => Math.abs(x0 - accent.x0)
    const below = row
      .filter((piece) => piece !== accent && distance(piece) < accent.size * accentDistance)
      .toSorted((a, b) => distance(a) - distance(b))
    for (const piece of below) {
      const both = accented(sign, piece.text)
      if (!both) continue
      piece.text = both[1]
      return false
    }
    return true
  })
}

/** Maximum overlap of an accent with its letter, in letter heights. */
const accentOverlap = 0.15

function withAccents(row: Piece[]): Piece[] {
  for (let at = 1; at < row.length; at++) {
    const [before, piece] = [row[at - 1]!, row[at]!]
    if (piece.x0 > before.x1 - piece.size * accentOverlap) continue
    const both = accented(before.text, piece.text)
    if (!both) continue
    before.text = both[0]
    // Only the distance to the next accent looks like a space.
    const rest = both[1].trim()
    piece.text = rest === "" || isAccent(rest) ? rest : both[1]
  }
  return row.filter(({ text }) => text !== "")
}

/**
 * Returns items in reading order. Runs against the line's direction keep their order, for example a
 * Latin name in an Arabic line.
 */
export function readingOrder<Item extends { rtl: boolean }>(line: Item[], rtl: boolean): Item[] {
  const ordered: Item[] = []
  let run: Item[] = []
  for (const item of rtl ? line.toReversed() : line) {
    if (item.rtl !== rtl) run.unshift(item)
    else {
      ordered.push(...run, item)
      run = []
    }
  }
  return [...ordered, ...run]
}

/** Returns whether a piece is the raised mark with which a footnote begins. */
const isNoteMark = (piece: Piece, next: Piece, [first]: Piece[]) =>
  piece === first &&
  /^(?:\d{1,3}|[*∗†‡§¶]+)$/.test(piece.text) &&
  /^\p{L}{2}/u.test(next.text) &&
  piece.y < next.y - next.size * 0.15 &&
  isRaised(piece, next)

/** Returns how many more pieces are written from the right than from the left. */
const majority = (pieces: Piece[]) => pieces.reduce((sum, { rtl }) => sum + (rtl ? 1 : -1), 0)

function segmentOf(group: Piece[]): Segment {
  // Numbers and signs decide only between as many words of both directions.
  const words = group.filter(({ text }) => /\p{L}/u.test(text))
  const rtl = (majority(words) || majority(group)) > 0
  const main = group.reduce((a, b) => (b.text.length > a.text.length ? b : a))
  const parts: Segment["parts"] = []
  let before: Piece | undefined
  for (const piece of readingOrder(group, rtl)) {
    const gap = before ? Math.max(piece.x0 - before.x1, before.x0 - piece.x1) : 0
    const isApart =
      before &&
      (gap > main.size * wordGap || isNoteMark(before, piece, group)) &&
      !/\s$/.test(before.text)
    const text = isApart && !/^\s/.test(piece.text) ? ` ${piece.text}` : piece.text
    const last = parts.at(-1)
    if (last && last.link === piece.link) last.text += text
    else parts.push({ text, link: piece.link })
    before = piece
  }
  if (rtl) for (const part of parts) part.text = fromTheRight(part.text)
  return {
    parts,
    x0: group[0]!.x0,
    x1: Math.max(...group.map((piece) => piece.x1)),
    y: main.y,
    size: main.size,
    rtl,
  }
}
