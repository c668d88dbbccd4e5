import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { BadInput, ScrapeError } from "../../catalogue/kit/index.ts"
import { endOf, hostOf, isEmpty, isTooLarge, withinHosts } from "../../engine/net/sessions/state.ts"
import type { LiveResult } from "../../engine/runtime/sessions/live-logins.ts"
import {
  forwarded,
  idWithoutProcess,
  idWithProcess,
  processUrl,
} from "../../engine/runtime/shared/other-process.ts"
import { siteSession, siteSessionByName } from "../../store/accounts/site-sessions.ts"
import { newId } from "../../store/db/ids.ts"
import { requireSameOrigin, signedIn } from "../http/access.ts"
import { issue } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid, notFound, tooMany } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { streamed } from "../http/stream.ts"
import { responseObject, time } from "../schemas/common.ts"
import { sessionName, sessionResponse, sessionSchema } from "../schemas/session.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts, SessionParts } from "../service-parts.ts"
import { checkedHosts } from "./check.ts"
import { maxSessions, requireStored } from "./own-sessions.ts"

type Parts = CoreParts & ClientParts & AccessParts & SessionParts

const heartbeatMs = 10_000

const startBody = Type.Object(
  {
    url: Type.String({ pattern: "^https?://", maxLength: 4000, description: "The sign-in page." }),
  },
  { additionalProperties: false },
)

const parameters = {
  x: Type.Number({ minimum: 0, maximum: 10_000 }),
  y: Type.Number({ minimum: 0, maximum: 10_000 }),
}
const delta = Type.Number({ minimum: -10_000, maximum: 10_000 })
const closed = { additionalProperties: false }
const inputEvent = Type.Union([
  Type.Object(
    {
      type: Type.Union([Type.Literal("move"), Type.Literal("down"), Type.Literal("up")]),
      ...parameters,
      button: Type.Optional(
        Type.Union(["left", "middle", "right"].map((name) => Type.Literal(name as "left"))),
      ),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("wheel"), ...parameters, dx: delta, dy: delta }, closed),
  Type.Object(
    {
      type: Type.Literal("key"),
      key: Type.String({ minLength: 1, maxLength: 40 }),
      modifiers: Type.Optional(Type.Integer({ minimum: 0, maximum: 15 })),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal("text"), text: Type.String({ maxLength: 2000 }) }, closed),
  Type.Object({ type: Type.Union([Type.Literal("back"), Type.Literal("reload")]) }, closed),
])
const inputBody = Type.Object({ events: Type.Array(inputEvent, { maxItems: 200 }) }, closed)

const saveBody = Type.Object(
  {
    name: Type.String({ pattern: sessionName, maxLength: 64 }),
    hosts: Type.Optional(
      Type.Array(Type.String({ maxLength: 253 }), { minItems: 1, maxItems: 20 }),
    ),
  },
  closed,
)

const liveSchema = responseObject(
  { id: Type.String(), expiresAt: time("Time at which the page is closed.") },
  { $id: "LiveLogin" },
)

const params = { id: Type.String({ maxLength: 1000 }) }

