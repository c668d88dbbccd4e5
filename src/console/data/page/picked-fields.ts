import { post } from "../request.ts"
import { isType } from "./selectors.ts"

/** The page that fields are picked from. */
export interface PickedPage {
  /** Source as a run reads it. */
  html: string
  /** Source after the scripts ran, if Chrome rendered the page. */
  drawnHtml?: string | undefined
  url: string
  /** The selector of the rows; "" for the page as a whole. */
  rows: string
}

export interface PickedField {
  count: number
  /** The first matches. */
  values: string[]
}

/** The values that each `selector @attribute` finds, in the order of the fields. */
export interface Check {
  fields: PickedField[]
  issue?: string
}

/**
 * Returns what the service reads from the page with these fields, because its parser differs from
 * the browser's.
 */
export async function checkFields(
  { html, url, rows }: Omit<PickedPage, "drawnHtml">,
  readings: string[],
  signal: AbortSignal,
): Promise<Check> {
  const named = readings.map((take, at) => ({ name: `f${at}`, take }))
  const body = { html, url, fields: named, rows }
  const { fields, issue } = await post<{ fields: Record<string, PickedField>; issue?: string }>(
    "/console/fields",
    body,
    signal,
  )
  const none = { count: 0, values: [] }
  return { fields: named.map(({ name }) => fields[name] ?? none), ...(issue && { issue }) }
}

/** Returns a selector as a field's line contains it. */
export function readingOf(selector: string, fetchMethod: string, element?: Element): string {
  if (fetchMethod === "text" && selector) return selector
  const from = fetchMethod === "date" && element?.hasAttribute("datetime") ? " @datetime" : ""
  return `${selector}${from} @${fetchMethod}`.trim()
}

/** Returns the selector that reads the plain text of a typed field. */
export const plainReadingOf = (selector: string, fetchMethod: string) =>
  readingOf(selector, isType(fetchMethod) ? "text" : fetchMethod)

const squeezed = (text: string | undefined) => text?.replace(/\s+/g, "")

/** Returns the index of the selector that reads the value that the user clicked; -1 if none does. */
export const rightOne = ({ fields }: Check, pointedAt: string): number =>
  fields.findIndex(({ values }) => squeezed(values[0]) === squeezed(pointedAt.slice(0, 300)))
