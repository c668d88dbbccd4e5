import type { Item } from "../keyless.ts"
import { base } from "../shell.ts"
import { type Box, boxesIn, withoutBoxes } from "./boxes.ts"
import { parsed } from "./page-view.ts"

/** A page as Chrome rendered it. */
export interface Drawn {
  page: Document
  /** Its source after its scripts ran. */
  html: string
  /** URL of the screenshot. */
  src: string
  width: number
  height: number
  /** Height of the page, if the screenshot ends before it. */
  fullHeight?: number
  boxes: Map<Element, Box>
}

interface Screenshot {
  url: string
  width: number
  height: number
  fullHeight?: number
}

/** Returns undefined if an item has no screenshot with positions. */
export function drawnIn(item: Item | undefined): Drawn | undefined {
  const { screenshot, html } = (item ?? {}) as { screenshot?: Screenshot; html?: string }
  if (!screenshot || !html) return undefined
  const page = parsed(html)
  const boxes = boxesIn(page, screenshot)
  if (boxes.size === 0) return undefined
  const { url, ...size } = screenshot
  // The URL contains the public root URL of the service, which may differ from this one.
  const src = base + url.slice(url.indexOf("/api/v1/files/"))
  return { page, html: withoutBoxes(html), src, boxes, ...size }
}
