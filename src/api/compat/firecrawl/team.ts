import { accountById } from "../../../store/accounts/accounts.ts"
import { usageRows } from "../../../store/accounts/usage.ts"
import { accountRuns } from "../../../store/runs/run-lists.ts"
import type { Call } from "../../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../../service-parts.ts"
import { accountOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { crawlSlug } from "./jobs.ts"
import type { Json, Version } from "./options.ts"

/** Clients expect a number of credits, also for accounts without a limit. */
const unlimited = 1_000_000_000
const maxVisible = 100

export function creditUsage(
  service: CoreParts & ClientParts & AccessParts,
  version: Version,
): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const account = await accountById(service.store.db, accountId)
    const left = account?.unlimited ? unlimited : (account?.balance ?? 0)
    return {
      success: true,
      data:
        version === "v1"
          ? { remaining_credits: left, plan_credits: left }
          : {
              remainingCredits: left,
              planCredits: left,
              billingPeriodStart: null,
              billingPeriodEnd: null,
            },
    }
  }
}

/** Tokens per credit, as in Firecrawl. */
const tokensPerCredit = 15

export function tokenUsage(service: CoreParts & ClientParts & AccessParts, version: Version): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const account = await accountById(service.store.db, accountId)
    const left = account?.unlimited ? unlimited : (account?.balance ?? 0) * tokensPerCredit
    return {
      success: true,
      data:
        version === "v1"
          ? {
              remaining_tokens: left,
              plan_tokens: left,
              billing_period_start: null,
              billing_period_end: null,
            }
          : {
              remainingTokens: left,
              planTokens: left,
              billingPeriodStart: null,
              billingPeriodEnd: null,
            },
    }
  }
}

const monthsVisible = 12

/** Credits used in each of the last months, oldest first; per key on request. */
export function historicalUsage(
  service: CoreParts & ClientParts & AccessParts,
  unit: "credits" | "tokens",
): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const byKey = new URL(call.request.url).searchParams.get("byApiKey") === "true"
    const now = new Date()
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsVisible + 1, 1))
    const rows = await usageRows(service.store.db, {
      accountId,
      from: first.toISOString().slice(0, 10),
    })
    const sums = new Map<string, { month: string; keyId: string; credits: number }>()
    for (const { day, keyId, credits } of rows) {
      const month = day.slice(0, 7)
      const of = byKey ? (keyId ?? "") : ""
      const sum = sums.get(`${month} ${of}`) ?? { month, keyId: of, credits: 0 }
      sums.set(`${month} ${of}`, { ...sum, credits: sum.credits + Number(credits) })
    }
    const ordered = [...sums.values()].sort((a, b) => (a.month < b.month ? -1 : 1))
    return {
      success: true,
      periods: ordered.map(({ month, keyId, credits }) => ({
        startDate: `${month}-01T00:00:00.000Z`,
        endDate: monthAfter(month),
        ...(byKey && { apiKey: keyId }),
        ...(unit === "credits"
          ? { creditsUsed: credits }
          : { tokensUsed: credits * tokensPerCredit }),
      })),
    }
  }
}

function monthAfter(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number]
  return new Date(Date.UTC(year, number, 1)).toISOString()
}

export function queueStatus(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const [active, waiting] = await Promise.all([
      liveRuns(service, call, "running"),
      liveRuns(service, call, "queued"),
    ])
    return {
      success: true,
      jobsInQueue: active.length + waiting.length,
      activeJobsInQueue: active.length,
      waitingJobsInQueue: waiting.length,
      maxConcurrency: service.config.workers,
      mostRecentSuccess: null,
    }
  }
}

export function concurrency(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const { length } = await liveRuns(service, call, "running")
    const { workers: maxConcurrency } = service.config
    return {
      success: true,
      data: { concurrency: length, maxConcurrency },
      concurrency: length,
      maxConcurrency,
    }
  }
}

export function activeCrawls(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const runs = await liveRuns(service, call, "running", crawlSlug)
    const crawls = runs.map(({ id, input = "{}" }) => {
      const { startUrls = [], ...options } = JSON.parse(input) as Json & { startUrls?: string[] }
      return { id, teamId: accountId, url: startUrls[0] ?? "", options }
    })
    return { success: true, crawls }
  }
}

async function liveRuns(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  status: "running" | "queued",
  slug?: string,
) {
  const { accountId } = await accountOf(service, call)
  const filter = { status, ...(slug && { slug }) }
  const page = { limit: maxVisible, offset: 0, withInput: slug !== undefined }
  return Array.fromAsync(accountRuns(service.store.db, accountId, filter, page))
}
