import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { listMonitors } from "../../store/automation/monitors.ts"
import { scheduleById } from "../../store/automation/schedules.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import { scheduleParams } from "../schemas/schedule.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../service-parts.ts"
import { monitorResponse, monitorSchema } from "./schema.ts"

/** Maximum entries per monitor in a list. */
const visiblePoints = 10

const tagQuery = Type.Optional(
  Type.String({ maxLength: 40, description: "Only monitors with this tag." }),
)

const maxVisible = Type.Integer({
  default: 100,
  minimum: 1,
  maximum: 500,
  description: "Maximum entries to return.",
})

/** Schedules that watch something, with their last values. */
export function monitorRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): AnyElysia {
  const { store, catalogue } = service
  const watching = catalogue.filter(({ watch }) => watch).map(({ slug }) => slug)
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Monitor: responseSchema(monitorSchema),
      MonitorList: responseSchema(cursorListOf(monitorSchema, "MonitorList")),
    })
    .get(
      "/monitors",
      async ({ accountId, query: { tag, ...page } }) => {
        const filter = { ...page, tag: tag?.trim().toLowerCase() || undefined }
        const monitors = await listMonitors(store.db, accountId, watching, filter)
        const answers = monitors.rows.map((row) => monitorResponse(service, row, visiblePoints))
        return cursorListed(monitors, await Promise.all(answers), page)
      },
      {
        account: true,
        query: requestSchema.query(query({ ...cursorQuery(cursors.id("sch")), tag: tagQuery })),
        response: { 200: "MonitorList" },
        detail: operation({
          id: "listMonitors",
          tag: "Schedules",
          summary: "List what the account's schedules watch, with changes",
          description:
            "Schedules with conditions, and those of scrapers that detect changes: prices, pages, keywords, uptime, certificates, domains.",
          replies: { 200: "The monitors." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/monitors/:scheduleId",
      async ({ accountId, params, query: { limit } }) => {
        const row = await scheduleById(store.db, { id: params.scheduleId, accountId })
        if (!row) throw notFound("monitor", params.scheduleId)
        return monitorResponse(service, row, limit)
      },
      {
        account: true,
        params: requestSchema.params(scheduleParams),
        query: requestSchema.query(query({ limit: maxVisible })),
        response: { 200: "Monitor" },
        detail: operation({
          id: "getMonitor",
          tag: "Schedules",
          summary: "Get all entries that a schedule watches",
          replies: { 200: "The monitor." },
          refusals: [400, 404],
        }),
      },
    )
}
