import { Type } from "@sinclair/typebox"
import { integerOrNull } from "../../extract/core/index.ts"
import { field, type Row } from "../kit/index.ts"

const count = (key: string) =>
  field.of(Type.Integer(), (reactions: Row) => integerOrNull(reactions[key]) ?? 0)

/** Null if GitHub returns none. */
export const reactionsField = field.object("reactions", "Number of reactions by type.", {
  total: count("total_count"),
  plusOne: count("+1"),
  minusOne: count("-1"),
  laugh: count("laugh"),
  hooray: count("hooray"),
  confused: count("confused"),
  heart: count("heart"),
  rocket: count("rocket"),
  eyes: count("eyes"),
})
