import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { deadLetters, unfinishedRuns } from "../../store/runs/run-lists.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import { callContext } from "../http/context.ts"
import { responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { maybe, responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, OperationParts } from "../service-parts.ts"
import { adminPrefix } from "./prefix.ts"

const maxRuns = 100
const maxDead = 50

const count = (description: string) => Type.Integer({ description })

const nowSchema = responseObject(
  {
    work: maybe(
      responseObject(
        {
          queued: count("Runs waiting for a worker."),
          running: count("Running runs."),
          workers: count("Worker threads."),
        },
        { description: "Runs of this process; null if it does not execute runs." },
      ),
    ),
    chrome: maybe(
      responseObject(
        { chromes: Type.Integer(), contexts: Type.Integer(), leases: count("Tabs in use.") },
        { description: "Chrome of this process; null if it is not running." },
      ),
    ),
    hosts: maybe(
      responseObject({
        waiting: count("Requests waiting for the rate limit."),
        inFlight: count("Requests in progress."),
        suspended: Type.Array(
          responseObject({ host: Type.String(), reason: Type.String(), seconds: Type.Integer() }),
          { description: "Hosts that get no requests for the next `seconds`." },
        ),
        quotas: Type.Array(
          responseObject({
            host: Type.String(),
            requests: count("Requests allowed per period."),
            left: count("Requests left in this period."),
            endsAt: time("Start of the next period."),
            without: Type.String({ description: "API key or setting that removes this quota." }),
          }),
          { description: "Hosts with a request quota per hour or day for anonymous callers." },
        ),
      }),
    ),
    minutes: Type.Array(
      responseObject({
        at: time("Start of the minute."),
        pages: count("Pages fetched."),
        failures: count("Failed targets."),
        memoryBytes: count("Memory of the process in bytes."),
      }),
      { description: "The last three hours of this process, by minute." },
    ),
    runs: Type.Array(
      responseObject({
        id: Type.String(),
        scraper: Type.String(),
        status: oneOf(runStatuses),
        statusMessage: maybe(Type.String({ description: "Reason why the run is waiting." })),
        account: maybe(
          Type.String({ description: "Email address; null for an anonymous caller." }),
        ),
        targetsDone: Type.Integer(),
        targetsTotal: Type.Integer(),
        createdAt: time("Time of creation."),
      }),
      {
        description: `${maxRuns} unfinished runs at most: running runs first, then queued ones, oldest first.`,
      },
    ),
    deadLetters: Type.Array(
      responseObject({
        id: Type.String(),
        scraper: Type.String(),
        account: maybe(
          Type.String({ description: "Email address; null for an anonymous caller." }),
        ),
        error: responseObject({ code: Type.String(), message: Type.String() }),
        attempt: count("Number of attempts."),
        finishedAt: time("Time at which the run failed for good."),
      }),
      {
        description: `Dead letters: runs that could not be started (\`not_started\`) or crashed their workers (\`crashed\`). The last ${maxDead}. \`POST /runs/{runId}/resume\` queues a run again.`,
      },
    ),
  },
  { $id: "Now" },
)

/** The current state of the service: running and waiting runs, and the reasons for waiting. */
export function nowAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & OperationParts,
): AnyElysia {
  const { store, runtimeStats } = service
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ Now: responseSchema(nowSchema) })
    .get(
      "/now",
      async () => {
        const rows = await unfinishedRuns(store.db, maxRuns)
        const dead = await deadLetters(store.db, maxDead)
        const work = runtimeStats?.runs()
        const chrome = await runtimeStats?.chrome()
        return {
          work: work ? { queued: work.queued, running: work.running, workers: work.workers } : null,
          chrome: chrome
            ? { chromes: chrome.chromes, contexts: chrome.contexts, leases: chrome.leases }
            : null,
          hosts: runtimeStats?.hosts() ?? null,
          minutes: (runtimeStats?.curves() ?? []).map(({ at, pages, failures, memory }) => ({
            at: new Date(at).toISOString(),
            pages,
            failures,
            memoryBytes: memory,
          })),
          runs: rows.map((row) => ({
            id: row.id,
            scraper: row.slug,
            status: row.status,
            statusMessage: row.status_message,
            account: row.email,
            targetsDone: row.targets_done,
            targetsTotal: row.targets_total,
            createdAt: row.created_at,
          })),
          deadLetters: dead.map((row) => ({
            id: row.id,
            scraper: row.slug,
            account: row.email,
            error: { code: row.error_code!, message: row.error_message ?? "" },
            attempt: row.attempt,
            finishedAt: row.finished_at!,
          })),
        }
      },
      {
        owner: true,
        response: { 200: "Now" },
        detail: operation({
          id: "adminNow",
          tag: "Administration",
          summary: "Get running and waiting runs, and hosts that are backed off",
          auth: "owner",
          replies: { 200: "Current activity of the service." },
        }),
      },
    )
}
