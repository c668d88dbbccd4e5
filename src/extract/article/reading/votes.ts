import type { Block, Blocks, Place } from "./blocks.ts"

/** Lines are compared by their beginnings. */
const comparedChars = 300
const levels = 4

const folded = (text: string) =>
  text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, comparedChars)

/** Which blocks the rules for articles would keep, told by the lines that they do. */
export function votesFor(blocks: Block[], lines: string[]): Uint8Array {
  const kept = new Set<string>()
  for (const line of lines) {
    kept.add(folded(line))
    if (line.includes("\t")) for (const cell of line.split("\t")) kept.add(folded(cell))
  }
  const isKept = ({ text, firstLine }: Block) =>
    kept.has(folded(text)) || (firstLine !== "" && kept.has(folded(firstLine)))
  return Uint8Array.from(blocks, (block) => (isKept(block) ? 1 : 0))
}

/** The shares of words that were voted for, by place. */
export class VoteSums {
  readonly ofPage: number
  private readonly sums = new Map<Place, [voted: number, all: number]>()

  constructor({ blocks }: Blocks, votes: Uint8Array) {
    let [voted, all] = [0, 0]
    for (const [at, block] of blocks.entries()) {
      const words = Math.max(0.5, block.words)
      all += words
      if (votes[at]) voted += words
      for (let place: Place | null = block.place; place; place = place.parent) {
        const sum = this.sums.get(place)
        if (!sum) this.sums.set(place, [votes[at] ? words : 0, words])
        else {
          sum[1] += words
          if (votes[at]) sum[0] += words
        }
      }
    }
    this.ofPage = voted / Math.max(1, all)
  }

  /** Of the places around a block, each with more blocks than the one within it. */
  upward(place: Place): number[] {
    const shares: number[] = []
    let at = place
    let inside = 1
    for (let step = 0; step < levels; step++) {
      while (at.blocks <= inside && at.parent) at = at.parent
      const [voted, all] = this.sums.get(at) ?? [0, 1]
      shares.push(voted / all)
      inside = at.blocks
    }
    return shares
  }
}
