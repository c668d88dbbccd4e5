import { isUnseen } from "../core/index.ts"

export interface Block {
  kind: "paragraph" | "list" | "other"
  text: string
}

export interface ListItem {
  /** "-", "3." or "3)". */
  marker: string
  blocks: Block[]
}

/** Returns the items of a list, separated by blank lines only if an item has several paragraphs. */
export function writeList(items: ListItem[]): string {
  const tight = items.every(({ blocks }) => isTight(blocks))
  return items
    .map(({ marker, blocks }) => {
      const text = blocks.map((block) => block.text).join(tight ? "\n" : "\n\n")
      return indentRest(`${marker} ${text}`, " ".repeat(marker.length + 1))
    })
    .join(tight ? "\n" : "\n\n")
}

/** Text with nothing but lists below it, each of which may directly follow a line of text. */
function isTight([first, ...rest]: Block[]): boolean {
  if (!first) return true
  return rest.every((block) => block.kind === "list" && /^(?:[-*]|1[.)]) \S/.test(block.text))
}

/** Indents all lines but the first; empty ones stay empty. */
export function indentRest(text: string, indent: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${indent}`)
}

/** The numbers of a list's items: from `start`, an item's own `value`, or down when reversed. */
export function itemNumbers(list: Element, items: Element[]): number[] {
  const step = list.hasAttribute("reversed") ? -1 : 1
  const first = step < 0 ? items.length : 1
  let next = numberIn(list.getAttribute("start")) ?? first
  return items.map((item) => {
    const number = numberIn(item.getAttribute("value")) ?? next
    next = Math.max(0, number + step)
    return number
  })
}

/** CommonMark knows numbers from 0 to nine digits. */
function numberIn(written: string | null): number | null {
  return written !== null && /^\s*\d{1,9}\s*$/.test(written) ? Number(written) : null
}

/** A list item, or content between items: another list, or text. */
export type ListPart = Element | Node[]

export const isItem = (part: ListPart): part is Element => !Array.isArray(part)

const isList = (element: Element) => /^(?:ul|ol|menu|dir)$/.test(element.localName)

/** The parts of a list in order; wrappers around items are opened. */
export function listParts(list: Element): ListPart[] {
  const parts: ListPart[] = []
  let run: Node[] = []
  const endRun = () => {
    if (run.some((node) => node.nodeType !== 3 || node.nodeValue!.trim() !== "")) parts.push(run)
    run = []
  }
  for (let child = list.firstChild; child; child = child.nextSibling) {
    const element = child.nodeType === 1 ? (child as Element) : null
    if (element && (element.localName === "li" || isList(element) || wrapsItems(element))) {
      endRun()
      if (isUnseen(element)) continue
      if (element.localName === "li") parts.push(element)
      else if (isList(element)) parts.push([element])
      else parts.push(...listParts(element))
    } else if (element || child.nodeType === 3) run.push(child)
  }
  endRun()
  return parts
}

const wrapsItems = (element: Element) =>
  [...element.children].some((inner) => inner.localName === "li")

/** Returns terms and definitions, and the content between them; a `div` around them is unwrapped. */
export function definitionParts(list: Element): ListPart[] {
  const parts: ListPart[] = []
  for (let child = list.firstChild; child; child = child.nextSibling) {
    const element = child.nodeType === 1 ? (child as Element) : null
    const run = parts.at(-1)
    if (element?.localName === "dt" || element?.localName === "dd") parts.push(element)
    else if (element?.localName === "div" && element.querySelector("dt, dd")) {
      parts.push(...definitionParts(element))
    } else if (Array.isArray(run)) run.push(child)
    else parts.push([child])
  }
  return parts
}
