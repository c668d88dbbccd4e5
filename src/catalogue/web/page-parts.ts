import { Type } from "@sinclair/typebox"
import { checkSelector, Finder, parseDocument, SelectorError } from "../../extract/core/index.ts"
import {
  BadInput,
  challengeOf,
  inputs,
  provided,
  readOnce,
  type UpstreamResponse,
} from "../kit/index.ts"

const maxSelectors = 50

const selectors = (description: string) =>
  provided(inputs.texts(description, { min: 0, max: maxSelectors }), [])

/** Which part of a page a caller wants, by CSS selector. */
export const partInputs = {
  includeSelectors: selectors("CSS selectors of the only elements to keep, in page order."),
  excludeSelectors: selectors("CSS selectors of elements to leave out."),
  renderScripts: inputs.flag(
    "Read the page with Chrome, after its scripts have run, instead of plain requests.",
  ),
  waitForSelector: Type.Optional(
    inputs.text("CSS selector to wait for; the page is read with Chrome once it matches."),
  ),
}

export interface PageParts {
  includeSelectors: string[]
  excludeSelectors: string[]
  renderScripts: boolean
  waitForSelector?: string | undefined
}

/** How a page with these parts is opened: what only scripts make is not looked for before. */
export function partsOpened({ renderScripts, waitForSelector }: PageParts) {
  if (waitForSelector === undefined) return { scripted: renderScripts }
  return { scripted: true, waitFor: waitForSelector }
}

/** @throws BadInput naming the selector that is none. */
export function checkParts({ includeSelectors, excludeSelectors, waitForSelector }: PageParts) {
  const page = parseDocument("")
  const check = (field: string, texts: string[]) => {
    for (const text of texts) naming(field, () => checkSelector(text, page))
  }
  check("includeSelectors", includeSelectors)
  check("excludeSelectors", excludeSelectors)
  if (waitForSelector !== undefined) check("waitForSelector", [waitForSelector])
}

/** Whether a page shows what its caller waits for, and what it is to be made of. */
export function hasParts({ includeSelectors, waitForSelector }: PageParts) {
  return readOnce((response: UpstreamResponse) => {
    if (includeSelectors.length === 0 && waitForSelector === undefined) return true
    if (challengeOf(response) !== null) return false
    const finder = new Finder()
    const isThere = (field: string, selector: string) =>
      naming(field, () => finder.find(response.document, selector, 1).length > 0)
    return (
      (waitForSelector === undefined || isThere("waitForSelector", waitForSelector)) &&
      (includeSelectors.length === 0 ||
        includeSelectors.some((selector) => isThere("includeSelectors", selector)))
    )
  })
}

/**
 * Removes the parts of a page that the user does not want. Its head remains, because it describes
 * the page.
 */
export function keepParts(document: Document, requested: PageParts): void {
  const { includeSelectors, excludeSelectors } = requested
  const matches = (field: string, selectors: string[]) => {
    if (selectors.length === 0) return []
    // As one list, so that what several match comes once, in the page's order.
    const found = naming(field, () => new Finder().find(document, selectors.join(", ")))
    return found.filter((element) => document.body.contains(element) && element !== document.body)
  }
  for (const element of matches("excludeSelectors", excludeSelectors)) element.remove()
  if (includeSelectors.length === 0) return
  const included = new Set(matches("includeSelectors", includeSelectors))
  if (included.size === 0) return
  const outermost = [...included].filter((element) => !isWithin(element, included))
  document.body.replaceChildren(...outermost)
}

function isWithin(element: Element, others: Set<Element>): boolean {
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (others.has(above)) return true
  }
  return false
}

function naming<R>(field: string, read: () => R): R {
  try {
    return read()
  } catch (error) {
    if (error instanceof SelectorError) throw new BadInput(`${field}: ${error.message}`)
    throw error
  }
}
