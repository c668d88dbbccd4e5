import { Type } from "@sinclair/typebox"
import { Finder } from "../../extract/core/index.ts"
import {
  type InputOf,
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
export const inputFields = {
  includeSelectors: selectors("CSS selectors of the only elements to keep, in page order."),
  excludeSelectors: selectors("CSS selectors of elements to remove."),
  renderScripts: inputs.flag(
    "Read the page with Chrome after its scripts have run, instead of with plain requests.",
  ),
  waitForSelector: Type.Optional(
    inputs.text("CSS selector to wait for. The page is read with Chrome after an element matches."),
  ),
}

type PageParts = InputOf<typeof inputFields>
/** The selectors of the parts to keep and to remove. */
export type KeptParts = Omit<PageParts, "renderScripts">

/** Returns the options to open a page for its parts. Parts that only scripts add need Chrome. */
export function openOptions({ renderScripts, waitForSelector }: PageParts) {
  if (waitForSelector === undefined) return { scripted: renderScripts }
  return { scripted: true, waitFor: waitForSelector }
}

/** Throws BadInput if a selector is not valid. The message names the selector. */
export function check({ includeSelectors, excludeSelectors, waitForSelector }: KeptParts) {
  for (const selector of includeSelectors) requireSelector("includeSelectors", selector)
  for (const selector of excludeSelectors) requireSelector("excludeSelectors", selector)
  if (waitForSelector !== undefined) requireSelector("waitForSelector", waitForSelector)
}

/** Returns a test whether a page has the elements to wait for and to keep. */
export function has({ includeSelectors, waitForSelector }: KeptParts) {
  return readOnce((response: UpstreamResponse) => {
    if (includeSelectors.length === 0 && waitForSelector === undefined) return true
    if (challengeOf(response) !== null) return false
    const finder = new Finder()
    const isThere = (field: string) => (selector: string) =>
      namingInput(field, () => finder.find(response.document, selector, 1).length > 0)
    if (waitForSelector !== undefined && !isThere("waitForSelector")(waitForSelector)) return false
    return includeSelectors.length === 0 || includeSelectors.some(isThere("includeSelectors"))
  })
}

/** Removes the parts of a page that were not requested, but not the head, which describes it. */
export function keep(document: Document, { includeSelectors, excludeSelectors }: KeptParts): void {
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

function isWithin({ parentElement: above }: Element, others: Set<Element>): boolean {
  for (; above; above = above.parentElement) if (others.has(above)) return true
  return false
}
