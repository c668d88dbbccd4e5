import { elementsNamed, elementsWhere, foldSpace, isBlock } from "../core/index.ts"
import { linkedLength } from "../page/index.ts"

/** Of a block's text, the share in links from which on it is a list of links; chosen by hand. */
const linkShare = 0.66
const shortParagraphChars = 120

/** What makes a menu; chosen by hand. */
const fewestMenuLinks = 5
const longestMenuLinkChars = 20
const menuShare = 0.8

/** Removes blocks of short links beside a page's own list: filters, languages, letters, pages. */
export function dropMenus(root: Element, list: Element): void {
  for (const block of elementsWhere(root, isBlock)) {
    if (block.contains(list) || list.contains(block) || !root.contains(block)) continue
    const links = elementsNamed(block, "a").map((link) => link.textContent!.trim().length)
    const linked = links.reduce((sum, length) => sum + length, 0)
    const isMenu =
      links.length >= fewestMenuLinks &&
      linked < links.length * longestMenuLinkChars &&
      linked > foldSpace(block.textContent!).length * menuShare
    if (isMenu) block.remove()
  }
}

/** Removes blocks that are mostly links: lists of other articles, "read more" lines; some are kept. */
export function dropLinkBlocks(root: Element, kept?: { includes(text: string): boolean }): void {
  for (const block of [...root.querySelectorAll("p, ul, ol, div, section, table")]) {
    const length = block.textContent?.trim().length ?? 0
    if (length === 0) continue
    const share = linkedLength(block) / length
    const isLinks =
      block.localName === "p" ? share > 0.9 && length < shortParagraphChars : share > linkShare
    if (isLinks && !kept?.includes(block.textContent!)) block.remove()
  }
}
