/** A part of a line, and whether the other line does not contain it. */
export interface Piece {
  text: string
  isChanged: boolean
}

/** Lines with more words are compared as a whole. */
const maxWords = 200
/** Lines with a smaller common share count as two different lines. */
const minCommon = 0.4

/** Returns the changed words of two versions of a line; undefined if the lines differ too much. */
export function changedWords(before: string, after: string): [Piece[], Piece[]] | undefined {
  const [old, now] = [before, after].map((line) => line.split(/(?<=\s)/)) as [string[], string[]]
  if (old.length > maxWords || now.length > maxWords) return undefined
  // Lengths of the longest common subsequences of both lines from each position to the end.
  const width = now.length + 1
  const common = new Uint16Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const at = i * width + j
      common[at] = isSame(old[i]!, now[j]!)
        ? common[at + width + 1]! + 1
        : Math.max(common[at + width]!, common[at + 1]!)
    }
  }
  if (common[0]! < minCommon * Math.max(old.length, now.length)) return undefined
  const pieces: [Piece[], Piece[]] = [[], []]
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const at = i * width + j
    if (i < old.length && j < now.length && isSame(old[i]!, now[j]!)) {
      add(pieces[0], old[i++]!, false)
      add(pieces[1], now[j++]!, false)
    } else if (j === now.length || (i < old.length && common[at + width]! >= common[at + 1]!)) {
      add(pieces[0], old[i++]!, true)
    } else add(pieces[1], now[j++]!, true)
  }
  return pieces
}

const isSame = (one: string, other: string) => one.trimEnd() === other.trimEnd()

function add(pieces: Piece[], text: string, isChanged: boolean): void {
  const last = pieces.at(-1)
  if (last?.isChanged === isChanged) last.text += text
  else pieces.push({ text, isChanged })
}
