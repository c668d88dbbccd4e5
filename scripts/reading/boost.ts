/** Gradient-boosted trees for a share between 0 and 1, over features in bins. */
export interface Tree {
  /** For each inner node: the feature, the last value that goes left, and the two children. */
  feature: number[]
  limit: number[]
  left: number[]
  right: number[]
  /** The value of each leaf. */
  value: number[]
}

export interface BoostOptions {
  trees: number
  leaves: number
  rate: number
  /** Minimum sum of second derivatives in a leaf. */
  least: number
  ridge: number
  rowShare: number
  featureShare: number
  seed: number
}

const bins = 64

export interface Binned {
  /** For each feature, the bin of each row. */
  columns: Uint8Array[]
  limits: Float32Array[]
  rows: number
}

/** Cuts each feature into bins of equal numbers of rows, as far as its values allow. */
export function binned(rows: Float32Array, width: number): Binned {
  const count = rows.length / width
  const columns: Uint8Array[] = []
  const limits: Float32Array[] = []
  const step = Math.max(1, Math.floor(count / 40_000))
  for (let feature = 0; feature < width; feature++) {
    const sample: number[] = []
    for (let row = 0; row < count; row += step) sample.push(rows[row * width + feature]!)
    const sorted = Float32Array.from(sample).sort()
    const distinct: number[] = []
    for (const value of sorted) if (distinct.at(-1) !== value) distinct.push(value)
    let edges: number[]
    if (distinct.length <= bins)
      edges = distinct.slice(0, -1).map((value, at) => (value + distinct[at + 1]!) / 2)
    else {
      const set = new Set<number>()
      for (let bin = 1; bin < bins; bin++)
        set.add(sorted[Math.floor((bin * sorted.length) / bins)]!)
      edges = [...set].sort((a, b) => a - b)
      if (edges.at(-1) === sorted.at(-1)) edges.pop()
    }
    const limit = Float32Array.from(edges)
    const column = new Uint8Array(count)
    for (let row = 0; row < count; row++) column[row] = binOf(limit, rows[row * width + feature]!)
    columns.push(column)
    limits.push(limit)
  }
  return { columns, limits, rows: count }
}

/**
 * Returns how many limits are below the value: a value goes left of a limit that is not below it.
 */
