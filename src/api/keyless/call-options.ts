import { Type } from "@sinclair/typebox"
import { type AnyScraper, briefText, type InputIssue, oneOf } from "../../catalogue/kit/index.ts"
import { ApiError } from "../http/errors.ts"
import { requireFields } from "../items/item-fields.ts"
import type { KeylessRequest } from "./calls.ts"
import { invalidInput } from "./error.ts"
import { forms } from "./form.ts"
import type { ItemWindow } from "./item-page.ts"

/** Parameters of the call itself, unless a scraper has an input of the same name. */
export const callParameters = {
  agentId: Type.Optional(Type.String({ description: "`agentId` of an earlier response." })),
  token: Type.Optional(
    Type.String({ description: "API key: the account pays, without the daily quota." }),
  ),
  maxAge: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description:
        "Maximum age of the response of an identical call, in seconds (default 60). 0 fetches again.",
    }),
  ),
  pick: Type.Optional(
    Type.String({
      maxLength: 4000,
      description: "Comma-separated fields of the items to return: `pick=rating,text`.",
    }),
  ),
  maxTokens: Type.Optional(
    Type.Integer({
      minimum: 200,
      maximum: 1_000_000,
      description: "Approximate maximum tokens of the items; `next` has the rest. Default 20,000.",
    }),
  ),
  format: Type.Optional(
    oneOf(forms, {
      description:
        "Returns only the items: as CSV, JSON Lines or, for pages, Markdown. `Accept` does the same.",
    }),
  ),
}

const defaultMaxTokens = 20_000

export const callParameterNames = Object.keys(callParameters)

/**
 * Returns the call's own parameters, without those that are inputs of the scraper. @throws
 * KeylessFault
 */
export function callOptions(
  query: URLSearchParams,
  scraper: AnyScraper,
): Pick<KeylessRequest, "maxAgeMs" | "window"> {
  const provided = (name: string) => {
    const isInput = Object.hasOwn(scraper.input.properties, name)
    return isInput ? null : query.get(name)
  }
  const maxAge = wholeNumber("maxAge", provided("maxAge"), callParameters.maxAge)
  const picked = picksByFields(query, scraper) ? "fields" : "pick"
  const window = windowOf((name) => provided(name === "pick" ? picked : name), scraper, picked)
  return { window, ...(maxAge !== undefined && { maxAgeMs: maxAge * 1000 }) }
}

/**
 * Returns whether a call names the fields of the items as `fields`, as MCP tools do. Fields with
 * selectors are not meant.
 */
export function picksByFields(query: URLSearchParams, scraper: AnyScraper): boolean {
  const fields = query.get("fields")
  const isInput = Object.hasOwn(scraper.input.properties, "fields")
  return fields !== null && !isInput && !query.has("pick") && !/[:{]/.test(fields)
}

/**
 * Returns the requested part of the items.
 * @param picked Name of the parameter with the fields.
 * @throws KeylessFault
 */
export function windowOf(
  provided: (name: string) => string | null,
  scraper?: AnyScraper,
  picked = "pick",
): ItemWindow & { maxTokens: number } {
  const names = provided("pick")
    ?.split(/[,|]/)
    .map((name) => name.trim())
  const pick = names?.filter((name) => name !== "")
  if (pick && scraper) requirePicked(scraper, pick, picked)
  const max = wholeNumber("maxTokens", provided("maxTokens"), callParameters.maxTokens)
  return { ...(pick && { pick }), maxTokens: max ?? defaultMaxTokens }
}

/** @throws KeylessFault */
function requirePicked(scraper: AnyScraper, pick: string[], picked: string): void {
  try {
    requireFields(scraper.item, pick)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const issues = (error.details as InputIssue[]).map((issue) => ({ ...issue, field: picked }))
    throw invalidInput(issues)
  }
}

/** @throws KeylessFault */
export function wholeNumber(
  field: string,
  text: string | null,
  { minimum = 0, maximum = 0 }: { minimum?: number; maximum?: number },
): number | undefined {
  if (text === null) return undefined
  const number = Number(text)
  if (text.trim() !== "" && Number.isInteger(number) && number >= minimum && number <= maximum) {
    return number
  }
  const expected = `an integer from ${minimum} to ${maximum}`
  const actual = briefText(text)
  throw invalidInput([
    { field, message: `"${field}" must be ${expected}, not "${actual}".`, expected, actual },
  ])
}

/** Parameters of the result URL. */
export const resultParameters = {
  cursor: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: "Number of items to skip." }),
  ),
  pick: callParameters.pick,
  maxTokens: callParameters.maxTokens,
  format: callParameters.format,
}

/**
 * Returns the requested part of the results, which may differ from that of the call. @throws
 * KeylessFault
 */
export function resultWindow(query: URLSearchParams): ItemWindow {
  const provided = (name: string) => query.get(name)
  const { pick, maxTokens } = windowOf(provided)
  const cursor = wholeNumber("cursor", provided("cursor"), resultParameters.cursor)
  return {
    ...(pick && { pick }),
    ...(query.has("maxTokens") && { maxTokens }),
    ...(cursor !== undefined && { cursor }),
  }
}
