/** Position of an element in the screenshot of its page, in pixels of the page. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const attribute = "data-trawl-box"
const written = / data-trawl-box="[-\d ]*"/g

/** Returns the source without the positions of elements, as runs read it. */
export const withoutBoxes = (html: string) => html.replace(written, "")

interface Size {
  width: number
  height: number
}

/**
 * Returns the visible parts of a page that its screenshot contains, in reading order, and removes
 * their attributes.
 */
export function boxesIn(page: Document, screenshot: Size): Map<Element, Box> {
  const boxes = new Map<Element, Box>()
  for (const element of page.querySelectorAll(`[${attribute}]`)) {
    const box = boxOf(element.getAttribute(attribute) ?? "")
    element.removeAttribute(attribute)
    const isPart = page.body.contains(element) && !element.parentElement?.closest("svg")
    if (box && isPart && overlaps(box, screenshot)) boxes.set(element, box)
  }
  return boxes
}

function boxOf(text: string): Box | undefined {
  const [left, top, width, height] = text.split(" ").map(Number)
  const isWhole = [left, top, width, height].every(Number.isSafeInteger)
  return isWhole ? { left: left!, top: top!, width: width!, height: height! } : undefined
}

const overlaps = ({ left, top, width, height }: Box, screenshot: Size) =>
  left < screenshot.width && top < screenshot.height && left + width > 0 && top + height > 0

/** Returns the smallest part at a point of the screenshot; of equal ones, the innermost. */
export function elementAt(boxes: Map<Element, Box>, x: number, y: number): Element | undefined {
  let smallest: Element | undefined
  let min = Number.POSITIVE_INFINITY
  for (const [element, { left, top, width, height }] of boxes) {
    if (x < left || y < top || x >= left + width || y >= top + height) continue
    if (width * height > min) continue
    smallest = element
    min = width * height
  }
  return smallest
}
