import type { Blocks, ElementNode } from "./blocks.ts"

export const isDialog = ({ name, names }: ElementNode) => name === "dialog" || names.isDialog

/**
 * Returns a mark for each block in a dialog, such as the settings of cookies. A dialog with the page's
 * heading is the page itself.
 */
export function blocksInDialogs({ blocks, nodes }: Blocks, title: number): Uint8Array {
  const marks = new Uint8Array(blocks.length)
  for (const node of nodes) {
    const end = node.first + node.blocks
    if (isDialog(node) && !(title >= node.first && title < end)) marks.fill(1, node.first, end)
  }
  return marks
}
