import { ApiError } from "../../http/errors.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import { bodyOf } from "../common/body.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { goodItem, runReported } from "../common/run-now.ts"
import { documentOf } from "./document.ts"
import { callerOf } from "./extraction.ts"
import { type Json, pageOptions } from "./options.ts"

export const pageSlug = "url-to-markdown-scraper"
const alias = { field: "urls", parameter: "url" }

export function textOf(body: Json, name: string): string {
  const value = body[name]
  if (typeof value === "string" && value.trim() !== "") return value.trim()
  throw new ApiError(400, `"${name}" is required: a non-empty string.`)
}

export function countOf(body: Json, name: string, or: number, max: number): number {
  const value = body[name] ?? or
  if (typeof value === "number" && Number.isInteger(value) && value >= 1)
    return Math.min(value, max)
  throw new ApiError(400, `"${name}" must be a whole number greater than 0.`)
}

export function scrape(surface: KeylessSurface): Work {
  return async (call) => {
    const body = await bodyOf(call)
    if (body.alexandria) throw notOffered("Alexandria")
    const url = textOf(body, "url")
    const options = pageOptions(body, callerOf(surface.service, call))
    const { input, waitMs, maxAgeMs } = options
    const requested = { slug: pageSlug, input: { urls: [url], ...input }, waitMs, maxAgeMs, alias }
    const { items, facts } = await runReported(surface, call, requested)
    return { success: true, data: documentOf(goodItem(items[0]), { ...options, facts }) }
  }
}
