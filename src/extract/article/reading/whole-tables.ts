import type { Block, Blocks, ElementNode } from "./blocks.ts"

/** Smaller tables are divided by their chances only. */
const fewestCells = 12
const fewestRows = 4
/** Minimum share of rows with several cells; other tables are a layout. */
const minWide = 0.7
const maxRowWords = 120
const linkedShare = 0.6
/** Minimum mean chance of a table's words. */
const minChance = 0.15

/** Adds the rest of a data table of which a part was chosen, unless its words are unlikely on average. */
export function chooseWholeTables(
  { blocks, nodes }: Blocks,
  chosen: Uint8Array,
  chances: ArrayLike<number>,
): void {
  for (const table of nodes) {
    if (!isTable(table)) continue
    const end = table.first + table.blocks
    const part = chosen.subarray(table.first, end)
    if (!part.includes(1) || !part.includes(0)) continue
    if (!hasData(table, nodes) || meanChance(blocks, chances, table.first, end) < minChance)
      continue
    part.fill(1)
  }
}

/** Tables of links are navigation. */
const isTable = ({ name, blocks, hidden, words, linkWords }: ElementNode) =>
  name === "table" && blocks >= fewestCells && !hidden && linkWords <= words * linkedShare

function hasData(table: ElementNode, nodes: ElementNode[]): boolean {
  let [rows, wide] = [0, 0]
  // The elements in it follow it.
  for (let at = table.index + 1; at < nodes.length && isWithin(nodes[at]!, table); at++) {
    const { name, blocks } = nodes[at]!
    if (name !== "tr" || blocks === 0) continue
    rows++
    if (blocks > 1) wide++
  }
  return rows >= fewestRows && wide >= rows * minWide && table.words <= rows * maxRowWords
}

function isWithin(node: ElementNode, holder: ElementNode): boolean {
  let at: ElementNode | null = node
  while (at && at.depth > holder.depth) at = at.parent
  return at === holder
}

function meanChance(
  blocks: Block[],
  chances: ArrayLike<number>,
  first: number,
  end: number,
): number {
  let [sum, words] = [0, 0]
  for (let at = first; at < end; at++) {
    sum += chances[at]! * blocks[at]!.words
    words += blocks[at]!.words
  }
  return words === 0 ? 0 : sum / words
}
