import { accountById } from "../../store/accounts/accounts.ts"
import { accountRuns } from "../../store/runs/run-lists.ts"
import { accountOf } from "../dropin/account-run.ts"
import type { Work } from "../dropin/refusal.ts"
import type { Call, Service } from "../service.ts"
import { crawlSlug } from "./jobs.ts"
import type { Json, Version } from "./options.ts"

/** Clients want a number: what an unlimited account has left. */
const unlimited = 1_000_000_000
const mostShown = 100

export function creditUsage(service: Service, version: Version): Work {
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

export function queueStatus(service: Service): Work {
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

export function concurrency(service: Service): Work {
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

export function activeCrawls(service: Service): Work {
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

async function liveRuns(service: Service, call: Call, status: "running" | "queued", slug?: string) {
  const { accountId } = await accountOf(service, call)
  const filter = { status, ...(slug && { slug }) }
  const page = { limit: mostShown, offset: 0, withInput: slug !== undefined }
  return Array.fromAsync(accountRuns(service.store.db, accountId, filter, page))
}
