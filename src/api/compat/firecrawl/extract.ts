import { itemBodies } from "../../../store/runs/items.ts"
import { isOver } from "../../../store/runs/runs.ts"
import { ApiError } from "../../http/errors.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../../service-parts.ts"
import { ownRunOf, startRun } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { errorOf, type Item } from "../common/run-now.ts"
import { pageSlug } from "./calls.ts"
import { callerOf, objectRequest } from "./extraction.ts"
import { expiryOf, nearMs, states } from "./jobs.ts"
import {
  type Json,
  ofClients,
  pageOptions,
  requireNone,
  unheard,
  withoutEffect,
} from "./options.ts"

const refused = ["enableWebSearch", "agent", "webhook", "threatProtection", "zeroDataRetention"]
const received = ["urls", "schema", "prompt", "systemPrompt", "scrapeOptions", ...ofClients]
const maxUrls = 1000
/** Maximum items read for one response; an extract job returns one object. */
const maxItems = 1000

/** Starts a run whose objects are merged into one; the run's ID is the job's ID. */
export function startExtract(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): Work {
  return async (call) => {
    const body = await bodyOf(call)
    requireNone(body, refused, " in an extract")
    const urls = urlsOf(body)
    const caller = callerOf(service, call)
    const { input, warning: ofObject } = objectRequest("extract", body, caller.model)
    const options = pageOptions((body.scrapeOptions ?? {}) as Json, caller)
    const run = await startRun(service, call, pageSlug, {
      ...options.input,
      // Facts of an error page must not be merged with those of the requested pages.
      errorPages: false,
      urls,
      extract: input,
    })
    const silent = unheard(body, received)
    const ignored = silent.length > 0 ? withoutEffect(silent) : undefined
    const warning = [ignored, options.warning, ofObject].filter(Boolean).join(" ")
    return { success: true, id: run.id, urlTrace: [], ...(warning && { warning }) }
  }
}

function urlsOf({ urls }: Json): string[] {
  const isList = Array.isArray(urls) && urls.every((one) => typeof one === "string")
  if (!isList || urls.length === 0 || urls.length > maxUrls) {
    throw new ApiError(400, `"urls" must be a list of 1 to ${maxUrls} addresses.`)
  }
  const pattern = urls.find((url) => url.endsWith("*"))
  if (pattern)
    throw notOffered(
      `A URL pattern such as "${pattern}"`,
      'Crawl the site with the format "json" instead.',
    )
  return urls
}

export function extractStatus(service: CoreParts & ClientParts & AccessParts & RunParts): Work {
  const { db } = service.store
  return async (call, { id }) => {
    const status = await ownRunOf(service, call, id!, [pageSlug])
    const run = isOver(status.status)
      ? status
      : ((await service.runs.wait(status.id, nearMs, call.request.signal)) ?? status)
    const items: Item[] = []
    if (isOver(run.status)) {
      for await (const body of itemBodies(db, run.n, { limit: maxItems }))
        items.push(JSON.parse(body))
    }
    const failed = items.find((item) => errorOf(item))
    const error = run.error_message ?? errorOf(failed)?.message
    return {
      success: states[run.status] !== "failed",
      status: states[run.status] ?? "processing",
      data: merged(items.map(objectIn)),
      creditsUsed: run.credits_charged,
      expiresAt: expiryOf(service, run),
      ...(error && { error }),
    }
  }
}

const objectIn = ({ extracted }: Item): Json | undefined =>
  (extracted as { data: Json } | undefined)?.data

/**
 * Merges the objects of several pages: lists are joined, and other fields come from the first page
 * that has them.
 */
function merged(objects: (Json | undefined)[]): Json {
  const whole: Json = {}
  for (const object of objects) {
    for (const [name, value] of Object.entries(object ?? {})) {
      const known = whole[name]
      if (Array.isArray(known) && Array.isArray(value)) whole[name] = [...known, ...value]
      else if (known === undefined || known === null) whole[name] = value
    }
  }
  return whole
}
