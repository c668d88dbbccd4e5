import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { newSecret, sha256 } from "../../accounts/secrets.ts"
import { exportTypes } from "../../base/export-formats.ts"
import { dayMs } from "../../base/time.ts"
import { oneOf } from "../../catalogue/kit/index.ts"
import { monitorLinks, openMonitorLink } from "../../store/automation/monitor-links.ts"
import { changesOf } from "../../store/automation/monitors.ts"
import { type ScheduleRow, scheduleById } from "../../store/automation/schedules.ts"
import { newId } from "../../store/db/ids.ts"
import { callerOf, limitCalls, requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { openCors } from "../http/cors.ts"
import { ApiError, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { maybe, pathId, query, responseObject, time } from "../schemas/common.ts"
import { scheduleParams } from "../schemas/schedule.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import { feedFormat, feedText, feedTypes } from "./feeds.ts"
import { historyFile, historyFormats } from "./history.ts"

const maxLinks = 20
/** Maximum age of a feed link. Feeds are read for years, and a link can be revoked. */
const linkDays = 3660
const feedEntries = 50

const value = maybe(Type.Union([Type.Number(), Type.String(), Type.Boolean()]))
const changeSchema = responseObject({
  at: time("Time of the check."),
  name: Type.String(),
  url: maybe(Type.String()),
  image: maybe(Type.String()),
  condition: Type.String(),
  before: { ...value, description: "Value at the previous check." },
  after: { ...value, description: "The value at this check." },
  sentence: Type.String({ description: "The change as a sentence." }),
  runId: Type.String(),
})
const changesSchema = responseObject({ items: Type.Array(changeSchema) }, { $id: "MonitorChanges" })
const link = {
  id: Type.String({ description: "`lnk_…`" }),
  createdAt: time("Time of creation."),
  expiresAt: time("Time of expiry."),
}
const linksSchema = responseObject(
  { items: Type.Array(responseObject(link)) },
  { $id: "MonitorLinkList" },
)
const newLinkSchema = responseObject(
  {
    ...link,
    url: Type.String({
      format: "uri",
      description: "URL of the feed; add `&format=rss` or `&format=json`. Returned only once.",
    }),
  },
  { $id: "NewMonitorLink" },
)

/** A monitor's changes as a list and as a feed, and its values as a file. */
export function monitorChangeRoutes(service: CoreParts & ClientParts & AccessParts): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      MonitorChanges: responseSchema(changesSchema),
      MonitorLinkList: responseSchema(linksSchema),
      NewMonitorLink: responseSchema(newLinkSchema),
    })
    .get(
      "/monitors/:scheduleId/changes",
      async ({ accountId, params, query: { limit } }) => {
        const monitor = await ownMonitor(service, accountId, params.scheduleId)
        const items = await changesOf(store.db, monitor.id, limit)
        return {
          items: items.map(({ key: _, ...change }) => ({ ...change, image: change.image ?? null })),
        }
      },
      {
        account: true,
        params: requestSchema.params(scheduleParams),
        query: requestSchema.query(
          query({
            limit: Type.Integer({
              default: 100,
              minimum: 1,
              maximum: 500,
              description: "Maximum changes (1-500, default 100).",
            }),
          }),
        ),
        response: { 200: "MonitorChanges" },
        detail: operation({
          id: "listMonitorChanges",
          tag: "Schedules",
          summary: "List the changes that a monitor found, newest first",
          description: "The last 500 changes of a monitor are stored.",
          replies: { 200: "The changes." },
          refusals: [400, 404],
        }),
      },
    )
    .get(
      "/monitors/:scheduleId/history",
      async ({ accountId, params, query: { format } }) =>
        historyFile(
          store.db,
          await ownMonitor(service, accountId, params.scheduleId),
          format as (typeof historyFormats)[number],
        ),
      {
        account: true,
        params: requestSchema.params(scheduleParams),
        query: requestSchema.query(
          query({
            format: oneOf(historyFormats, { default: "csv", description: "File format." }),
          }),
        ),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "getMonitorHistory",
          tag: "Schedules",
          summary: "Download the watched values of a monitor",
          description:
            "One row per check: at, name, url, value, unit. The last 60 values of each watched entry are stored.",
          replies: {
            200: {
              description: "The values.",
              types: exportTypes(historyFormats),
            },
          },
          refusals: [400, 404],
        }),
      },
    )
    .get(
      "/monitors/:scheduleId/feed",
      async ({ call, params, query: { link: secret, format }, root }) => {
        const row = await readableMonitor(service, call, params.scheduleId, secret)
        const form = format as keyof typeof feedTypes
        const text = feedText(form, {
          id: row.id,
          title: row.name ?? row.slug,
          home: `${root}/monitors/${row.id}`,
          self: `${root}/api/v1/monitors/${row.id}/feed`,
          changes: await changesOf(store.db, row.id, feedEntries),
        })
        return new Response(text, {
          headers: {
            ...openCors,
            "content-type": feedTypes[form],
            "cache-control": "private, max-age=60",
          },
        })
      },
      {
        call: true,
        root: true,
        params: requestSchema.params(scheduleParams),
        query: requestSchema.query(
          query({
            format: feedFormat,
            link: Type.Optional(
              Type.String({
                maxLength: 100,
                description: "Secret of a link, instead of an API key.",
              }),
            ),
          }),
        ),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "getMonitorFeed",
          tag: "Schedules",
          summary: "Subscribe to a monitor's changes by RSS, Atom or JSON Feed",
          replies: {
            200: {
              description: `The last ${feedEntries} changes.`,
              types: Object.values(feedTypes).map((type) => type.replace(/;.*/, "")),
            },
          },
          refusals: [400, 401, 404],
        }),
      },
    )
    .get(
      "/monitors/:scheduleId/links",
      async ({ accountId, params }) => {
        const monitor = await ownMonitor(service, accountId, params.scheduleId)
        const rows = await monitorLinks(store.db, monitor.id, new Date().toISOString())
        return {
          items: rows.map(({ id, created_at, expires_at }) => ({
            id,
            createdAt: created_at,
            expiresAt: expires_at,
          })),
        }
      },
      {
        account: true,
        params: requestSchema.params(scheduleParams),
        response: { 200: "MonitorLinkList" },
        detail: operation({
          id: "listMonitorLinks",
          tag: "Schedules",
          summary: "List the links to a monitor's feed",
          replies: { 200: "The links." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/monitors/:scheduleId/links",
      async ({ accountId, params, root, set }) => {
        const monitor = await ownMonitor(service, accountId, params.scheduleId)
        const now = new Date()
        const secret = newSecret()
        const row = {
          id: newId("lnk"),
          hash: sha256(secret),
          schedule_id: monitor.id,
          account_id: accountId,
          created_at: now.toISOString(),
          expires_at: new Date(now.getTime() + linkDays * dayMs).toISOString(),
        }
        const made = await store.write("monitors.link", { ...row, maximum: maxLinks })
        if (!made) requireBelowLimit(maxLinks, maxLinks, "links to one monitor")
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return {
          id: row.id,
          createdAt: row.created_at,
          expiresAt: row.expires_at,
          url: `${root}/api/v1/monitors/${monitor.id}/feed?link=${secret}`,
        }
      },
      {
        account: true,
        fullKey: true,
        root: true,
        params: requestSchema.params(scheduleParams),
        response: { 201: "NewMonitorLink" },
        detail: operation({
          id: "createMonitorLink",
          tag: "Schedules",
          summary: "Create a link to a monitor's feed",
          description: "The link gives access to this feed only, until it is revoked.",
          replies: { 201: "The link." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/monitors/:scheduleId/links/:linkId",
      async ({ accountId, params, set }) => {
        const monitor = await ownMonitor(service, accountId, params.scheduleId)
        const wanted = { id: params.linkId, scheduleId: monitor.id }
        if (!(await store.write("monitors.unlink", wanted))) throw notFound("link", params.linkId)
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params({ ...scheduleParams, linkId: pathId("link", "lnk") }),
        detail: operation({
          id: "revokeMonitorLink",
          tag: "Schedules",
          summary: "Revoke a link to a monitor's feed",
          replies: { 204: "Revoked." },
          refusals: [404],
        }),
      },
    )
}

/** @throws ApiError 404 */
async function ownMonitor(service: CoreParts, accountId: string, id: string): Promise<ScheduleRow> {
  const row = await scheduleById(service.store.db, { id, accountId })
  if (!row) throw notFound("monitor", id)
  return row
}

/** A monitor of the account, or the one that a link opens. @throws ApiError 401, 404, 429 */
async function readableMonitor(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
  secret: string | undefined,
): Promise<ScheduleRow> {
  if (secret === undefined) {
    await requireAccount(service, call)
    return ownMonitor(service, callerOf(call.request).accountId, id)
  }
  Object.assign(call.set.headers, openCors)
  limitCalls(call, service.limit, service.callerKey(call))
  const wanted = { hash: sha256(secret), scheduleId: id, now: new Date().toISOString() }
  const opened = await openMonitorLink(service.store.db, wanted)
  if (!opened) throw new ApiError(404, "This link was revoked, or belongs to another monitor.")
  return ownMonitor(service, opened.account_id, id)
}
