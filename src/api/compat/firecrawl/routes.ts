import { type AnyElysia, Elysia } from "elysia"
import type { ApiError } from "../../http/errors.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import { answersBy, notOffered } from "../common/refusal.ts"
import { scrape } from "./calls.ts"
import { extractStatus, startExtract } from "./extract.ts"
import { cancelJob, jobErrors, jobStatus, type Kind, startBatch, startCrawl } from "./jobs.ts"
import { map } from "./map.ts"
import { getCheck, listChecks, runMonitor } from "./monitor-checks.ts"
import {
  changeMonitor,
  createMonitor,
  deleteMonitor,
  getMonitor,
  listMonitors,
} from "./monitors.ts"
import type { Version } from "./options.ts"
import { paramsPreview } from "./params-preview.ts"
import { parse } from "./parse.ts"
import { search } from "./search.ts"
import {
  activeCrawls,
  concurrency,
  creditUsage,
  historicalUsage,
  queueStatus,
  tokenUsage,
} from "./team.ts"
import { watchedJob } from "./watcher.ts"

/** The handlers read bodies, so that errors are returned in this API's format. */
const hidden = { detail: { hide: true }, parse: "none" } as const

/** Firecrawl's routes that Trawl does not have. */
const missing: Record<Version, readonly string[]> = {
  v1: ["deep-research", "llmstxt"],
  v2: [
    "agent",
    "browser",
    "parse/upload-url",
    "feedback",
    "search/developer",
    "search/research",
    "search/:job/feedback",
    "scrape/:job/interact",
  ],
}

/** Firecrawl's API for its clients. */
export function firecrawlRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface
  const answered = answersBy(service, ({ status, message, details }: ApiError) => ({
    success: false,
    error: message,
    code: codeOf(status, details),
    ...(details !== undefined && { details }),
  }))
  const routes = new Elysia()
  // Older clients read batches at the route of crawls.
  for (const kind of ["crawl", "batch/scrape"]) {
    routes.delete(`/v1/${kind}/:id/errors`, answered(jobErrors(service)), hidden)
  }
  routes
    .post("/v2/crawl/params-preview", answered(paramsPreview(service)), hidden)
    .post("/v2/parse", answered(parse(service)), hidden)
    .post("/v2/monitor", answered(createMonitor(service)), hidden)
    .get("/v2/monitor", answered(listMonitors(service)), hidden)
    .get("/v2/monitor/:monitor", answered(getMonitor(service)), hidden)
    .patch("/v2/monitor/:monitor", answered(changeMonitor(service)), hidden)
    .delete("/v2/monitor/:monitor", answered(deleteMonitor(service)), hidden)
    .post("/v2/monitor/:monitor/run", answered(runMonitor(service)), hidden)
    .get("/v2/monitor/:monitor/checks", answered(listChecks(service)), hidden)
    .get("/v2/monitor/:monitor/checks/:check", answered(getCheck(service)), hidden)
  for (const version of ["v2", "v1"] as const) {
    routes
      .post(`/${version}/scrape`, answered(scrape(surface)), hidden)
      .post(`/${version}/search`, answered(search(surface, version)), hidden)
      .post(`/${version}/map`, answered(map(surface, version)), hidden)
      .post(`/${version}/crawl`, answered(startCrawl(service, version)), hidden)
      .get(`/${version}/crawl/active`, answered(activeCrawls(service)), hidden)
      .post(`/${version}/batch/scrape`, answered(startBatch(service, version)), hidden)
      .post(`/${version}/extract`, answered(startExtract(service)), hidden)
      .get(`/${version}/extract/:id`, answered(extractStatus(service)), hidden)
      .get(`/${version}/team/credit-usage`, answered(creditUsage(service, version)), hidden)
      .get(`/${version}/team/token-usage`, answered(tokenUsage(service, version)), hidden)
      .get(
        `/${version}/team/credit-usage/historical`,
        answered(historicalUsage(service, "credits")),
        hidden,
      )
      .get(
        `/${version}/team/token-usage/historical`,
        answered(historicalUsage(service, "tokens")),
        hidden,
      )
      .get(`/${version}/team/queue-status`, answered(queueStatus(service)), hidden)
      .get(`/${version}/concurrency-check`, answered(concurrency(service)), hidden)
    for (const kind of ["crawl", "batch/scrape"] satisfies Kind[]) {
      routes
        .get(
          `/${version}/${kind}/:id`,
          answered(watchedJob(service, { version, status: jobStatus(service, version, kind) })),
          hidden,
        )
        .get(`/${version}/${kind}/:id/errors`, answered(jobErrors(service)), hidden)
        .delete(`/${version}/${kind}/:id`, answered(cancelJob(service)), hidden)
    }
    for (const path of missing[version]) {
      const refuse = answered(async () => {
        throw notOffered(
          `/${version}/${path}`,
          "See /docs/guide/compatibility for the supported routes.",
        )
      })
      routes.all(`/${version}/${path}`, refuse, hidden).all(`/${version}/${path}/*`, refuse, hidden)
    }
  }
  return routes
}

const codes: Record<number, string> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "INSUFFICIENT_CREDITS",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  408: "SCRAPE_TIMEOUT",
  415: "BAD_REQUEST",
  429: "RATE_LIMIT_EXCEEDED",
}

function codeOf(status: number, details: unknown): string {
  const kind = (details as { code?: unknown } | undefined)?.code
  if (typeof kind === "string" && status !== 408) return `SCRAPE_${kind.toUpperCase()}`
  return codes[status] ?? "UNKNOWN_ERROR"
}
