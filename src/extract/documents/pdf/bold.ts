/** A piece of text with its position on the page; y is its baseline, and increases downwards. */
export interface Piece {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  rtl: boolean
  link?: string | undefined
}

/** In letter heights: maximum distance of a letter that is drawn twice to look bold. */
const offset = 0.12
/** In letters: tolerance, because letters differ in width. */
const slack = 0.75

/**
 * Returns the pieces of a line, from the left, without letters that are drawn a second time at
 * their position.
 */
export function drawnOnce(line: Piece[]): Piece[] {
  const stored: Piece[] = []
  const bold = new Set<number>()
  for (const piece of line) {
    const before = stored.at(-1)
    const count = before ? repeatedLetters(before, piece) : 0
    if (count > 0) bold.add(stored.length - 1)
    if (count === 0) stored.push(piece)
    else if (piece.text.slice(count).trim() !== "") {
      stored.push({ ...piece, text: piece.text.slice(count), x0: before!.x1 })
      bold.add(stored.length - 1)
    }
  }
  if (bold.size === 0) return line
  return stored.map((piece, at) => {
    const isBold = bold.has(at) || (isDoubled(piece.text) && (bold.has(at - 1) || bold.has(at + 1)))
    return isBold ? { ...piece, text: piece.text.replace(narrowTwice, "$1") } : piece
  })
}

/** Both copies of a narrow letter are in one piece, because PDF.js sees no step back between them. */
const narrowTwice = /([iljIJ.,:;'|!])\1/g
const isDoubled = (text: string) => /^(?:(\S)\1)+\s*$/u.test(text)

/** Returns how many of a piece's first letters overlap the same letters of the piece before. */
function repeatedLetters(before: Piece, piece: Piece): number {
  const far = Math.min(before.size, piece.size) * offset
  if (Math.abs(before.y - piece.y) > far || Math.abs(before.size - piece.size) > far) return 0
  const overlap = Math.min(before.x1, piece.x1) - piece.x0
  if (overlap <= far) return 0
  const width = (piece.x1 - piece.x0) / piece.text.length
  const text = piece.text.trimEnd()
  if (piece.x1 <= before.x1 + far) return isWithin(before, piece, text) ? piece.text.length : 0
  const max = Math.min(text.length, Math.floor(overlap / width + slack))
  for (let count = max; count > 0; count--) {
    if (before.text.trimEnd().endsWith(text.slice(0, count))) return count
  }
  return 0
}

/** Returns whether a piece repeats the text of the piece before at the same position. */
function isWithin(before: Piece, piece: Piece, text: string): boolean {
  const width = (before.x1 - before.x0) / before.text.length
  const index = (piece.x0 - before.x0) / width
  const from = Math.max(0, Math.floor(index - slack - 1))
  const match = before.text.indexOf(text, from)
  return match >= 0 && match <= index + slack + 1
}
