import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { deadLetters, unfinishedRuns } from "../../store/runs/run-lists.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import { callContext } from "../http/context.ts"
import { gives } from "../http/contract.ts"
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
          queued: count("Runs that wait for a worker."),
          running: count("Runs in the workers' hands."),
          workers: count("Threads that execute runs."),
        },
        { description: "Of this process; null if it does not execute runs." },
      ),
    ),
    chrome: maybe(
      responseObject(
        { chromes: Type.Integer(), contexts: Type.Integer(), leases: count("Tabs in use.") },
        { description: "Null if no Chrome is running." },
      ),
    ),
    hosts: maybe(
      responseObject({
        waiting: count("Requests that wait for their turn."),
        inFlight: count("Requests in progress."),
        suspended: Type.Array(
          responseObject({ host: Type.String(), reason: Type.String(), seconds: Type.Integer() }),
          { description: "Hosts without requests for the next `seconds`." },
        ),
        quotas: Type.Array(
          responseObject({
            host: Type.String(),
            requests: count("What it allows in all."),
            left: count("What is left of that."),
            endsAt: time("Start of the next period."),
            without: Type.String({ description: "The key with which it does not count." }),
          }),
          { description: "Hosts with a request quota per hour or day for anonymous callers." },
        ),
      }),
    ),
    minutes: Type.Array(
      responseObject({
        at: time("Start of the minute."),
        pages: count("Pages fetched."),
        failures: count("Targets that failed."),
        memoryBytes: count("Memory of the process."),
      }),
      { description: "The last three hours of this process, by the minute." },
    ),
    runs: Type.Array(
      responseObject({
        id: Type.String(),
        scraper: Type.String(),
        status: oneOf(runStatuses),
        statusMessage: maybe(Type.String({ description: "What it waits for." })),
        account: maybe(
          Type.String({ description: "Email address; null for an anonymous caller." }),
        ),
        targetsDone: Type.Integer(),
        targetsTotal: Type.Integer(),
        createdAt: time("When it was accepted."),
      }),
      {
        description: `${maxRuns} that are not over at most: those in work, then those that wait, the oldest first.`,
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
        attempt: count("Times that a worker took it up."),
        finishedAt: time("When it was given up."),
      }),
      {
        description: `Runs that were given up, because they could not be started (\`not_started\`) or ended their workers (\`crashed\`): the last ${maxDead}. \`POST /runs/{runId}/resume\` queues one again.`,
      },
    ),
  },
  { $id: "Now" },
)

/** What the service does at this moment, and why the rest waits. */
export function nowAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & OperationParts,
): AnyElysia {
  const { store, runtimeStats } = service
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ Now: gives(nowSchema) })
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
          summary: "What runs, what waits and why, which hosts are left alone",
          auth: "owner",
          replies: { 200: "This moment." },
        }),
      },
    )
}
