import { numberOrNull } from "../../extract/core/index.ts"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  Forbidden,
  failsRun,
  RateLimited,
  type RequestOptions,
  type StaleKey,
  staleKey,
  Unreachable,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type ClientSession, idInBundle, renewSigning, signatureOf, signs } from "./signing.ts"
import { xTable } from "./upstream.ts"

export const xSite = "https://x.com"
/** The parts of a definition that both scrapers of X share. */
export const xScraper = {
  category: "social",
  tier: "premium",
  rateLimit: {
    "x.com": { perSecond: 0.5, concurrency: 1 },
    "api.x.com": { perSecond: 0.5, concurrency: 1 },
    "abs.twimg.com": { perSecond: 4, concurrency: 2 },
    "syndication.twitter.com": { perSecond: 0.5, concurrency: 1 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  failsRun,
} as const

type Operation = "UserByScreenName" | "UserByRestId" | "SearchTimeline"
export type XMode = "session" | "guest"

export interface XCall {
  operation: Operation
  variables: Record<string, unknown>
  toggles: Record<string, boolean>
  mode: XMode
}

export const hasXSession = (ctx: Context) =>
  ctx.secret("X_AUTH_TOKEN") !== undefined && ctx.secret("X_CT0") !== undefined

export const xCookies = (ctx: Context) => ({
  auth_token: ctx.secret("X_AUTH_TOKEN") ?? "",
  ct0: ctx.secret("X_CT0") ?? "",
})

/**
 * Returns the data of a call to X's GraphQL API.
 * @throws RateLimited, Forbidden (login_required), Blocked, StaleKey (a query ID), Changed
 */
export async function xGraphql(call: XCall, ctx: Context): Promise<JsonReader> {
  const limit = `x.limitedUntil ${call.mode}`
  const until = (ctx.shared.get(limit) as number | undefined) ?? 0
  const now = ctx.now().getTime()
  if (until > now) throw rateLimited((until - now) / 1000)
  let added: string[] = []
  for (let attempt = 0; ; attempt++) {
    const response = await request(call, added, ctx)
    if (response.status === 404 && (await retried(call, ctx))) continue
    const end = numberOrNull(response.headers.get("x-rate-limit-reset"))
    if (response.headers.get("x-rate-limit-remaining") === "0" && end)
      ctx.shared.set(limit, end * 1000)
    const { data, errors } = bodyOf(response)
    // Errors in addition to data are harmless; `{}` in addition to errors is not data.
    if (data.entries().length > 0) return data
    const missing = errors.flatMap(({ code, message }) => (code === 336 ? namesIn(message) : []))
    if (attempt === 0 && (missing.length > 0 || isShed(errors))) {
      added = missing
      continue
    }
    const failed = await refusal(call, response, errors, end, ctx)
    if (failed) throw failed
    return data
  }
}

/** Prepares another attempt for a query that X did not accept; returns whether there is one. */
const retried = async (call: XCall, ctx: Context): Promise<boolean> =>
  (await renewSigning(clientSessionOf(call, ctx), ctx)) || (await renewed(call, ctx))

const clientSessionOf = ({ mode }: XCall, ctx: Context): ClientSession => ({
  mode,
  cookies: mode === "session" ? xCookies(ctx) : {},
})

const renewedKey = (operation: Operation) => `x.id ${operation}`

/**
 * Returns whether X's own scripts have a new ID for a query that X rejects; if so, it is used from
 * now on. The scripts are read once per run.
 */
async function renewed(call: XCall, ctx: Context): Promise<boolean> {
  const { operation } = call
  if (ctx.shared.has(renewedKey(operation))) return false
  const id = await idInBundle(operation, clientSessionOf(call, ctx).cookies, ctx)
  if (id === undefined) return false
  ctx.shared.set(renewedKey(operation), id)
  if (id === ctx.upstream(xTable)[operation]) return false
  ctx.log(
    `X's scripts have a new ID for ${operation}: ${id}. The site constants "x" have an old one.`,
    "warning",
  )
  return true
}

async function request(call: XCall, added: string[], ctx: Context): Promise<UpstreamResponse> {
  const table = ctx.upstream(xTable)
  const features = Object.fromEntries([
    ...table.featuresOn.map((name) => [name, true]),
    ...[...table.featuresOff, ...added].map((name) => [name, false]),
  ])
  const renewedId = ctx.shared.get(renewedKey(call.operation)) as string | undefined
  const id = renewedId ?? table[call.operation]
  const session = call.mode === "session"
  const path = `${id}/${call.operation}`
  const url = `${xSite}/i/api/graphql/${path}`
  const options: RequestOptions = {
    identity: "browser",
    accept: "any",
    ...(session ? { cookies: xCookies(ctx) } : {}),
    headers: {
      accept: "*/*",
      "sec-fetch-dest": "empty",
      "sec-fetch-mode": "cors",
      "sec-fetch-site": "same-origin",
      authorization: `Bearer ${table.bearer}`,
      "content-type": "application/json",
      "x-twitter-active-user": "yes",
      "x-twitter-client-language": "en",
      ...(session
        ? { "x-csrf-token": ctx.secret("X_CT0") ?? "", "x-twitter-auth-type": "OAuth2Session" }
        : { "x-guest-token": await guestToken(table.bearer, ctx) }),
    },
  }
  const query = {
    variables: JSON.stringify(call.variables),
    features: JSON.stringify(features),
    fieldToggles: JSON.stringify(call.toggles),
  }
  const clientSession = clientSessionOf(call, ctx)
  const signed = async (method: string, url: string): Promise<RequestOptions> => {
    const signature = await signatureOf({ method, url }, clientSession, ctx)
    if (!signature) return options
    return { ...options, headers: { ...options.headers, "x-client-transaction-id": signature } }
  }
  // Since March 2026, the website searches only by POST.
  if (call.operation === "SearchTimeline") {
    const json = { variables: call.variables, features, queryId: id }
    const posted = await ctx.post(url, { ...(await signed("POST", url)), json }).catch((error) => {
      if (!(error instanceof Unreachable)) throw error
      return null
    })
    if (posted && ![404, 405].includes(posted.status)) return posted
  }
  return ctx.get(url, { ...(await signed("GET", url)), query }).catch(async (error) => {
    if (session || !(error instanceof Unreachable)) throw error
    // Same API for anonymous sessions.
    const other = `https://api.x.com/graphql/${path}`
    return ctx.get(other, { ...(await signed("GET", other)), query })
  })
}

async function guestToken(bearer: string, ctx: Context): Promise<string> {
  const known = ctx.shared.get("x.guest") as string | undefined
  if (known) return known
  const response = await ctx.post("https://api.x.com/1.1/guest/activate.json", {
    identity: "browser",
    headers: { authorization: `Bearer ${bearer}` },
    body: "",
    // A refusal here contains no information about the user.
    accept: "any",
    retries: 0,
  })
  const token = response.status < 400 && response.json<{ guest_token?: string }>().guest_token
  if (!token) throw response.explainMissing("a guest token")
  ctx.shared.set("x.guest", token)
  return token
}

type XError = { code: number | null; message: string }

function bodyOf(response: UpstreamResponse) {
  if (!/^\s*\{/.test(response.text())) {
    if (response.status < 400) throw response.explainMissing("X's data")
    return { data: new JsonReader(undefined), errors: [] }
  }
  const body = new JsonReader(response.json({ bigIntegers: true }))
  const errors = body.list("errors").map((error) => ({
    code: error.integer("code") ?? error.integer("extensions", "code"),
    message: error.text("message") ?? "",
  }))
  return { data: body.in("data"), errors }
}

const isShed = (errors: XError[]) => errors.some(({ message }) => /LoadShed/.test(message))

/** Returns the switches' names in `The following features cannot be null: a, b`. */
const namesIn = (message: string) =>
  message
    .split(":")
    .at(-1)
    ?.match(/\w{5,}/g) ?? []

async function refusal(
  call: XCall,
  response: UpstreamResponse,
  errors: XError[],
  end: number | null,
  ctx: Context,
) {
  const { status, url } = response
  const details = { url, statusCode: status }
  const codes = new Set(errors.map(({ code }) => code))
  const stated = errors[0]?.message ? ` (${errors[0].message})` : ""
  if (status === 429 || codes.has(88))
    return rateLimited(end ? end - ctx.now().getTime() / 1000 : null, details)
  if (response.headers.has("cf-ray") && status >= 400 && /^\s*</.test(response.text()))
    return new Blocked("X blocked the request.", "Cloudflare", details)
  if (codes.has(326)) {
    return loginRequired(
      `X has locked this session until its user logs in again${stated}.`,
      details,
    )
  }
  if (status === 401 || status === 403 || codes.has(32) || codes.has(64)) {
    ctx.shared.delete("x.guest")
    return loginRequired(`X rejects this session${stated}.`, details)
  }
  if (status === 404) return unknownQuery(call, details, ctx)
  if (status >= 500 || codes.has(130) || codes.has(131) || isShed(errors))
    return new UpstreamError(`X failed (status ${status})${stated}.`, details)
  if (status >= 400 || errors.length > 0)
    return new Changed(`X rejects the query (status ${status})${stated}.`, details)
  return null
}

/** X returns the same error for an outdated query ID and for an invalid signature. */
async function unknownQuery(call: XCall, details: object, ctx: Context): Promise<StaleKey> {
  const isSigned = await signs(clientSessionOf(call, ctx), ctx)
  const stale = (key: string, message: string) => staleKey(xTable, key, message, details)
  if (ctx.shared.has(renewedKey(call.operation))) {
    return isSigned
      ? stale("signKeyword", "X supports this query but rejects its signature.")
      : stale(
          "signScripts",
          "X supports this query but requires a signature, and the signing script was not found.",
        )
  }
  return stale(
    call.operation,
    isSigned
      ? "X no longer supports this query ID."
      : "X no longer supports this query ID, or it requires a signature that only Chrome can make.",
  )
}

export function loginRequired(why: string, details = {}): Forbidden {
  const message = `${why} The operator can set X_AUTH_TOKEN and X_CT0 of a signed-in session.`
  return new Forbidden(message, { ...details, code: "login_required" })
}

const rateLimited = (seconds: number | null, details = {}) =>
  new RateLimited("X limits the rate of requests of this session.", seconds, details)
