import { type TInteger, Type } from "@sinclair/typebox"
import { integerOrNull } from "../../extract/numbers.ts"
import { itemObject, nullable } from "../fields.ts"

const names = {
  total: "total_count",
  plusOne: "+1",
  minusOne: "-1",
  laugh: "laugh",
  hooray: "hooray",
  confused: "confused",
  heart: "heart",
  rocket: "rocket",
  eyes: "eyes",
}
type Reactions = Record<keyof typeof names, number>

const counts = Object.fromEntries(
  Object.keys(names).map((name) => [name, Type.Integer()]),
) as Record<keyof typeof names, TInteger>

export const reactionsSchema = nullable(itemObject(counts, { description: "Reactions by kind." }))

/** Reactions by their names here; null where GitHub sends none. */
export function reactionsOf(value: unknown): Reactions | null {
  if (typeof value !== "object" || value === null) return null
  const sent = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(names).map(([name, key]) => [name, integerOrNull(sent[key]) ?? 0]),
  ) as Reactions
}
