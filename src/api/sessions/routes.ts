import { type AnyElysia, Elysia } from "elysia"
import { listSiteSessions, type SiteSessionRow } from "../../store/accounts/site-sessions.ts"
import { checked } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  newSessionBody,
  putName,
  sessionChange,
  sessionParams,
  sessionPut,
  sessionSchema,
} from "../schemas/session.ts"
import type { AccessParts, ClientParts, CoreParts, SessionParts } from "../service-parts.ts"
import {
  changeSession,
  createSession,
  logInSession,
  ownSession,
  putSession,
  visibleSession,
} from "./own-sessions.ts"

type Parts = CoreParts & ClientParts & AccessParts & SessionParts

/** Sessions of sites, which runs use to fetch pages behind a log-in. */
export function sessionRoutes(service: Parts): AnyElysia {
  const { store } = service
  const response = (row: SiteSessionRow) => visibleSession(service, row)
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Session: responseSchema(sessionSchema),
      SessionList: responseSchema(cursorListOf(sessionSchema, "SessionList")),
    })
    .post(
      "/sessions",
      async ({ accountId, body, set }) => {
        const row = await createSession(service, accountId, body)
        set.status = 201
        return response(row)
      },
      {
        account: true,
        fullKey: true,
        json: true,
        body: requestSchema.body(newSessionBody),
        response: { 201: "Session" },
        detail: operation({
          id: "createSession",
          tag: "Sessions",
          summary: "Create a session from cookies, or with a log-in recipe",
          description:
            "Runs, schedules, batches and recipes use it by its name. It is encrypted at rest and sent only to its hosts.",
          examples: {
            import: {
              summary: "Cookies of a signed-in browser",
              value: {
                name: "shop",
                import: [
                  { name: "sid", value: "…", domain: "shop.example", path: "/", secure: true },
                ],
              },
            },
            login: {
              summary: "A log-in recipe",
              value: {
                name: "portal",
                login: {
                  steps: [
                    { type: "goto", url: "https://portal.example/login" },
                    { type: "fill", selector: "#email", text: "ada@example.com" },
                    { type: "fill", selector: "#password", secret: "password" },
                    { type: "press", key: "Enter" },
                    { type: "wait", selector: ".account" },
                  ],
                  secrets: { password: "…" },
                },
              },
            },
          },
          replies: { 201: "The session." },
          refusals: [403, 409],
        }),
      },
    )
    .get(
      "/sessions",
      async ({ accountId, query: page }) => {
        const found = await listSiteSessions(store.db, accountId, page)
        return cursorListed(found, found.rows.map(response), page)
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("ses")))),
        response: { 200: "SessionList" },
        detail: operation({
          id: "listSessions",
          tag: "Sessions",
          summary: "List the account's sessions, newest first",
          description: "Without cookies and secrets.",
          replies: { 200: "The sessions." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/sessions/:session",
      async ({ accountId, params }) =>
        response(await ownSession(service, accountId, params.session)),
      {
        account: true,
        params: requestSchema.params(sessionParams),
        response: { 200: "Session" },
        detail: operation({
          id: "getSession",
          tag: "Sessions",
          summary: "Get a session without its cookies and secrets",
          replies: { 200: "The session." },
          refusals: [404],
        }),
      },
    )
    .put(
      "/sessions/:session",
      async ({ accountId, params, body, set }) => {
        const { session: name } = checked(putName, params, "request")
        const { row, isNew } = await putSession(service, accountId, { ...body, name })
        if (isNew) set.status = 201
        return response(row)
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(putName.properties),
        json: true,
        body: requestSchema.body(sessionPut),
        response: { 200: "Session", 201: "Session" },
        detail: operation({
          id: "putSession",
          tag: "Sessions",
          summary: "Create a session, or replace its cookies or its recipe",
          description:
            "One call for an agent that does not know whether the session exists. Parts that you omit stay as they are, and schedules, recipes and queued runs continue to use the session. An import makes an expired session active.",
          examples: {
            import: {
              value: {
                import: [
                  { name: "sid", value: "…", domain: "shop.example", path: "/", secure: true },
                ],
              },
            },
          },
          replies: { 200: "The replaced session.", 201: "The new session." },
          refusals: [403, 409],
        }),
      },
    )
    .patch(
      "/sessions/:session",
      async ({ accountId, params, body }) => {
        const row = await ownSession(service, accountId, params.session)
        if (Object.keys(body).length === 0)
          throw new ApiError(
            400,
            "The body contains no change. Send at least one field to change.",
            [],
          )
        return response(await changeSession(service, row, body))
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(sessionParams),
        json: true,
        body: requestSchema.body(sessionChange),
        response: { 200: "Session" },
        detail: operation({
          id: "changeSession",
          tag: "Sessions",
          summary: "Change a session, or import its cookies again",
          description:
            "An import makes an expired session active. Schedules, recipes and queued runs follow a new name. Omitted secrets keep their values.",
          examples: { hosts: { value: { hosts: ["shop.example"] } } },
          replies: { 200: "The session." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .post(
      "/sessions/:session/login",
      async ({ accountId, params, request, server }) => {
        const row = await ownSession(service, accountId, params.session)
        server?.timeout(request, 0)
        return response(await logInSession(service, row, request.signal))
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(sessionParams),
        response: { 200: "Session" },
        detail: operation({
          id: "logInSession",
          tag: "Sessions",
          summary: "Log in now with the session's recipe",
          description:
            "The response is sent after the log-in. `status` is `expired`, with the `reason`, if it failed.",
          replies: { 200: "The session." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/sessions/:session",
      async ({ accountId, params, set }) => {
        const { id } = await ownSession(service, accountId, params.session)
        await store.write("siteSessions.delete", { id, accountId })
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(sessionParams),
        detail: operation({
          id: "deleteSession",
          tag: "Sessions",
          summary: "Delete a session with its cookies; runs that name it fail",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
}
