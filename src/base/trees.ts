/**
 * Boosted trees, read from their packed form: for each tree its inner nodes and leaves; a child below
 * zero is a leaf.
 */
export class Trees {
  private readonly limits: Float32Array
  private readonly features: Uint16Array
  private readonly left: Int16Array
  private readonly right: Int16Array
  private readonly leaves: Float32Array
  /** Of each tree the first inner node and the first leaf. */
  private readonly nodeAt: Uint32Array
  private readonly leafAt: Uint32Array

  constructor(private readonly packed: PackedTrees) {
    const bytes = Buffer.from(packed.nodes, "base64")
    const { sizes } = packed
    const nodes = sizes.reduce((sum, size) => sum + size, 0)
    this.limits = new Float32Array(nodes)
    this.features = new Uint16Array(nodes)
    this.left = new Int16Array(nodes)
    this.right = new Int16Array(nodes)
    this.leaves = new Float32Array(nodes + sizes.length)
    this.nodeAt = new Uint32Array(sizes.length)
    this.leafAt = new Uint32Array(sizes.length)
    let [node, leaf, at] = [0, 0, 0]
    for (const [tree, size] of sizes.entries()) {
      this.nodeAt[tree] = node
      this.leafAt[tree] = leaf
      for (let index = 0; index < size; index++, node++, at += 4) {
        const feature = bytes[at]!
        this.features[node] = feature
        this.limits[node] = packed.limits[feature]![bytes[at + 1]!]!
        this.left[node] = bytes.readInt8(at + 2)
        this.right[node] = bytes.readInt8(at + 3)
      }
      for (let index = 0; index <= size; index++, leaf++, at += 2) {
        this.leaves[leaf] = bytes.readInt16LE(at) / packed.scale
      }
    }
  }

  /** The chance of the row that begins at an offset. */
  chance(row: Float32Array, offset: number): number {
    const { limits, features, left, right } = this
    let sum = this.packed.base
    for (let tree = 0; tree < this.nodeAt.length; tree++) {
      const first = this.nodeAt[tree]!
      let node = 0
      do {
        const at = first + node
        node = row[offset + features[at]!]! <= limits[at]! ? left[at]! : right[at]!
      } while (node >= 0)
      sum += this.leaves[this.leafAt[tree]! - node - 1]!
    }
    return 1 / (1 + Math.exp(-sum))
  }
}

export interface PackedTrees {
  base: number
  /** Inner nodes of each tree, at least one. */
  sizes: number[]
  /** Of each feature the limits at which trees divide it. */
  limits: number[][]
  /** Four bytes for an inner node: feature, limit, children; two for a leaf. */
  nodes: string
  scale: number
}
