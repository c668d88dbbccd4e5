import { post } from "./ask.ts"
import { isType } from "./selectors.ts"

/** The page that fields are picked from. */
export interface PickedPage {
  html: string
  url: string
  /** The selector of the rows; "" for the page as a whole. */
  rows: string
}

export interface PickedField {
  count: number
  /** The first ones. */
  values: string[]
}

/** What each `selector @attribute` finds, in their order. */
export interface Check {
  fields: PickedField[]
  fault?: string
}

/** What a run of the service reads of the page by these fields: its parser is not the browser's. */
export async function checkFields(
  { html, url, rows }: PickedPage,
  takes: string[],
  signal: AbortSignal,
): Promise<Check> {
  const named = takes.map((take, at) => ({ name: `f${at}`, take }))
  const body = { html, url, fields: named, rows }
  const { fields, fault } = await post<{ fields: Record<string, PickedField>; fault?: string }>(
    "/console/fields",
    body,
    signal,
  )
  const none = { count: 0, values: [] }
  return { fields: named.map(({ name }) => fields[name] ?? none), ...(fault && { fault }) }
}

/** As a field's line writes it. */
export function takeOf(selector: string, way: string, element?: Element): string {
  if (way === "text" && selector) return selector
  const from = way === "date" && element?.hasAttribute("datetime") ? " @datetime" : ""
  return `${selector}${from} @${way}`.trim()
}

/** What is read in a text is told apart from others by the text. */
export const plainTakeOf = (selector: string, way: string) =>
  takeOf(selector, isType(way) ? "text" : way)

const squeezed = (text: string | undefined) => text?.replace(/\s+/g, "")

/** Which of several selectors reads the value that was pointed at; -1 where none does. */
export const rightOne = ({ fields }: Check, pointedAt: string): number =>
  fields.findIndex(({ values }) => squeezed(values[0]) === squeezed(pointedAt.slice(0, 300)))
