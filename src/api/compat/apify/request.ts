import { type AnyScraper, briefText } from "../../../catalogue/kit/index.ts"
import { readJson } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { Call } from "../../service.ts"
import type { ScraperParts } from "../../service-parts.ts"
import { knownScraper } from "../../v1/scrapers.ts"
import { notOffered } from "../common/refusal.ts"
import { type Page, username } from "./responses.ts"

/** Returns the scraper of an actor's name: `trawl~slug` or the slug. @throws ApiError 404 */
export function actorOf(service: ScraperParts, written: string): AnyScraper {
  const name = written.replace("/", "~")
  const [, owner, slug = ""] = /^(?:([^~]*)~)?(.*)$/.exec(name) ?? []
  if (owner !== undefined && owner !== username) {
    throw new ApiError(
      404,
      `There is no actor "${briefText(name)}". Actors are named ${username}~<scraper>, for example ${username}~web-scraper.`,
    )
  }
  return knownScraper(service, slug)
}

/**
 * Returns the input of a call. A missing body is an empty input. A body without a content type is
 * refused, because it would start a run with other inputs. @throws ApiError 400, 415
 */
export async function inputOf({ request }: Call): Promise<unknown> {
  const { method, body, headers } = request
  const isEmpty = method === "GET" || body === null || headers.get("content-length") === "0"
  return isEmpty ? {} : readJson(request)
}

/** @throws ApiError 400 */
export function numberIn(query: URLSearchParams, name: string, max: number): number | undefined {
  const written = query.get(name)
  if (written === null || written === "") return undefined
  const value = Number(written)
  if (Number.isInteger(value) && value >= 0) return Math.min(value, max)
  throw new ApiError(400, `"${name}" must be a whole number, not "${written.slice(0, 40)}".`)
}

/** A flag is `1`, `true` or its name without a value. */
export function flagIn(query: URLSearchParams, name: string): boolean {
  const written = query.get(name)
  return written !== null && !["0", "false"].includes(written.toLowerCase())
}

const maxListed = 1000

/** Apify treats 0 as no limit. */
export function pageIn(query: URLSearchParams): Page {
  return {
    limit: numberIn(query, "limit", maxListed) || maxListed,
    offset: numberIn(query, "offset", Number.MAX_SAFE_INTEGER) ?? 0,
    desc: flagIn(query, "desc"),
  }
}

const maxRun = 86_400

/** Returns the options of a start in addition to its input. @throws ApiError 400 */
export function startOptions(call: Call) {
  const query = queryOf(call.request)
  if (query.has("maxTotalChargeUsd")) {
    throw notOffered('"maxTotalChargeUsd"', 'Limit the run with "maxItems".')
  }
  const timeoutSeconds = numberIn(query, "timeout", maxRun)
  const maxItems = numberIn(query, "maxItems", Number.MAX_SAFE_INTEGER)
  return {
    ...(timeoutSeconds && { timeoutSeconds }),
    ...(maxItems && { maxItems }),
  }
}
