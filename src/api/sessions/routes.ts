import { type AnyElysia, Elysia } from "elysia"
import { endOf } from "../../engine/net/sessions/state.ts"
import {
  listSiteSessions,
  type SiteSessionChange,
  type SiteSessionRow,
  siteSession,
  siteSessionById,
  siteSessionByName,
} from "../../store/accounts/site-sessions.ts"
import { newId } from "../../store/ids.ts"
import { issue } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { ApiError, invalid, notFound, requireRoom } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  newSessionBody,
  sessionChange,
  sessionParams,
  sessionResponse,
  sessionSchema,
} from "../schemas/session.ts"
import type { AccessParts, ClientParts, CoreParts, SessionParts } from "../service-parts.ts"
import { checkedHosts, checkedLogin, sitesOf } from "./check.ts"
import { importedState } from "./import.ts"

/** Maximum sessions per account. */
export const maxSessions = 100

const unreadable = {
  expired: 1,
  expired_reason: "Its key is not in the server's key file (trawl.key). Import it again.",
}

type Parts = CoreParts & ClientParts & AccessParts & SessionParts

/** Sessions of sites, which runs use to fetch pages behind a log-in. */
export function sessionRoutes(service: Parts): AnyElysia {
  const { store, sessions } = service
  const response = (row: SiteSessionRow) =>
    sessions.isReadable(row)
      ? sessionResponse(row, sessions.loginOf(row))
      : sessionResponse({ ...row, ...unreadable }, null)
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Session: gives(sessionSchema),
      SessionList: gives(cursorListOf(sessionSchema, "SessionList")),
    })
    .post(
      "/sessions",
      async ({ accountId, body, set }) => {
        const { name, import: provided, login } = body
        if (provided === undefined && login === undefined) {
          const message = 'A session needs "import" with cookies, or a "login" recipe.'
          throw invalid([issue("import", message, "import or login")], "body")
        }
        const id = newId("ses")
        const recipe = login ? checkedLogin(login) : null
        const own = body.hosts && checkedHosts(body.hosts)
        const found = provided === undefined ? null : importedState(provided, own)
        const hosts = own ?? found?.hosts ?? sitesOf(recipe!)
        const now = new Date().toISOString()
        const stored = await store.write("siteSessions.create", {
          id,
          account_id: accountId,
          name,
          hosts: JSON.stringify(hosts),
          state: found && sessions.encrypted(id, found.state),
          login: recipe && sessions.encryptedLogin(id, recipe),
          expires_at: found && endOf(found.state),
          created_at: now,
          updated_at: now,
          most: maxSessions,
        })
        requireStored(stored, name)
        set.status = 201
        return response((await siteSession(store.db, id))!)
      },
      {
        account: true,
        fullKey: true,
        json: true,
        body: takes.body(newSessionBody),
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
        query: takes.query(query(cursorQuery(cursors.id("ses")))),
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
      async ({ accountId, params }) => response(await own(service, accountId, params.session)),
      {
        account: true,
        params: takes.params(sessionParams),
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
    .patch(
      "/sessions/:session",
      async ({ accountId, params, body }) => {
        const row = await own(service, accountId, params.session)
        if (Object.keys(body).length === 0)
          throw new ApiError(400, "The body contains no change.", [])
        const { name, import: provided, login } = body
        const hosts = body.hosts && checkedHosts(body.hosts)
        const set: SiteSessionChange = {}
        if (name !== undefined) set.name = name
        if (hosts) set.hosts = JSON.stringify(hosts)
        if (login !== undefined) {
          const recipe =
            login && checkedLogin(login, sessions.isReadable(row) ? sessions.loginOf(row) : null)
          set.login = recipe && sessions.encryptedLogin(row.id, recipe)
        }
        if (provided !== undefined) {
          const found = importedState(provided, hosts ?? JSON.parse(row.hosts))
          set.state = sessions.encrypted(row.id, found.state)
          set.expires_at = endOf(found.state)
        } else if (hosts) {
          Object.assign(set, sessions.narrowed(row, hosts))
        }
        const at = new Date().toISOString()
        const change = { id: row.id, accountId, at, set }
        requireStored(await store.write("siteSessions.change", change), name ?? row.name)
        return response(await own(service, accountId, row.id))
      },
      {
        account: true,
        fullKey: true,
        params: takes.params(sessionParams),
        json: true,
        body: takes.body(sessionChange),
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
        const row = await own(service, accountId, params.session)
        if (row.login === null) {
          throw new ApiError(409, `The session "${row.name}" has no log-in recipe.`)
        }
        server?.timeout(request, 0)
        await sessions.logInAgain(row.id, request.signal)
        return response(await own(service, accountId, row.id))
      },
      {
        account: true,
        fullKey: true,
        params: takes.params(sessionParams),
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
        const { id } = await own(service, accountId, params.session)
        await store.write("siteSessions.delete", { id, accountId })
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: takes.params(sessionParams),
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

/** Returns a session of the account. @throws ApiError 404 */
async function own(
  { store: { db } }: CoreParts,
  accountId: string,
  text: string,
): Promise<SiteSessionRow> {
  const row = text.startsWith("ses_")
    ? await siteSessionById(db, { id: text, accountId })
    : await siteSessionByName(db, accountId, text)
  if (!row) throw notFound("session", text)
  return row
}

/** @throws ApiError 404, 409 */
export function requireStored(stored: string, name: string): void {
  if (stored === "full") requireRoom(maxSessions, maxSessions, "sessions")
  if (stored === "gone") throw notFound("session", name)
  if (stored === "taken") {
    throw new ApiError(
      409,
      `The session name "${name}" is already in use. Change that session, or choose another name.`,
    )
  }
}