/** A page of Chrome in the console, in which its user logs in to a site. */
export function liveLoginRoutes(service: Parts): AnyElysia {
  const { store, sessions, liveLogins } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ LiveLogin: responseSchema(liveSchema), Session: responseSchema(sessionSchema) })
    .post(
      "/live-logins",
      async ({ accountId, body, call, set }) => {
        await requireConsole(service, call)
        set.status = 201
        const { id, expiresAt } = started(() => liveLogins.start(accountId, body.url))
        return { id: publicId(service, call, id), expiresAt }
      },
      {
        account: true,
        call: true,
        json: true,
        body: requestSchema.body(startBody),
        response: { 201: "LiveLogin" },
        detail: operation({
          id: "startLiveLogin",
          tag: "Sessions",
          auth: "session",
          summary: "Open a page in which the user of the console logs in",
          description:
            "For the console. An account has one such page at a time. It is closed after 10 minutes, after 3 minutes without input, and when it is not watched.",
          examples: { start: { value: { url: "https://shop.example/login" } } },
          replies: { 201: "The page." },
          refusals: [403, 503],
        }),
      },
    )
    .get(
      "/live-logins/:id/pictures",
      async ({ accountId, params, call }) => {
        await requireConsole(service, call)
        call.server?.timeout(call.request, 0)
        const isElsewhere = isOfOther(service, params.id)
        const there = isElsewhere && (await fromOther(service, call, params.id))
        if (there) return there
        const id = idWithoutProcess(params.id)
        if (!isElsewhere && !liveLogins.has(accountId, id)) throw notFound("log-in", id)
        const { signal } = call.request
        // A browser cannot read the error of a stream.
        const events = isElsewhere
          ? closedStream(unreachable)
          : picturesOf(service, accountId, id, signal)
        return streamed(events, {
          "content-type": "text/event-stream;charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        })
      },
      {
        account: true,
        call: true,
        params: requestSchema.params(params),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "watchLiveLogin",
          tag: "Sessions",
          auth: "session",
          summary: "Stream images of the page as server-sent events",
          description:
            "`picture` contains a JPEG as Base64, its size and the URL. `closed` contains the reason, if there is one.",
          replies: { 200: { description: "The events.", types: ["text/event-stream"] } },
          refusals: [403, 404],
        }),
      },
    )
    .post(
      "/live-logins/:id/input",
      async ({ accountId, params, body, call, set }) => {
        await requireConsole(service, call)
        const there = await atOther(service, call, params.id, body)
        if (there) return there
        const id = idWithoutProcess(params.id)
        const isOpen = await done(() => liveLogins.input(accountId, id, body.events))
        if (!isOpen) throw notFound("log-in", id)
        set.status = 204
      },
      {
        account: true,
        call: true,
        json: true,
        params: requestSchema.params(params),
        body: requestSchema.body(inputBody),
        detail: operation({
          id: "inputLiveLogin",
          tag: "Sessions",
          auth: "session",
          summary: "Send mouse events, keys and text to the page, in order",
          examples: { click: { value: { events: [{ type: "down", x: 10, y: 20 }] } } },
          replies: { 204: "Done." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .post(
      "/live-logins/:id/save",
      async ({ accountId, params, body, call, set }) => {
        await requireConsole(service, call)
        const hosts = body.hosts && checkedHosts(body.hosts)
        const there = await atOther(service, call, params.id, body)
        if (there) return there
        const id = idWithoutProcess(params.id)
        const result = await done(() => liveLogins.save(accountId, id))
        if (!result) throw notFound("log-in", id)
        const saved = await save(service, accountId, { name: body.name, hosts, result })
        set.status = 201
        const row = (await siteSession(store.db, saved))!
        return sessionResponse(row, sessions.loginOf(row))
      },
      {
        account: true,
        call: true,
        json: true,
        params: requestSchema.params(params),
        body: requestSchema.body(saveBody),
        response: { 201: "Session" },
        detail: operation({
          id: "saveLiveLogin",
          tag: "Sessions",
          auth: "session",
          summary: "Close the page, and store its cookies and local storage as a session",
          description: "A session of the same name is replaced.",
          examples: { save: { value: { name: "shop" } } },
          replies: { 201: "The session." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/live-logins/:id",
      async ({ accountId, params, call, set }) => {
        await requireConsole(service, call)
        const there = await atOther(service, call, params.id)
        if (there) return there
        const id = idWithoutProcess(params.id)
        if (!liveLogins.close(accountId, id)) throw notFound("log-in", id)
        set.status = 204
      },
      {
        account: true,
        call: true,
        params: requestSchema.params(params),
        detail: operation({
          id: "closeLiveLogin",
          tag: "Sessions",
          auth: "session",
          summary: "Close the page without a session",
          replies: { 204: "Closed." },
          refusals: [403, 404, 409],
        }),
      },
    )
}

const unreachable =
  "The page is open in another process of this service, which does not respond to this one. Open the page again. The operator can set TRAWL_PROCESS_URL of each process to a URL that the others reach (guide, PostgreSQL, Log-ins in the console)."

/** Whether several processes share the database, and this one did not open the page. */
const isOfOther = ({ store, liveLogins }: CoreParts & SessionParts, id: string) =>
  store.isShared && liveLogins.isElsewhere(id)

/**
 * Returns the response of the process that opened the page; undefined if it is this one.
 * @throws ApiError 409
 */
async function atOther(
  service: CoreParts & SessionParts,
  call: Call,
  id: string,
  body?: object,
): Promise<Response | undefined> {
  if (!isOfOther(service, id)) return undefined
  const response = await fromOther(service, call, id, body)
  if (!response) throw new ApiError(409, unreachable)
  return response
}

function fromOther({ store }: CoreParts, { request }: Call, id: string, body?: object) {
  const { pathname } = new URL(request.url)
  const path = pathname.slice(pathname.indexOf("/api/v1/"))
  return forwarded(store.secrets, id, { request, path, body })
}

/** Returns the ID by which every process finds the page. */
function publicId({ config, store }: CoreParts, call: Call, id: string): string {
  if (!store.isShared) return id
  const url = config.processUrl ?? processUrl(config.host, call.server?.port ?? config.port)
  return idWithProcess(store.secrets, id, url)
}

async function* closedStream(reason: string): AsyncGenerator<string> {
  yield event("closed", { reason })
}

/** Only a browser that is signed in to the console, also by GET. @throws ApiError 403 */
async function requireConsole(service: ClientParts & AccessParts, call: Call): Promise<void> {
  requireSameOrigin(service, call)
  if (call.request.headers.has("authorization") || !(await signedIn(service, call))) {
    throw new ApiError(
      403,
      'Log-ins in a page are for the console, not for API keys. Use "import" or a "login" recipe instead.',
    )
  }
}

/** @throws ApiError */
function refusal(error: unknown): unknown {
  if (!(error instanceof ScrapeError)) return error
  if (error.kind === "RateLimited") return tooMany(60, error.message)
  if (error instanceof BadInput) return invalid([issue("events", error.message, "known keys")])
  const isLacking = error.code === "browser_unavailable"
  return new ApiError(isLacking ? 503 : 409, error.message)
}

function started<R>(work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw refusal(error)
  }
}

async function done<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw refusal(error)
  }
}

async function* picturesOf(
  { liveLogins, ending }: SessionParts,
  accountId: string,
  id: string,
  closed: AbortSignal,
): AsyncGenerator<string> {
  const stopped = AbortSignal.any([closed, ending.signal])
  let spoke = Date.now()
  let reason: string | undefined
  yield ": open\n\n"
  for await (const picture of liveLogins.pictures(accountId, id, stopped)) {
    if (picture && "error" in picture) reason = picture.error
    else if (picture) {
      const { bytes, ...rest } = picture
      yield event("picture", { ...rest, jpeg: Buffer.from(bytes).toString("base64") })
    } else if (Date.now() - spoke < heartbeatMs) continue
    else yield ": still there\n\n"
    spoke = Date.now()
  }
  yield event("closed", { reason: reason ?? null })
}

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** Returns the ID of the session. @throws ApiError 400, 409 */
async function save(
  { store, sessions }: CoreParts & SessionParts,
  accountId: string,
  { name, hosts, result }: { name: string; hosts: string[] | undefined; result: LiveResult },
): Promise<string> {
  const known = await siteSessionByName(store.db, accountId, name)
  const own = hosts ?? result.sites.filter((site) => site !== "")
  const state = withinHosts(result.state, own)
  if (isEmpty(state) || isTooLarge(state)) {
    const there = result.state.origins.map(({ origin }) => hostOf(origin)).join(", ")
    const why = isEmpty(state) ? "no cookies and no local storage" : "too much local storage"
    throw new ApiError(
      409,
      `The page has ${why} of ${own.join(", ")}${there ? ` (it was at ${there})` : ""}. Log in, and save again.`,
    )
  }
  const at = new Date().toISOString()
  const id = known?.id ?? newId("ses")
  const parts = {
    hosts: JSON.stringify(own),
    state: sessions.encrypted(id, state),
    expires_at: endOf(state),
  }
  const stored = known
    ? await store.write("siteSessions.change", { id, accountId, at, set: parts })
    : await store.write("siteSessions.create", {
        ...{
          id,
          name,
          account_id: accountId,
          created_at: at,
          updated_at: at,
          maximum: maxSessions,
        },
        ...parts,
      })
  requireStored(stored, name)
  return id
}
