import { tokensOf } from "./tokens.ts"

type Item = Record<string, unknown>

/** Returns an item whose long texts and lists are cut to the given number of tokens, if possible. */
export function shortened(item: Item, tokens: number): Item {
  let max = tokens * 4
  let short = item
  while (max >= 16) {
    short = cut(item, max) as Item
    if (tokensOf(JSON.stringify(short)) <= tokens) return short
    max = Math.floor(max / 2)
  }
  return short
}

function cut(value: unknown, max: number): unknown {
  if (typeof value === "string") return value.length > max ? `${value.slice(0, max)}…` : value
  if (Array.isArray(value)) {
    return value.slice(0, Math.max(1, Math.floor(max / 16))).map((entry) => cut(entry, max))
  }
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).slice(0, max)
  return Object.fromEntries(fields.map(([name, field]) => [name, cut(field, max)]))
}
