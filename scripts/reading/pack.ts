import type { PackedTrees } from "../../src/base/trees.ts"
import type { Tree } from "./boost.ts"

const scale = 4_096

/** Packs trees in the form that `Trees` in src/base/trees.ts reads. */
export function pack({ base, trees }: { base: number; trees: Tree[] }, width: number): PackedTrees {
  const grown = trees.filter((tree) => tree.feature.length > 0)
  const limits: number[][] = Array.from({ length: width }, () => [])
  for (const tree of grown) {
    for (const [at, feature] of tree.feature.entries()) limits[feature]!.push(tree.limit[at]!)
  }
  for (const [feature, list] of limits.entries()) {
    limits[feature] = [...new Set(list)].sort((a, b) => a - b)
  }
  const bytes: number[] = []
  for (const tree of grown) {
    for (const [at, feature] of tree.feature.entries()) {
      bytes.push(feature, limits[feature]!.indexOf(tree.limit[at]!))
      bytes.push(tree.left[at]! & 255, tree.right[at]! & 255)
    }
    for (const value of tree.value) {
      const whole = Math.max(-32_768, Math.min(32_767, Math.round(value * scale)))
      bytes.push(whole & 255, (whole >> 8) & 255)
    }
  }
  return {
    base,
    sizes: grown.map((tree) => tree.feature.length),
    limits: limits.map((list) => list.map((limit) => Math.fround(limit)).map(Number)),
    nodes: Buffer.from(bytes).toString("base64"),
    scale,
  }
}
