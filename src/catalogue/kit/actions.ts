import { type Static, Type } from "@sinclair/typebox"
import { BadInput } from "./core/errors.ts"
import { itemObject, items, oneOf } from "./core/fields.ts"
import { inputs, requireSelector } from "./core/inputs.ts"

const kinds = ["wait", "click", "type", "press", "select", "scroll"] as const
/** Actions that return data of the page at that moment. */
const reading = ["screenshot", "html", "script"] as const
const maxActions = 20
const maxScreenshots = 5
const maxScriptCharacters = 20_000

const kindsDescription =
  "wait (for a selector, up to a number of milliseconds; or only for milliseconds), click (selector), type (text into a selector), press (key), select (value of an option in a selector), scroll (number of screens)"
const fields = {
  selector: inputs.optionalText("CSS selector of an element, for example #load-more.", {
    minLength: 1,
  }),
  text: inputs.optionalText("Text to type.", { maxLength: 2000 }),
  key: inputs.optionalText("Name of a key, for example Enter, Tab or Escape.", {
    pattern: "^[A-Za-z0-9]{1,20}$",
  }),
  value: inputs.optionalText("Value of the option to select, for example de.", { maxLength: 500 }),
  milliseconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  screens: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
}
const action = itemObject({
  type: oneOf(kinds, { description: `${kindsDescription}.` }),
  ...fields,
})
const readingAction = itemObject({
  type: oneOf([...kinds, ...reading], {
    description: `${kindsDescription}, screenshot, html (the page's source), script (runs JavaScript and returns its value, for accounts that the operator allows).`,
  }),
  ...fields,
  fullPage: items.optionalBoolean(
    "Whether a screenshot contains the whole page instead of the window.",
  ),
  script: inputs.optionalText(
    "JavaScript to run in the page: an expression, or statements with return.",
    { minLength: 1, maxLength: maxScriptCharacters },
  ),
})

/** A step that Chrome performs on a page before the page is read. */
export type PageAction = Static<typeof readingAction>

const listOptions = {
  maxItems: maxActions,
  description:
    "Actions in Chrome before the page is read, in this order, within 30 seconds. Requires an API key.",
}

/**
 * The `actions` input of a scraper whose items contain no results of actions.
 * @example input: inputObject({ urls: pageUrls(100), actions: actionsInput })
 */
export const actionsInput = Type.Optional(Type.Array(action, listOptions))
/**
 * The `actions` input of a scraper whose items contain the results of actions.
 * @example actions: readingActionsInput // also accepts { type: "screenshot" }
 */
export const readingActionsInput = Type.Optional(Type.Array(readingAction, listOptions))

const needs: Partial<Record<PageAction["type"], readonly (keyof PageAction)[]>> = {
  click: ["selector"],
  type: ["selector", "text"],
  press: ["key"],
  select: ["selector", "value"],
  script: ["script"],
}

/**
 * Throws BadInput if a field of an action is missing or wrong. The message names the field.
 * @example checkActions(input.actions) // in `targets` of the definition
 */
export function checkActions(actions: readonly PageAction[] = []): void {
  const screenshots = actions.filter(({ type }) => type === "screenshot").length
  if (screenshots > maxScreenshots) {
    throw new BadInput(`actions: at most ${maxScreenshots} may be screenshots, not ${screenshots}.`)
  }
  for (const [index, provided] of actions.entries()) {
    const place = `actions[${index}]`
    const { type, selector, milliseconds } = provided
    const missing = needs[type]?.find((field) => provided[field] === undefined)
    if (missing) throw new BadInput(`${place}.${missing}: "${type}" requires it.`)
    if (type === "wait" && selector === undefined && milliseconds === undefined) {
      throw new BadInput(`${place}: "wait" requires selector or milliseconds.`)
    }
    if (selector !== undefined) requireSelector(`${place}.selector`, selector)
  }
}

/**
 * Returns the actions of an input as options of `ctx.page`.
 * @example await ctx.page(url, { ...actionsOf(ctx.input) })
 */
export const actionsOf = ({ actions }: { actions?: PageAction[] }) =>
  actions === undefined || actions.length === 0 ? {} : { actions }
