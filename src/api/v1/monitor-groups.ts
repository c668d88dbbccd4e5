import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { monitorsTagged } from "../../store/automation/monitors.ts"
import type { ScheduleRow } from "../../store/automation/schedules.ts"
import { storeTime } from "../../store/db/dialect.ts"
import { newId } from "../../store/db/ids.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { maybe, responseObject } from "../schemas/common.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { runScheduleNow } from "./schedule-runs.ts"
import { checkedNext } from "./schedules.ts"

const groupBody = Type.Object(
  {
    tag: Type.String({ minLength: 1, maxLength: 40, description: "Tag of the group." }),
    action: oneOf(["check", "pause", "resume"], { description: "Action on each schedule." }),
  },
  { additionalProperties: false },
)

const groupSchema = responseObject(
  {
    items: Type.Array(
      responseObject({
        id: Type.String({ description: "`sch_…`" }),
        runId: maybe(Type.String({ description: "Run of a check." })),
        error: maybe(Type.String({ description: "Reason why the action failed." })),
      }),
    ),
  },
  { $id: "MonitorGroupResult" },
)

/** Applies an action to all schedules with a tag. */
export function monitorGroupRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ MonitorGroupResult: responseSchema(groupSchema) })
    .post(
      "/monitors/group",
      async ({ accountId, keyId, body }) => {
        const tag = body.tag.trim().toLowerCase()
        const rows = await monitorsTagged(store.db, { accountId, tag })
        if (rows.length === 0) throw new ApiError(404, `No schedule has the tag "${tag}".`)
        const items = []
        for (const row of rows) {
          items.push(await actOn(service, row, body.action as Action, keyId))
        }
        return { items }
      },
      {
        account: true,
        fullKey: true,
        json: true,
        body: requestSchema.body(groupBody),
        response: { 200: "MonitorGroupResult" },
        detail: operation({
          id: "actOnMonitorGroup",
          tag: "Schedules",
          summary: "Check, pause or resume all schedules with a tag",
          examples: { check: { value: { tag: "shops", action: "check" } } },
          replies: { 200: "Results per schedule." },
          refusals: [400, 403, 404],
        }),
      },
    )
}

type Action = "check" | "pause" | "resume"

async function actOn(
  service: CoreParts & ScraperParts & RunParts,
  row: ScheduleRow,
  action: Action,
  keyId: string | null,
) {
  const { id } = row
  try {
    if (action === "check") {
      const run = await runScheduleNow(service, row, { runId: newId("run"), keyId })
      return { id, runId: run.id, error: null }
    }
    const enabled = action === "resume"
    const { db } = service.store
    const next = enabled ? checkedNext(row.cron, row.time_zone, await storeTime(db)) : null
    await service.store.write("schedules.change", {
      id,
      accountId: row.account_id,
      set: {
        enabled: enabled ? 1 : 0,
        next_at: next?.toISOString() ?? null,
        ...(enabled && { disabled_reason: null }),
      },
    })
    return { id, runId: null, error: null }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { id, runId: null, error: error.message }
  }
}
