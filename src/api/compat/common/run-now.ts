import { scopesOf } from "../../../accounts/keys.ts"
import { reasonPhrase } from "../../../base/reason-phrases.ts"
import { runById } from "../../../store/runs/runs.ts"
import { targetPage } from "../../../store/runs/target-lists.ts"
import { bearerOf, keyIssue } from "../../http/access.ts"
import { ApiError } from "../../http/errors.ts"
import type { KeylessError } from "../../keyless/error.ts"
import { findScraper, request } from "../../keyless/modes.ts"
import type { KeylessResponse } from "../../keyless/response.ts"
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
  /** Milliseconds to wait for the end of the run. Default: as for keyless calls. */
  waitMs?: number | undefined
  /** Maximum items returned to an account. Default: 1,000. */
  maxItems?: number
  /** Maximum age of a cached run with the same input. Default: one minute. */
  maxAgeMs?: number | undefined
  /** Maps an input field to the caller's parameter name. */
  alias?: { field: string; parameter: string }
}

/**
 * Runs a scraper while the caller waits. Accounts pay by their key, anonymous callers by the daily
 * free quota. Returns the items, including error items. @throws ApiError
 */
export async function runNow(
  surface: KeylessSurface,
  call: Call,
  scrape: ScrapeRequest,
): Promise<Item[]> {
  return (await runReported(surface, call, scrape)).items
}

/** The run that returned the items of a call. */
export interface ScrapeFacts {
  scrapeId: string | undefined
  /** Seconds since the page was fetched, if it comes from the cache. */
  cachedAge: number | undefined
  creditsUsed: number
  /** Whether the operator's unlocker fetched the page. */
  isUnlocked: boolean
}

/** Like `runNow`, with the facts of the run. @throws ApiError */
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
  throw issue ? await refusalOfIssue(surface, call, issue) : refusalIn(response)
}

async function refusalOfIssue(
  { service }: KeylessSurface,
  call: Call,
  { httpStatus, message }: KeylessError,
  token = bearerOf(call.request),
): Promise<ApiError> {
  return new ApiError(httpStatus >= 400 ? httpStatus : await statusOf(service, token), message)
}

/** Converts an error of the keyless API for a compatible API. */
export const keylessRefusal = (
  surface: KeylessSurface,
  call: Call,
  error: unknown,
  token?: string,
): Promise<ApiError> => refusalOfIssue(surface, call, surface.asIssue(call, error), token)

/** The status of an error that the keyless API returns with status 200; most are about the key. */
async function statusOf(service: AccessParts, token: string | undefined): Promise<number> {
  if (token === undefined) return 500
  const owner = await service.keys.owner(token)
  if (!owner) return 401
  return keyIssue(owner) || !scopesOf(owner).includes("run") ? 403 : 500
}

/** Converts a response without items into an error. @throws ApiError */
export function refusalIn({ status, error, ...rest }: KeylessResponse): ApiError {
  const message = typeof error === "string" ? error : (error?.message ?? status)
  switch (status) {
    case "PAYMENT_REQUIRED":
      return new ApiError(402, rest.agentGuidance ?? message, { claimUrl: rest.claimUrl })
    case "RUNNING":
      return new ApiError(
        408,
        `The run has not finished; its result will be at ${rest.resultUrl} for 24 hours.`,
      )
    case "INVALID_INPUT":
      return new ApiError(400, message)
    default:
      return new ApiError(422, message)
  }
}

/** Returns the error of a failed target; undefined for other items. */
export function errorOf(item: Item | undefined): ItemError | undefined {
  return item?.error as ItemError | undefined
}

/** The status of an error page with its reason phrase; undefined for other pages. */
export function errorStatus({ statusCode }: Item): { code: number; phrase: string } | undefined {
  if (typeof statusCode !== "number" || statusCode < 400) return undefined
  return { code: statusCode, phrase: reasonPhrase(statusCode) ?? `Status ${statusCode}` }
}

/** Returns the item. @throws ApiError if there is none, or if it is an error item */
export function goodItem(item: Item | undefined): Item {
  const error = errorOf(item)
  if (item && !error) return item
  throw failureOf(
    error ?? {
      code: "empty_response",
      message: "The run returned no item. Check the URL in a browser.",
    },
  )
}

const statuses: Record<string, number> = {
  invalid_input: 400,
  egress_denied: 403,
  not_found: 404,
  timeout: 408,
}

/** Converts a target's error into an error of the call; `details` contains its code. */
export function failureOf({ code, message }: ItemError): ApiError {
  return new ApiError(statuses[code] ?? 422, message, { code })
}
