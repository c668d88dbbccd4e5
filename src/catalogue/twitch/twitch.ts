import { at, JsonReader } from "../../extract/embedded/index.ts"
import { type Context, Forbidden, once, orNull, staleKey, UpstreamError } from "../kit/index.ts"
import { twitchTable } from "./upstream.ts"

const endpoint = "https://gql.twitch.tv/gql"
export const twitchRateLimit = {
  "gql.twitch.tv": { perSecond: 5, concurrency: 2 },
  "api.twitch.tv": { perSecond: 5 },
}
const maxRetries = 2

/** Full query, used if Twitch no longer supports a stored query. */
const fullQuery = `query($login:String!){user(login:$login){id login displayName description
createdAt profileImageURL(width:300) bannerImageURL primaryColorHex followers{totalCount}
roles{isPartner isAffiliate isStaff} stream{id type title viewersCount createdAt language
game{id name displayName slug} previewImageURL(width:1280,height:720)}
lastBroadcast{id title startedAt game{displayName}}
channel{socialMedias{name title url} schedule{nextSegment{startAt}}}
primaryTeam{name displayName}}}`

export interface TwitchResponse {
  data: JsonReader
  /** Whether fields are missing because Twitch does not trust this client. */
  withheld: boolean
  /** Whether the response has the whole channel, because the stored query was not supported. */
  full: boolean
}

export type Operation = Exclude<keyof typeof twitchTable.values, "clientId">

/** @throws UpstreamError, StaleKey (a stored query, the client ID) */
export async function twitchQuery(
  operation: Operation,
  variables: Record<string, unknown>,
  ctx: Context,
): Promise<TwitchResponse> {
  const table = ctx.upstream(twitchTable)
  const extensions = { persistedQuery: { version: 1, sha256Hash: table[operation] } }
  const stored = { operationName: operation, variables, extensions }
  const response = await request(stored, table.clientId, ctx)
  if (!response.stale) return { ...response, full: false }
  ctx.log(`Twitch no longer supports the query ${operation}; sending it in full.`)
  const login = variables.login ?? variables.channelLogin
  const full = await request({ query: fullQuery, variables: { login } }, table.clientId, ctx)
  if (full.stale) {
    const message = "Twitch accepts neither this stored query nor a full one."
    throw staleKey(twitchTable, operation, message, { url: endpoint })
  }
  return { ...full, full: true }
}

async function request(json: unknown, clientId: string, ctx: Context) {
  for (let attempt = 0; ; attempt++) {
    const headers = { "client-id": clientId, "accept-language": "en-US" }
    const response = await ctx.post(endpoint, { json, accept: [400, 401], headers })
    if (response.status >= 400) {
      const message = `Twitch refuses the ID of its web client (${response.status}).`
      throw staleKey(twitchTable, "clientId", message, { response })
    }
    // A batch of one may be returned as a list.
    const body = new JsonReader([response.json()].flat()[0])
    const message = body.text("errors", 0, "message") ?? ""
    if (message === "PersistedQueryNotFound") return { data: body, withheld: false, stale: true }
    const data = body.in("data")
    if (data.entries().length > 0 || (body.has("data") && !message)) {
      const withheld = body.text("extensions", "challenge", "type") === "integrity"
      return { data, withheld, stale: false }
    }
    if (!message) throw response.explainMissing("Twitch's data")
    if (!/timeout/i.test(message) || attempt >= maxRetries)
      throw new UpstreamError(`Twitch failed: ${message}.`, { response })
    await ctx.pause(attempt + 1, "Twitch's service timed out.")
  }
}

/**
 * Returns the additional fields of the official API if the operator has an application there; else
 * nothing.
 */
export async function helixChannel(login: string, ctx: Context): Promise<JsonReader> {
  const id = ctx.secret("TWITCH_CLIENT_ID")
  const secret = ctx.secret("TWITCH_CLIENT_SECRET")
  if (!id || !secret) return new JsonReader({})
  const body = await orNull(ctx, "facts of the official API", async () => {
    const token = await once(ctx, "twitch.token", () => helixToken(id, secret, ctx))
    const headers = { authorization: `Bearer ${token}`, "client-id": id }
    const first = async (path: string) =>
      at(await ctx.json(`https://api.twitch.tv/helix/${path}`, { headers }), "data", 0)
    return {
      user: await first(`users?login=${login}`),
      stream: await first(`streams?user_login=${login}`),
    }
  })
  return new JsonReader(body ?? {})
}

async function helixToken(id: string, secret: string, ctx: Context): Promise<string> {
  const response = await ctx.post("https://id.twitch.tv/oauth2/token", {
    form: { client_id: id, client_secret: secret, grant_type: "client_credentials" },
    accept: [400, 401, 403],
  })
  if (response.status >= 400)
    throw new Forbidden("Twitch does not accept TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET.")
  const token = response.json<{ access_token?: string }>().access_token
  if (!token) throw response.explainMissing("a token")
  return token
}
