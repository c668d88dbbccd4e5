import type { Expectation } from "./case.ts"

type Item = Record<string, unknown>

/** Maximum fields of the first and last item that a recording asserts. */
const fieldsOfFirst = 6
const fieldsOfLast = 3
/** Maximum characters of texts that are copied into the case. */
const maxTextChars = 200
/** Fields with the time of the request, which a replay need not reproduce. */
const ofTheMoment = /^(?:fetched|checked|scraped|generated)At$|Ms$/

/**
 * Expectations for a replay: the number of items, and the main fields of the first and last item,
 * and of the last good one before errors.
 */
export function expectationsOf(items: readonly Item[]): Expectation[] {
  const last = items.length - 1
  const lastGood = items.findLastIndex((item) => codeOf(item) === undefined)
  const later = [...new Set([lastGood, last])].filter((at) => at > 0)
  return [
    { path: "items.length", equals: items.length },
    ...(items.length > 0 ? fieldsOf(items[0]!, 0, fieldsOfFirst) : []),
    ...later.flatMap((at) => fieldsOf(items[at]!, at, fieldsOfLast)),
  ]
}

function codeOf(item: Item): string | undefined {
  const { code } = (item.error ?? {}) as { code?: unknown }
  return typeof code === "string" ? code : undefined
}

function fieldsOf(item: Item, at: number, max: number): Expectation[] {
  const code = codeOf(item)
  if (code !== undefined) return [{ path: `items[${at}].error.code`, equals: code }]
  return Object.entries(item)
    .filter(([name, value]) => !ofTheMoment.test(name) && isTelling(value))
    .slice(0, max)
    .map(([name, value]) => ({ path: `items[${at}].${name}`, equals: value }))
}

function isTelling(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && value.length <= maxTextChars
  return typeof value === "number" || typeof value === "boolean"
}
