import { pick } from "../../export/table.ts"
import type { KeylessResponse } from "../keyless/response.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import { type CompleteSearch, search } from "./search.ts"
import { CallRefused, type SeveralOptions, SeveralRuns } from "./several-runs.ts"
import { type PartRuns, SearchFailed } from "./web-search.ts"

/** The name of a search in responses. */
export const searchTool = "search"

export interface CallSearch {
  request: Omit<CompleteSearch, "waitMs">
  /** Fields of the items to return. Default: all. */
  fields?: string[] | undefined
  maxAgeMs?: number
}

/** Searches for a call by its quota or account. @throws KeylessError, ApiError */
export async function searchFor(
  surface: KeylessSurface,
  by: Omit<SeveralOptions, "stored" | "maxAgeMs">,
  { request, fields, maxAgeMs }: CallSearch,
): Promise<KeylessResponse> {
  const stored = { tool: searchTool, inputText: request.query, caller: by.caller }
  const options = { ...by, stored, ...(maxAgeMs !== undefined && { maxAgeMs }) }
  const several = [new SeveralRuns(surface, options), new SeveralRuns(surface, options)] as const
  const base = () => {
    const credits = several[0].creditsCharged + several[1].creditsCharged
    return surface.calls.base(by.call, stored, credits)
  }
  try {
    const { items, age, ...response } = await search(
      partRuns(surface, several[0]),
      { ...request, waitMs: surface.service.config.keylessWait * 1000 },
      withoutRefusal(partRuns(surface, several[1])),
    )
    return {
      status: "SUCCEEDED",
      ...(await base()),
      ...response,
      links: {},
      itemCount: items.length,
      items: items.map((item) => pick({ ...item }, fields ? { fields } : {})),
      ...(age !== undefined && { cached: true, age }),
    }
  } catch (error) {
    if (error instanceof CallRefused) return error.response
    if (!(error instanceof SearchFailed)) throw error
    return {
      status: error.code === "invalid_input" ? "INVALID_INPUT" : "ERROR",
      ...(await base()),
      engines: error.engines,
      error: { message: error.message, details: { code: error.code } },
    }
  }
}

/** The runs of a call, as a search needs them. */
export const partRuns = ({ service }: KeylessSurface, several: SeveralRuns): PartRuns => ({
  scraper: (slug) => service.scraper(slug),
  healthOf: (slug) => service.health.of(slug),
  run: (parts, limits) => several.run(parts, limits),
})

/** Runs that read pages: without quota or credits for them, the results come without their pages. */
const withoutRefusal = (runs: PartRuns): PartRuns => ({
  ...runs,
  async run(parts, limits) {
    try {
      return await runs.run(parts, limits)
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error
      const { error: refusal } = error.response
      const message = typeof refusal === "string" ? refusal : (refusal?.message ?? "")
      return parts.map(() => ({ items: [], error: { code: "out_of_credit", message } }))
    }
  },
})
