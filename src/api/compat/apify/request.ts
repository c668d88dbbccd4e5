import type { AnyScraper } from "../../../catalogue/kit/index.ts"
import { readJson } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { Call } from "../../service.ts"
import type { ScraperParts } from "../../service-parts.ts"
import { knownScraper } from "../../v1/scrapers.ts"
import { notOffered } from "../common/refusal.ts"
import { type Page, username } from "./answers.ts"

/** A scraper by the name of its actor: `trawl~slug`, or the slug alone. @throws ApiError 404 */
export function actorOf(service: ScraperParts, written: string): AnyScraper {
  const name = written.replace("/", "~")
  const [, owner, slug = ""] = /^(?:([^~]*)~)?(.*)$/.exec(name) ?? []
  if (owner !== undefined && owner !== username) {
    throw new ApiError(404, `Actor was not found: actors here are ${username}~<scraper>.`)
  }
  return knownScraper(service, slug)
}

/**
 * The input; none is an empty one, of which the scraper says what it lacks. One of no stated type is
 * refused: a run without it would be another one.
 */
export async function inputOf({ request }: Call): Promise<unknown> {
  const { method, body, headers } = request
  const isEmpty = method === "GET" || body === null || headers.get("content-length") === "0"
  return isEmpty ? {} : readJson(request)
}

/** @throws ApiError 400 */
export function numberIn(query: URLSearchParams, name: string, most: number): number | undefined {
  const written = query.get(name)
  if (written === null || written === "") return undefined
  const value = Number(written)
  if (Number.isInteger(value) && value >= 0) return Math.min(value, most)
  throw new ApiError(400, `"${name}" must be a whole number, not "${written.slice(0, 40)}".`)
}

/** Flags are written 1, true or by their name alone. */
export function flagIn(query: URLSearchParams, name: string): boolean {
  const written = query.get(name)
  return written !== null && !["0", "false"].includes(written.toLowerCase())
}

const maxListed = 1000

/** Apify reads 0 as no limit. */
export function pageIn(query: URLSearchParams): Page {
  return {
    limit: numberIn(query, "limit", maxListed) || maxListed,
    offset: numberIn(query, "offset", Number.MAX_SAFE_INTEGER) ?? 0,
    desc: flagIn(query, "desc"),
  }
}

const maxRun = 86_400

/** What a start says besides its input. @throws ApiError 400 */
export function startOptions(call: Call) {
  const query = queryOf(call.request)
  if (query.has("maxTotalChargeUsd")) {
    throw notOffered('"maxTotalChargeUsd"', 'Bound a run by "maxItems".')
  }
  const timeoutSeconds = numberIn(query, "timeout", maxRun)
  const maxItems = numberIn(query, "maxItems", Number.MAX_SAFE_INTEGER)
  return {
    ...(timeoutSeconds && { timeoutSeconds }),
    ...(maxItems && { maxItems }),
  }
}
