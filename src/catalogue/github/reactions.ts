import { integerOrNull } from "../../extract/core/index.ts"
import { field, items, type Row } from "../kit/index.ts"

const count = (key: string, description: string) =>
  field.of(
    items.requiredInteger(description),
    (reactions: Row) => integerOrNull(reactions[key]) ?? 0,
  )

/** Null if GitHub returns none. */
export const reactionsField = field.object("reactions", "Number of reactions by type.", {
  total: count("total_count", "Number of reactions of all types."),
  plusOne: count("+1", "Number of thumbs-up reactions."),
  minusOne: count("-1", "Number of thumbs-down reactions."),
  laugh: count("laugh", "Number of laughing reactions."),
  hooray: count("hooray", "Number of hooray reactions."),
  confused: count("confused", "Number of confused reactions."),
  heart: count("heart", "Number of heart reactions."),
  rocket: count("rocket", "Number of rocket reactions."),
  eyes: count("eyes", "Number of eyes reactions."),
})