function binOf(limits: Float32Array, value: number): number {
  let low = 0
  let high = limits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (limits[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

interface Leaf {
  rows: Int32Array
  gradient: number
  hessian: number
  histogram: Float64Array
  best: Split | null
  node: number
}

interface Split {
  gain: number
  feature: number
  bin: number
}

export function boost(
  data: Binned,
  share: Float32Array,
  weight: Float32Array,
  options: BoostOptions,
): { base: number; trees: Tree[] } {
  const { rows } = data
  const random = generator(options.seed)
  let [sum, all] = [0, 0]
  for (let row = 0; row < rows; row++) {
    sum += share[row]! * weight[row]!
    all += weight[row]!
  }
  const base = Math.log(sum / (all - sum))
  const margin = new Float64Array(rows).fill(base)
  const gradients = new Float64Array(rows)
  const hessians = new Float64Array(rows)
  const trees: Tree[] = []
  for (let round = 0; round < options.trees; round++) {
    for (let row = 0; row < rows; row++) {
      const chance = 1 / (1 + Math.exp(-margin[row]!))
      gradients[row] = weight[row]! * (chance - share[row]!)
      hessians[row] = weight[row]! * Math.max(chance * (1 - chance), 1e-4)
    }
    const picked = new Int32Array(rows)
    let count = 0
    for (let row = 0; row < rows; row++)
      if (weight[row]! > 0 && random() < options.rowShare) picked[count++] = row
    const features = data.columns.map((_, at) => at).filter(() => random() < options.featureShare)
    const tree = grow(data, picked.slice(0, count), gradients, hessians, features, options)
    trees.push(tree)
    addTree(tree, data, margin)
  }
  return { base, trees }
}

function grow(
  data: Binned,
  rows: Int32Array,
  gradients: Float64Array,
  hessians: Float64Array,
  features: number[],
  options: BoostOptions,
): Tree {
  const tree: Tree = { feature: [], limit: [], left: [], right: [], value: [] }
  const open: Leaf[] = [leafOf(data, rows, gradients, hessians, features, options)]
  // A node until it is known to be a leaf: children below zero are leaves.
  const links: { leaf: Leaf; parent: number; isLeft: boolean }[] = [
    { leaf: open[0]!, parent: -1, isLeft: true },
  ]
  while (open.length < options.leaves) {
    let best: Leaf | null = null
    for (const leaf of open)
      if (leaf.best && leaf.best.gain > (best?.best?.gain ?? 1e-7)) best = leaf
    if (!best) break
    const { feature, bin } = best.best!
    const column = data.columns[feature]!
    const leftRows = new Int32Array(best.rows.length)
    const rightRows = new Int32Array(best.rows.length)
    let [l, r] = [0, 0]
    for (const row of best.rows) {
      if (column[row]! <= bin) leftRows[l++] = row
      else rightRows[r++] = row
    }
    const small = l <= r
    const first = leafOf(
      data,
      small ? leftRows.slice(0, l) : rightRows.slice(0, r),
      gradients,
      hessians,
      features,
      options,
    )
    const rest = best.histogram
    for (let at = 0; at < rest.length; at++) rest[at]! -= first.histogram[at]!
    const second: Leaf = {
      rows: small ? rightRows.slice(0, r) : leftRows.slice(0, l),
      gradient: best.gradient - first.gradient,
      hessian: best.hessian - first.hessian,
      histogram: rest,
      best: null,
      node: 0,
    }
    second.best = bestSplit(data, second, features, options)
    const node = tree.feature.length
    tree.feature.push(feature)
    tree.limit.push(data.limits[feature]![bin]!)
    tree.left.push(0)
    tree.right.push(0)
    const parentLink = links.find((link) => link.leaf === best)!
    if (parentLink.parent >= 0)
      (parentLink.isLeft ? tree.left : tree.right)[parentLink.parent] = node
    links.splice(links.indexOf(parentLink), 1)
    links.push({ leaf: small ? first : second, parent: node, isLeft: true })
    links.push({ leaf: small ? second : first, parent: node, isLeft: false })
    open.splice(open.indexOf(best), 1)
    open.push(first, second)
  }
  for (const { leaf, parent, isLeft } of links) {
    const at = tree.value.length
    tree.value.push((-options.rate * leaf.gradient) / (leaf.hessian + options.ridge))
    if (parent >= 0) (isLeft ? tree.left : tree.right)[parent] = -at - 1
  }
  return tree
}

function leafOf(
  data: Binned,
  rows: Int32Array,
  gradients: Float64Array,
  hessians: Float64Array,
  features: number[],
  options: BoostOptions,
): Leaf {
  const histogram = new Float64Array(features.length * bins * 2)
  let [gradient, hessian] = [0, 0]
  for (const row of rows) {
    gradient += gradients[row]!
    hessian += hessians[row]!
  }
  for (let at = 0; at < features.length; at++) {
    const column = data.columns[features[at]!]!
    const offset = at * bins * 2
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!
      const cell = offset + column[row]! * 2
      histogram[cell]! += gradients[row]!
      histogram[cell + 1]! += hessians[row]!
    }
  }
  const leaf: Leaf = { rows, gradient, hessian, histogram, best: null, node: 0 }
  leaf.best = bestSplit(data, leaf, features, options)
  return leaf
}

function bestSplit(
  data: Binned,
  leaf: Leaf,
  features: number[],
  { least, ridge }: BoostOptions,
): Split | null {
  const { gradient, hessian, histogram } = leaf
  if (hessian < 2 * least) return null
  const whole = gradient ** 2 / (hessian + ridge)
  let best: Split | null = null
  for (let at = 0; at < features.length; at++) {
    const offset = at * bins * 2
    const last = data.limits[features[at]!]!.length
    let [g, h] = [0, 0]
    for (let bin = 0; bin < last; bin++) {
      g += histogram[offset + bin * 2]!
      h += histogram[offset + bin * 2 + 1]!
      if (h < least) continue
      const rest = hessian - h
      if (rest < least) break
      const gain = g ** 2 / (h + ridge) + (gradient - g) ** 2 / (rest + ridge) - whole
      if (gain > (best?.gain ?? 0)) best = { gain, feature: features[at]!, bin }
    }
  }
  return best
}

function addTree(tree: Tree, data: Binned, margin: Float64Array): void {
  if (tree.feature.length === 0) {
    for (let row = 0; row < margin.length; row++) margin[row]! += tree.value[0] ?? 0
    return
  }
  const limits = tree.feature.map((feature, at) => binOf(data.limits[feature]!, tree.limit[at]!))
  for (let row = 0; row < margin.length; row++) {
    let node = 0
    while (node >= 0) {
      node =
        data.columns[tree.feature[node]!]![row]! <= limits[node]!
          ? tree.left[node]!
          : tree.right[node]!
    }
    margin[row]! += tree.value[-node - 1]!
  }
}

/** Returns the probability of each row by a model. */
export function predict(
  { base, trees }: { base: number; trees: Tree[] },
  rows: Float32Array,
  width: number,
): Float32Array {
  const count = rows.length / width
  const out = new Float32Array(count)
  for (let row = 0; row < count; row++) {
    let sum = base
    for (const tree of trees) {
      if (tree.feature.length === 0) {
        sum += tree.value[0] ?? 0
        continue
      }
      let node = 0
      while (node >= 0) {
        node =
          rows[row * width + tree.feature[node]!]! <= tree.limit[node]!
            ? tree.left[node]!
            : tree.right[node]!
      }
      sum += tree.value[-node - 1]!
    }
    out[row] = 1 / (1 + Math.exp(-sum))
  }
  return out
}

/** Returns a random number generator with the same sequence each time (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
