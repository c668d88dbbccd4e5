import { Type } from "@sinclair/typebox"
import type { Context, RenderedResponse } from "../context.ts"
import { itemObject, items } from "../core/fields.ts"
import { imageField, keepImage } from "./shots.ts"

/**
 * Fields of an item whose page was opened with actions that return data.
 * @example actionResults: actionResultField,
 */
export const actionResultField = {
  actionScreenshots: Type.Optional(
    Type.Array(imageField("A screenshot."), {
      description: "Screenshots that actions took, in order.",
    }),
  ),
  actionResults: Type.Optional(
    itemObject(
      {
        pages: items.objects("URL and HTML source of the page at each html action.", {
          url: items.requiredText("URL of the page at the action."),
          html: items.requiredText("HTML source of the page at the action."),
        }),
        values: Type.Array(Type.Unknown(), { description: "Value of each script action." }),
      },
      { description: "With actions: what html and script returned." },
    ),
  ),
}

/**
 * Returns the results of a page's actions as fields of an item, and stores its screenshots.
 * @example ...(await keepActionResults(response, ctx)),
 */
export async function keepActionResults({ shots }: Pick<RenderedResponse, "shots">, ctx: Context) {
  if (!shots?.actions) return {}
  const { screenshots, pages, values } = shots.actions
  const stored = []
  for (const [index, image] of screenshots.entries()) {
    stored.push(await keepImage(image, `action-${index + 1}`, ctx))
  }
  return {
    ...(stored.length > 0 && { actionScreenshots: stored }),
    ...(pages.length + values.length > 0 && { actionResults: { pages, values } }),
  }
}
