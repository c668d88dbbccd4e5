import { tokensOf } from "./tokens.ts"

type Item = Record<string, unknown>

/** Returns an item whose long texts and lists are cut to the given number of tokens, if possible. */
export function shortened(item: Item, tokens: number): Item {
  let most = tokens * 4
  let short = item
  while (most >= 16) {
    short = cut(item, most) as Item
    if (tokensOf(JSON.stringify(short)) <= tokens) return short
    most = Math.floor(most / 2)
  }
  return short
}

function cut(value: unknown, most: number): unknown {
  if (typeof value === "string") return value.length > most ? `${value.slice(0, most)}…` : value
  if (Array.isArray(value)) {
    return value.slice(0, Math.max(1, Math.floor(most / 16))).map((entry) => cut(entry, most))
  }
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).slice(0, most)
  return Object.fromEntries(fields.map(([name, field]) => [name, cut(field, most)]))
}
