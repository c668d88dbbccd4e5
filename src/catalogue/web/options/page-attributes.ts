import { type Static, Type } from "@sinclair/typebox"
import { Finder } from "../../../extract/core/index.ts"
import {
  inputs,
  itemObject,
  items,
  namingInput,
  provided,
  requireSelector,
  type UpstreamResponse,
} from "../../kit/index.ts"

const maxRequested = 50
const maxValues = 1000
const maxCharacters = 10_000

const requested = itemObject({
  selector: inputs.text("CSS selector of the elements, for example li.product.", {
    maxLength: 1000,
  }),
  attribute: inputs.text("Name of the attribute, for example data-id.", { maxLength: 100 }),
})

export const input = provided(
  Type.Array(requested, {
    maxItems: maxRequested,
    default: [],
    description:
      "Attributes to list, for example data-id. All elements of the page that match the selector are used.",
  }),
  [],
)
type Requested = Static<typeof requested>

export const field = Type.Optional(
  items.objects("With attributes: the values that each names.", {
    selector: items.requiredText("CSS selector in the input."),
    attribute: items.requiredText("Name of the attribute."),
    values: items.texts(`Values in the page's order, at most ${maxValues}.`),
  }),
)

/** Throws BadInput if a selector is not valid. The message names the selector. */
export function check(attributes: readonly Requested[]): void {
  for (const [index, { selector }] of attributes.entries()) {
    requireSelector(nameOf(index), selector)
  }
}

/** Returns the values of the requested attributes, read before parts of the page are removed. */
export function valuesOf({ document }: UpstreamResponse, attributes: readonly Requested[]) {
  if (attributes.length === 0) return {}
  const finder = new Finder()
  return {
    attributes: attributes.map(({ selector, attribute }, index) => ({
      selector,
      attribute,
      values: namingInput(nameOf(index), () => finder.find(document, selector))
        .flatMap((element) => element.getAttribute(attribute) ?? [])
        .slice(0, maxValues)
        .map((value) => value.slice(0, maxCharacters)),
    })),
  }
}

const nameOf = (index: number) => `attributes[${index}].selector`
