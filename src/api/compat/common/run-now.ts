import { scopesOf } from "../../../accounts/keys.ts"
import { reasonPhrase } from "../../../base/reason-phrases.ts"
import { runById } from "../../../store/runs/runs.ts"
import { targetPage } from "../../../store/runs/target-lists.ts"
import { ApiError } from "../../http/errors.ts"
import { bearerOf, keyIssue } from "../../http/guard.ts"
import type { KeylessResponse } from "../../keyless/answer.ts"
import { findScraper, request } from "../../keyless/modes.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import type { Call } from "../../service.ts"
import type { AccessParts } from "../../service-parts.ts"

export type Item = Record<string, unknown>

export interface ItemError {
  code: string
  message: string
}

export interface ScrapeRequest {
  slug: string
  input: Record<string, unknown>
  /** Milliseconds to wait for the end. Default: those of the keyless surface. */
  waitMs?: number | undefined
  /** Items of the answer to an account. Default: 1,000. */
  maxItems?: number
  /** How old a run of the same input may be that answers in its place. Default: a minute. */
  maxAgeMs?: number | undefined
  /** A field of the input as the caller calls it. */
  alias?: { field: string; parameter: string }
}

/**
 * Runs a scraper while its caller waits, for an account by its key, or for an anonymous caller by
 * the daily free quota. Returns the items, errors among them. @throws ApiError
 */
export async function runNow(
  surface: KeylessSurface,
  call: Call,
  scrape: ScrapeRequest,
): Promise<Item[]> {
  return (await runReported(surface, call, scrape)).items
}

/** The run behind the items of a call. */
export interface ScrapeFacts {
  scrapeId: string | undefined
  /** Seconds since the page was fetched for an earlier call; undefined if it was fetched for this one. */
  cachedAge: number | undefined
  creditsUsed: number
  /** The page was fetched by the operator's unlocker. */
  isUnlocked: boolean
}

/** As `runNow`, with the facts of the run. @throws ApiError */
export async function runReported(
  surface: KeylessSurface,
  call: Call,
  scrape: ScrapeRequest,
): Promise<{ items: Item[]; facts: ScrapeFacts }> {
  const { service } = surface
  let scrapeId: string | undefined
  const { slug, input, waitMs, maxItems, maxAgeMs, alias } = scrape
  const named = { tool: slug, inputText: JSON.stringify(input), agentId: null, token: null }
  const { response, issue } = await surface.response(call, named, (caller) => {
    const wanted = request(findScraper(service, slug), input, alias ? { alias } : {})
    return surface.calls.scrape(call, caller, {
      ...wanted,
      ...(waitMs !== undefined && { waitMs }),
      ...(maxItems !== undefined && { maxItems }),
      ...(maxAgeMs !== undefined && { maxAgeMs }),
      onRun(run) {
        scrapeId = run.id
      },
    })
  })
  const { status, items, cached, age } = response
  if (status === "SUCCEEDED" || (status === "ERROR" && !issue && items.length > 0)) {
    const { db } = service.store
    const run = scrapeId === undefined ? undefined : await runById(db, scrapeId)
    const [target] = run
      ? (await targetPage(db, { runN: run.n }, { limit: 1, offset: 0 })).rows
      : []
    const facts = {
      scrapeId,
      cachedAge: cached ? (age ?? 0) : undefined,
      creditsUsed: cached ? 0 : (run?.credits_charged ?? 0),
      isUnlocked: target?.fetchMethod === "unlocker",
    }
    return { items, facts }
  }
  if (issue && issue.httpStatus >= 400) throw new ApiError(issue.httpStatus, issue.message)
  if (issue) throw new ApiError(await statusOf(service, call), issue.message)
  throw refusalIn(response)
}

/** Of a fault that the keyless surface answers with 200: most are the key's. */
async function statusOf(service: AccessParts, { request }: Call): Promise<number> {
  const token = bearerOf(request)
  if (token === undefined) return 500
  const owner = await service.keys.owner(token)
  if (!owner) return 401
  return keyIssue(owner) || !scopesOf(owner).includes("run") ? 403 : 500
}

function refusalIn({ status, error, ...rest }: KeylessResponse): ApiError {
  const message = typeof error === "string" ? error : (error?.message ?? status)
  switch (status) {
    case "PAYMENT_REQUIRED":
      return new ApiError(402, rest.agentGuidance ?? message, { claimUrl: rest.claimUrl })
    case "RUNNING":
      return new ApiError(
        408,
        `It is not done yet; its result will be at ${rest.resultUrl} for 24 hours.`,
      )
    case "INVALID_INPUT":
      return new ApiError(400, message)
    default:
      return new ApiError(422, message)
  }
}

/** Why a target failed; undefined of a good item. */
export function errorOf(item: Item | undefined): ItemError | undefined {
  return item?.error as ItemError | undefined
}

/** The status of an error page, in words; undefined of any other page. */
export function errorStatus({ statusCode }: Item): { code: number; phrase: string } | undefined {
  if (typeof statusCode !== "number" || statusCode < 400) return undefined
  return { code: statusCode, phrase: reasonPhrase(statusCode) ?? `Status ${statusCode}` }
}

/** @throws ApiError if there is none, or if it is an error */
export function goodItem(item: Item | undefined): Item {
  const error = errorOf(item)
  if (item && !error) return item
  throw failureOf(error ?? { code: "empty_response", message: "Nothing came of it." })
}

const statuses: Record<string, number> = {
  invalid_input: 400,
  egress_denied: 403,
  not_found: 404,
  timeout: 408,
}

/** A target's failure as that of its whole call; `details` names its kind. */
export function failureOf({ code, message }: ItemError): ApiError {
  return new ApiError(statuses[code] ?? 422, message, { code })
}
