import type { TSchema } from "@sinclair/typebox"
import type { AnyScraper } from "./scraper.ts"

/**
 * Returns the field to which values without a name belong: the only list that is still missing, or
 * the only text. Undefined if there is no such field.
 * @example listField(scraper, {}) // { name: "urls", most: 1000 }
 */
export function listField(
  scraper: Pick<AnyScraper, "input" | "example">,
  provided: Record<string, unknown>,
): { name: string; max: number } | undefined {
  const fields = Object.entries<TSchema>(scraper.input.properties).filter(
    ([name]) => !(name in provided),
  )
  const required = (scraper.input.required ?? []).filter(
    (name: string) => scraper.input.properties[name]!.default === undefined,
  )
  const lists = fields.filter(([, { type, items }]) => type === "array" && items?.type === "string")
  const wanted = lists.filter(([name]) => required.includes(name))
  const [list] = wanted.length > 0 ? wanted : lists.filter(([name]) => name in scraper.example)
  if (list && wanted.length < 2) {
    return { name: list[0], max: list[1].maxItems ?? Number.POSITIVE_INFINITY }
  }
  const texts = fields.filter(([name, { type }]) => type === "string" && required.includes(name))
  return wanted.length === 0 && texts.length === 1 ? { name: texts[0]![0], max: 1 } : undefined
}
