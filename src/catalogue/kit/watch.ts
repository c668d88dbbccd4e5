import { type Static, Type } from "@sinclair/typebox"
import { itemObject, items, oneOf } from "./core/fields.ts"
import { inputs } from "./core/inputs.ts"

/**
 * The conditions of a watch. Each one compares one aspect of the watched thing.
 * @example conditionKinds.changed // { about: "mark" }
 */
export const conditionKinds = {
  below: { about: "value", needs: "value" },
  above: { about: "value", needs: "value" },
  dropped: { about: "value", needs: "percent" },
  rose: { about: "value", needs: "percent" },
  back_in_stock: { about: "stock" },
  out_of_stock: { about: "stock" },
  appears: { about: "text" },
  vanishes: { about: "text" },
  changed: { about: "mark" },
  status: { about: "status" },
  expires: { about: "days", needs: "days" },
} as const satisfies Record<string, { about: string; needs?: string }>
export type ConditionKind = keyof typeof conditionKinds

/**
 * The schema of a condition of a watch.
 * @example { when: "below", value: 20 }
 */
export const conditionSchema = itemObject({
  when: oneOf(Object.keys(conditionKinds) as [ConditionKind, ...ConditionKind[]], {
    description:
      "`below`, `above`: the value is below or above `value`. `dropped`, `rose`: by `percent` since the last check. `back_in_stock`, `out_of_stock`. `appears`, `vanishes`: a text. `changed`: any change. `status`: another status. `expires`: in less than `days` days.",
  }),
  value: items.optionalNumber("Number with which `below` and `above` compare."),
  percent: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description: "Minimum change for `dropped` and `rose`, in percent.",
    }),
  ),
  days: Type.Optional(
    Type.Integer({ minimum: 0, description: "Days before the expiry, for `expires`." }),
  ),
  text: inputs.optionalText("Text for `appears` and `vanishes`.", { minLength: 1, maxLength: 500 }),
  field: inputs.optionalText(
    "Field of the items, for example `price` or `rating.count`. Required if the scraper watches none by default.",
    { minLength: 1, maxLength: 200 },
  ),
})
export type Condition = Static<typeof conditionSchema>

/** The fields of a scraper's items that schedules compare from run to run. */
export interface Watch {
  /** Fields that identify the same thing in another run. */
  key: readonly string[]
  /** Fields with a name for people: the first one that has a value is used. */
  name: readonly string[]
  /** Field with a number to compare. */
  value?: string
  /** Name of the number. Default: the name of its field. */
  label?: string
  unit?: string
  /** Field with the availability. */
  stock?: string
  /** Fields with whether a text is on the page, and with the text. */
  text?: { found: string; expected: string }
  /** Fields with the lines added and removed since the last run. */
  lines?: { added: string; removed: string }
  status?: string
  /** Field with details of the status. */
  detail?: string
  /** Fields with the days left, and with the event. */
  days?: string
  expiring?: string
  /** Fields that change with the thing: the first one that has a value is used. */
  mark?: readonly string[]
  /** Conditions of a schedule that defines none. */
  conditions: readonly Condition[]
}
