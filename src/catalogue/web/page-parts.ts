import { Type } from "@sinclair/typebox"
import { Finder } from "../../extract/core/index.ts"
import {
  inputs,
  namingInput,
  provided,
  readOnce,
  requireSelector,
  type UpstreamResponse,
} from "../kit/index.ts"
import { challengeOf } from "./page/readable.ts"

const maxSelectors = 50

const selectors = (description: string) =>
  provided(inputs.texts(description, { min: 0, max: maxSelectors }), [])

export const mainContentInput = inputs.flag(
  "Return only the main content; false keeps navigation and footer.",
  true,
)

/** Inputs for the parts of a page, by CSS selector. */
export const partInputs = {
  includeSelectors: selectors("CSS selectors of the only elements to keep, in page order."),
  excludeSelectors: selectors("CSS selectors of elements to remove."),
  renderScripts: inputs.flag(
    "Read the page with Chrome after its scripts have run, instead of with plain requests.",
  ),
  waitForSelector: Type.Optional(
    inputs.text("CSS selector to wait for. The page is read with Chrome after an element matches."),
  ),
}

export interface PageParts {
  includeSelectors: string[]
  excludeSelectors: string[]
  renderScripts: boolean
  waitForSelector?: string | undefined
}

/** Returns the options to open a page for its parts. Parts that only scripts add need Chrome. */
export function partsOpened({ renderScripts, waitForSelector }: PageParts) {
  if (waitForSelector === undefined) return { scripted: renderScripts }
  return { scripted: true, waitFor: waitForSelector }
}

/** Throws BadInput if a selector is not valid. The message names the selector. */
export function checkParts({ includeSelectors, excludeSelectors, waitForSelector }: PageParts) {
  for (const selector of includeSelectors) requireSelector("includeSelectors", selector)
  for (const selector of excludeSelectors) requireSelector("excludeSelectors", selector)
  if (waitForSelector !== undefined) requireSelector("waitForSelector", waitForSelector)
}

/** Returns a test whether a page has the elements to wait for and to keep. */
export function hasParts({ includeSelectors, waitForSelector }: PageParts) {
  return readOnce((response: UpstreamResponse) => {
    if (includeSelectors.length === 0 && waitForSelector === undefined) return true
    if (challengeOf(response) !== null) return false
    const finder = new Finder()
    const isThere = (field: string, selector: string) =>
      namingInput(field, () => finder.find(response.document, selector, 1).length > 0)
    return (
      (waitForSelector === undefined || isThere("waitForSelector", waitForSelector)) &&
      (includeSelectors.length === 0 ||
        includeSelectors.some((selector) => isThere("includeSelectors", selector)))
    )
  })
}

/** Removes the parts of a page that were not requested, but not the head, which describes it. */
export function keepParts(document: Document, requested: PageParts): void {
  const { includeSelectors, excludeSelectors } = requested
  const matches = (field: string, selectors: string[]) => {
    if (selectors.length === 0) return []
    // One list of selectors, so that an element that matches several is found once, in page order.
    const match = namingInput(field, () => new Finder().find(document, selectors.join(", ")))
    return match.filter((element) => document.body.contains(element) && element !== document.body)
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
