const rowsTogether = 16

/**
 * Boosted trees in their packed form. A negative child is a leaf: the bitwise complement of its
 * index.
 */
export class Trees {
  private readonly limits: Float32Array
  private readonly features: Uint16Array
  private readonly left: Int32Array
  private readonly right: Int32Array
  private readonly leaves: Float32Array
  /** First inner node of each tree. */
  private readonly roots: Uint32Array
  private readonly base: number

  constructor({ base, sizes, limits, nodes: packed, scale }: PackedTrees) {
    const bytes = Buffer.from(packed, "base64")
    const nodes = sizes.reduce((sum, size) => sum + size, 0)
    this.base = base
    this.limits = new Float32Array(nodes)
    this.features = new Uint16Array(nodes)
    this.left = new Int32Array(nodes)
    this.right = new Int32Array(nodes)
    this.leaves = new Float32Array(nodes + sizes.length)
    this.roots = new Uint32Array(sizes.length)
    let [node, leaf, at] = [0, 0, 0]
    for (const [tree, size] of sizes.entries()) {
      const [root, firstLeaf] = [node, leaf]
      // In packed form, children are counted within their tree, and leaves from -1 downwards.
      const child = (packed: number) => (packed < 0 ? packed - firstLeaf : packed + root)
      this.roots[tree] = root
      for (let index = 0; index < size; index++, node++, at += 4) {
        const feature = bytes[at]!
        this.features[node] = feature
        this.limits[node] = limits[feature]![bytes[at + 1]!]!
        this.left[node] = child(bytes.readInt8(at + 2))
        this.right[node] = child(bytes.readInt8(at + 3))
      }
      for (let index = 0; index <= size; index++, leaf++, at += 2) {
        this.leaves[leaf] = bytes.readInt16LE(at) / scale
      }
    }
  }

  /**
   * Returns the probability of each row. A tree reads some rows before the next one does, so that both are
   * near in memory.
   */
  chances(rows: Float32Array, width: number, count: number): Float32Array {
    const { limits, features, left, right, leaves, roots } = this
    const chances = new Float32Array(count)
    const sums = new Float64Array(rowsTogether)
    for (let first = 0; first < count; first += rowsTogether) {
      const together = Math.min(rowsTogether, count - first)
      sums.fill(this.base)
      for (let tree = 0; tree < roots.length; tree++) {
        const root = roots[tree]!
        for (let row = 0, offset = first * width; row < together; row++, offset += width) {
          let node = root
          do {
            node = rows[offset + features[node]!]! <= limits[node]! ? left[node]! : right[node]!
          } while (node >= 0)
          sums[row]! += leaves[~node]!
        }
      }
      for (let row = 0; row < together; row++)
        chances[first + row] = 1 / (1 + Math.exp(-sums[row]!))
    }
    return chances
  }

  /** Returns the probability of the row at an offset. */
  chance(row: Float32Array, offset: number): number {
    const { limits, features, left, right, leaves, roots } = this
    let sum = this.base
    for (let tree = 0; tree < roots.length; tree++) {
      let node = roots[tree]!
      do {
        node = row[offset + features[node]!]! <= limits[node]! ? left[node]! : right[node]!
      } while (node >= 0)
      sum += leaves[~node]!
    }
    return 1 / (1 + Math.exp(-sum))
  }
}

export interface PackedTrees {
  base: number
  /** Number of inner nodes of each tree, at least one. */
  sizes: number[]
  /** Thresholds of each feature. */
  limits: number[][]
  /** Four bytes per inner node (feature, threshold, children), two per leaf. */
  nodes: string
  scale: number
}
