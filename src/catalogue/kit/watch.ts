import { type Static, Type } from "@sinclair/typebox"
import { oneOf } from "./fields.ts"

/**
 * The conditions that a user waits for; each is about one side of a watched thing.
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
 * The schema of a condition that a user waits for.
 * @example { when: "below", value: 20 }
 */
export const conditionSchema = Type.Object(
  {
    when: oneOf(Object.keys(conditionKinds) as [ConditionKind, ...ConditionKind[]], {
      description:
        "`below`, `above` a value; `dropped`, `rose` by percent since the last check; `back_in_stock`, `out_of_stock`; a text `appears` or `vanishes`; anything `changed`; the `status` is another; it `expires` in less than the given number of days.",
    }),
    value: Type.Optional(
      Type.Number({ description: "Number that `below` and `above` compare with." }),
    ),
    percent: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: "Minimum change of `dropped` and `rose`, in percent.",
      }),
    ),
    days: Type.Optional(
      Type.Integer({ minimum: 0, description: "Days before the expiry, for `expires`." }),
    ),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "Text that `appears` or `vanishes`.",
      }),
    ),
    field: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "Field of the items, for example `price` or `rating.count`. Required if the scraper watches none by default.",
      }),
    ),
  },
  { additionalProperties: false },
)
export type Condition = Static<typeof conditionSchema>

/** The fields of a scraper's items that schedules compare from run to run. */
export interface Watch {
  /** Fields that identify the same thing in another run. */
  key: readonly string[]
  /** Name of the thing for people: the first of these fields that has a value. */
  name: readonly string[]
  /** A number to compare. */
  value?: string
  /** Name of the number. Default: its field. */
  label?: string
  unit?: string
  /** Whether the thing is available. */
  stock?: string
  /** Whether a text is on the page, and which text. */
  text?: { found: string; sought: string }
  /** Lines added and removed since the last run. */
  lines?: { added: string; removed: string }
  status?: string
  /** Details of the status. */
  detail?: string
  /** Days left, and until which event. */
  days?: string
  expiring?: string
  /** A value that changes with the thing: the first of these fields that has a value. */
  mark?: readonly string[]
  /** Conditions of a schedule that names none. */
  conditions: readonly Condition[]
}
