import type { Context, RenderedResponse } from "../../kit/index.ts"
import { actionResultField, keepActionResults } from "../page/shots.ts"
import { brandingField, brandingInput, brandingOf } from "./page-branding.ts"
import { changesField, changesInput, comparedPage } from "./page-changes.ts"

/** Inputs that scrapers of any page share: its branding, and its changes since the last run. */
export const extraInputs = { includeBranding: brandingInput, changes: changesInput }

export const extraFields = {
  branding: brandingField,
  changes: changesField,
  ...actionResultField,
}

interface ExtraInput {
  includeBranding: boolean
  changes?: { tag?: string } | undefined
}

/** Reads the branding and the results of actions. Call it before parts of the page are removed. */
export async function readExtras(
  response: RenderedResponse,
  isPage: boolean,
  ctx: Context<ExtraInput>,
) {
  const branding = ctx.input.includeBranding && isPage ? await brandingOf(response, ctx) : undefined
  return { ...(branding && { branding }), ...(await keepActionResults(response, ctx)) }
}

/** Compares the page with the last run; `keep` stores it once its item is yielded. */
export async function compareExtras(
  page: Parameters<typeof comparedPage>[1],
  ctx: Context<ExtraInput>,
) {
  const compared = ctx.input.changes && (await comparedPage(ctx.input.changes, page, ctx))
  return {
    fields: compared ? { changes: compared.changes } : {},
    keep: async () => {
      await compared?.keep()
    },
  }
}
