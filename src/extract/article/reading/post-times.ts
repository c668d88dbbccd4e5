import { foldSpace, isoDate, textStart } from "../../core/index.ts"
import type { Blocks } from "./blocks.ts"

/** Attributes from which a forum's scripts write when a post was made, or how long ago. */
const attributes = ["datetime", "title", "ts", "data-time", "data-timestamp"]
const maxText = 30
const maxStated = 60
/** A day of a year, and not how long ago. */
export const day = /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/
const elementNode = 1
const seconds = /^1\d{9}(?:\d{3})?$/
const letters = /^[\p{L}\s:/.,@+\d-]+$/u

/** The range of blocks of a post's head. */
export interface Head {
  from: number
  to: number
}

interface StatedHead extends Head {
  element: Element
  time: string
}

/** Groups elements whose attribute states a time, and which are empty or show a relative time. */
export function statedTimes(
  body: Element,
  { blocks }: Blocks,
  isPosted: (text: string) => boolean,
): StatedHead[][] {
  const blockOf = new Map<Node, number>()
  for (const [at, { textNodes: nodes }] of blocks.entries())
    for (const node of nodes) blockOf.set(node, at)
  const groups = new Map<string, StatedHead[]>()
  let at = 0
  const walk = (parent: Element, depth: number) => {
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      const block = blockOf.get(child)
      if (block !== undefined) at = block + 1
      if (child.nodeType !== elementNode) continue
      const element = child as Element
      const time = statedTime(element)
      if (time !== null && isPosted(foldSpace(textStart(element, maxText + 1)))) {
        const key = `${element.localName} ${element.className} ${depth}`
        const one = { from: at, to: at, element, time }
        const group = groups.get(key)
        if (group) group.push(one)
        else groups.set(key, [one])
      }
      walk(element, depth + 1)
    }
  }
  walk(body, 0)
  return [...groups.values()]
}

function statedTime(element: Element): string | null {
  for (const name of attributes) {
    const stated = element.getAttribute(name)?.trim()
    const time = stated ? readTime(stated) : null
    if (time === null) continue
    const text = foldSpace(textStart(element, maxText + 1))
    return text.length <= maxText && !day.test(text) ? time : null
  }
  return null
}

function readTime(stated: string): string | null {
  if (seconds.test(stated)) {
    return readTime(new Date(Number(stated.padEnd(13, "0"))).toISOString())
  }
  if (stated.length > maxStated || !day.test(stated)) return null
  const date = /^\d{4}-\d\d-\d\d/.test(stated) ? isoDate(stated) : null
  if (date) return date.length > 10 ? `${date.slice(0, 10)} ${date.slice(11, 16)} UTC` : date
  return letters.test(stated) && /\d{1,2}:\d\d/.test(stated) ? stated : null
}
