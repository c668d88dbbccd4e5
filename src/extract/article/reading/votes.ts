import type { Blocks, ElementNode } from "./blocks.ts"

const levels = 4

/** The shares of words that a first look would keep, by element. */
export class VoteSums {
  readonly ofPage: number
  private readonly voted: Float64Array
  private readonly all: Float64Array

  constructor({ blocks, nodes }: Blocks, votes: Uint8Array) {
    this.voted = new Float64Array(nodes.length)
    this.all = new Float64Array(nodes.length)
    for (const [at, { node, words }] of blocks.entries()) {
      const weight = Math.max(0.5, words)
      this.all[node.index]! += weight
      if (votes[at]) this.voted[node.index]! += weight
    }
    for (let at = nodes.length - 1; at > 0; at--) {
      const outer = nodes[at]!.parent!.index
      this.all[outer]! += this.all[at]!
      this.voted[outer]! += this.voted[at]!
    }
    this.ofPage = this.voted[0]! / Math.max(1, this.all[0]!)
  }

  /** Returns the elements around a block, each with more blocks than the one within it. */
  upward(node: ElementNode): number[] {
    const shares: number[] = []
    let at = node
    let inside = 1
    for (let step = 0; step < levels; step++) {
      while (at.blocks <= inside && at.parent) at = at.parent
      shares.push(this.voted[at.index]! / this.all[at.index]!)
      inside = at.blocks
    }
    return shares
  }
}
