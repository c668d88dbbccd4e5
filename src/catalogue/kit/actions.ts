import { type Static, Type } from "@sinclair/typebox"
import { checkSelector, parseDocument, SelectorError } from "../../extract/core/index.ts"
import { itemObject, oneOf } from "./fields.ts"
import { BadInput } from "./outcome.ts"

const kinds = ["wait", "click", "type", "press", "select", "scroll"] as const
const mostActions = 20

const action = itemObject({
  type: oneOf(kinds, {
    description:
      "wait (until selector is there, milliseconds at most; or just milliseconds), click (selector), type (text into selector), press (key), select (value of selector), scroll (so many screens).",
  }),
  selector: Type.Optional(
    Type.String({ minLength: 1, description: "CSS selector of an element." }),
  ),
  text: Type.Optional(Type.String({ maxLength: 2000, description: "What is typed." })),
  key: Type.Optional(
    Type.String({ pattern: "^[A-Za-z0-9]{1,20}$", description: "Such as Enter, Tab or Escape." }),
  ),
  value: Type.Optional(Type.String({ maxLength: 500, description: "Value of the option." })),
  milliseconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  screens: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
})

/** Something that is done on a page in Chrome before it is read. */
export type PageAction = Static<typeof action>

export const actionsInput = Type.Optional(
  Type.Array(action, {
    maxItems: mostActions,
    description:
      "Actions in Chrome before the page is read, in this order, within 30 seconds. Requires an API key.",
  }),
)

const needs: Record<PageAction["type"], readonly (keyof PageAction)[]> = {
  wait: [],
  click: ["selector"],
  type: ["selector", "text"],
  press: ["key"],
  select: ["selector", "value"],
  scroll: [],
}

/** @throws BadInput naming the field that is missing or wrong */
export function checkActions(actions: readonly PageAction[] = []): void {
  for (const [index, given] of actions.entries()) {
    const place = `actions[${index}]`
    for (const field of needs[given.type]) {
      if (given[field] === undefined) {
        throw new BadInput(`${place}.${field}: "${given.type}" needs it.`)
      }
    }
    if (given.type === "wait" && given.selector === undefined && given.milliseconds === undefined) {
      throw new BadInput(`${place}: "wait" needs selector or milliseconds.`)
    }
    if (given.selector !== undefined) checkOne(given.selector, `${place}.selector`)
  }
}

function checkOne(selector: string, place: string): void {
  try {
    checkSelector(selector, parseDocument(""))
  } catch (error) {
    if (error instanceof SelectorError) throw new BadInput(`${place}: ${error.message}`)
    throw error
  }
}

/** Of a scraper's input, for ctx.page. */
export const actionsOf = ({ actions }: { actions?: PageAction[] }) =>
  actions === undefined || actions.length === 0 ? {} : { actions }
