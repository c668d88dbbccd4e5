import type { Piece } from "./bold.ts"
import { median } from "./order.ts"

/** In points: tolerance for the edge that numbers share. */
const tolerance = 2
/** Minimum numbers on the first page that has them, and lines that they count. */
const minNumbers = 4
const minLines = 6
/** Minimum share of numbers that follow the number before by the same step. */
const minSteps = 0.8
/** Minimum width of the lines' median, as a share of the widest line. */
const minFill = 0.6
/** Minimum share of lines that continue the sentence of the line before. */
const minContinued = 0.2
/** Minimum share of words of two or more letters, which programs and tables have less of. */
const minWords = 0.7
/** Minimum share of lines with a number, if each is counted. */
const minNumbered = 0.6

type Side = "left" | "right"

/** The numbers in one margin, from the top. */
interface Margin {
  side: Side
  edge: number
  step: number
  numbers: Set<Piece>
  /** The lines from the first number to the last, without the numbers. */
  lines: Piece[][]
  /** Those that have a number, if each line is counted; otherwise all. */
  counted: Piece[][]
}

/**
 * Removes the line numbers in the margins of drafts, laws and pleadings. Otherwise each line would be
 * the row of a table with its number.
 */
export class LineNumbers {
  /** Margins of the pages before, by their side. */
  private readonly known = new Map<Side, Margin>()

  /** Returns the pieces of a page without line numbers. */
  without(pieces: Piece[]): Piece[] {
    const rows = rowsOf(pieces)
    const numbers = new Set<Piece>()
    for (const side of ["left", "right"] as const) {
      const margin = marginOf(rows, side)
      if (!margin || !areWords(margin) || !(this.continues(margin) || countsText(margin))) continue
      this.known.set(side, margin)
      for (const number of margin.numbers) numbers.add(number)
    }
    return numbers.size === 0 ? pieces : pieces.filter((piece) => !numbers.has(piece))
  }

  private continues({ side, edge, step, numbers }: Margin): boolean {
    const before = this.known.get(side)
    const isAligned = before !== undefined && Math.abs(before.edge - edge) < tolerance * 2
    return isAligned && (numbers.size === 1 || step === before.step)
  }
}

/** Returns the pieces by their baselines, from the top; the pieces of a row are from the left. */
function rowsOf(pieces: Piece[]): Piece[][] {
  const rows: Piece[][] = []
  for (const piece of pieces.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row && Math.abs(row[0]!.y - piece.y) < piece.size * 0.3) row.push(piece)
    else rows.push([piece])
  }
  return rows.map((row) => row.toSorted((a, b) => a.x0 - b.x0))
}

/** A number at the end of a row, on the side of the margin. */
interface Candidate {
  piece: Piece
  value: number
  row: number
}

/** Returns the numbers that share an edge in a margin and increase by one step; undefined for none. */
function marginOf(rows: Piece[][], side: Side): Margin | undefined {
  const candidates = rows.flatMap((row, index): Candidate[] => {
    const piece = row.at(side === "left" ? 0 : -1)!
    const isNumber = /^\s*\d{1,5}\s*$/.test(piece.text)
    return isNumber ? [{ piece, value: Number(piece.text), row: index }] : []
  })
  const [left, right] = [alignedAt("x0", candidates), alignedAt("x1", candidates)]
  const aligned = left.length > right.length ? left : right
  if (aligned.length === 0) return undefined
  const steps = aligned.slice(1).map(({ value }, at) => value - aligned[at]!.value)
  const step = median(steps)
  if (steps.length > 0 && step < 1) return undefined
  if (steps.filter((one) => one === step).length < steps.length * minSteps) return undefined
  const numbers = new Set(aligned.map(({ piece }) => piece))
  const linesIn = (from: Piece[][]) =>
    from.map((row) => row.filter((piece) => !numbers.has(piece))).filter((line) => line.length > 0)
  const lines = linesIn(rows.slice(aligned[0]!.row, aligned.at(-1)!.row + 1))
  const counted = step > 1 ? lines : linesIn(aligned.map(({ row }) => rows[row]!))
  const edge = aligned === left ? aligned[0]!.piece.x0 : aligned[0]!.piece.x1
  const margin = { side, edge, step, numbers, lines, counted }
  return counted.length >= lines.length * minNumbered && isOutside(margin) ? margin : undefined
}

function alignedAt(edge: "x0" | "x1", candidates: Candidate[]): Candidate[] {
  const usual = median(candidates.map(({ piece }) => piece[edge]))
  return candidates.filter(({ piece }) => Math.abs(piece[edge] - usual) < tolerance)
}

/** Returns whether the numbered lines are all on the same side of the numbers. */
function isOutside({ side, numbers, lines }: Margin): boolean {
  const x0 = Math.min(...[...numbers].map((number) => number.x0))
  const x1 = Math.max(...[...numbers].map((number) => number.x1))
  return lines.flat().every((piece) => (side === "left" ? piece.x0 > x1 : piece.x1 < x0))
}

const textOf = (line: Piece[]) => line.map(({ text }) => text).join(" ")

function areWords({ counted }: Margin): boolean {
  const words = counted
    .flatMap((line) => textOf(line).match(/\S+/g) ?? [])
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const plain = words.filter((word) => /^[(“"„«]?\p{L}[\p{L}\p{M}’'-]+[.,;:!?)”"“»]*$/u.test(word))
  return plain.length >= words.length * minWords
}

/** Returns whether the numbers count the lines of a text, unlike those of a list. */
function countsText({ numbers, counted }: Margin): boolean {
  if (numbers.size < minNumbers || counted.length < minLines) return false
  const widths = counted.map((line) => line.at(-1)!.x1 - line[0]!.x0)
  if (median(widths) < Math.max(...widths) * minFill) return false
  const texts = counted.map(textOf)
  const continued = texts
    .slice(1)
    .filter((text, at) => /^\s*\p{Ll}/u.test(text) && /[\p{L}\p{N},;-]\s*$/u.test(texts[at]!))
  return continued.length >= texts.length * minContinued
}
