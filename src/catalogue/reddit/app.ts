import { Changed, type Context, Forbidden, type Step, type UpstreamResponse } from "../kit/index.ts"
import { checked, parametersOf, type RedditRequest, site } from "./reddit.ts"

const userAgent = "trawl/1.0 (self-hosted; +operator contact)"
/** A token is renewed this long before it expires, in milliseconds. */
const tokenMargin = 60_000

const keys = ["REDDIT_CLIENT_ID", "REDDIT_CLIENT_SECRET"] as const

interface Token {
  /** Null if Reddit does not accept the app. */
  value: string | null
  expiresAt: number
}

/** Makes a step depend on the operator's Reddit app. */
export const withApp = <T>(ask: Step<T>): Step<T> => Object.assign(ask, { needs: keys })

/** Makes a step depend on the operator's session: Reddit refuses its data to signed-out visitors. */
export const withSession = <T>(ask: Step<T>): Step<T> =>
  Object.assign(ask, { needs: ["REDDIT_COOKIE"] as const })

/**
 * Requests Reddit's API through the operator's app. Throws like `asMember`, and if Reddit
 * does not accept the app.
 */
export const asApp: RedditRequest = async (path, query, ctx, form) => {
  const requested = async () => {
    const response = await ask(path, query, ctx, form)
    const isOver = response.status === 401 && ctx.shared.delete("reddit.token")
    return isOver ? ask(path, query, ctx, form) : response
  }
  return checked(path, requested())
}

const ask: RedditRequest = async (path, query, ctx, form) => {
  const options = parametersOf(query, form)
  const authorization = `Bearer ${await bearer(ctx)}`
  const headers = { ...options.headers, authorization, "user-agent": userAgent }
  const url = `https://oauth.reddit.com${path}`
  return form ? ctx.post(url, { ...options, form, headers }) : ctx.get(url, { ...options, headers })
}

async function bearer(ctx: Context): Promise<string> {
  const known = (await ctx.shared.get("reddit.token")) as Token | undefined
  const isFresh = known && known.expiresAt - tokenMargin > ctx.now().getTime()
  const { value } = isFresh ? known : await renewed(ctx)
  if (value === null) throw new Forbidden(`Reddit does not accept ${keys.join(" and ")}.`)
  return value
}

async function renewed(ctx: Context): Promise<Token> {
  const fetched = fetchToken(ctx)
  ctx.shared.set("reddit.token", fetched)
  try {
    return await fetched
  } catch (error) {
    ctx.shared.delete("reddit.token")
    throw error
  }
}

async function fetchToken(ctx: Context): Promise<Token> {
  const id = ctx.secret("REDDIT_CLIENT_ID") ?? ""
  const secret = ctx.secret("REDDIT_CLIENT_SECRET") ?? ""
  const response = await ctx.post(`${site}/api/v1/access_token`, {
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}`, "user-agent": userAgent },
    form: { grant_type: "client_credentials" },
    accept: [400, 401, 403],
  })
  if (response.status >= 400) {
    ctx.log(`Reddit does not accept ${keys.join(" and ")} (status ${response.status}).`, "warning")
    return { value: null, expiresAt: Number.POSITIVE_INFINITY }
  }
  return tokenOf(response, ctx)
}

function tokenOf(response: UpstreamResponse, ctx: Context): Token {
  const { access_token: value, expires_in: seconds } = response.json<{
    access_token?: string
    expires_in?: number
  }>()
  if (!value) throw new Changed("Reddit's token response has no token.", { response })
  return { value, expiresAt: ctx.now().getTime() + (seconds ?? 3600) * 1000 }
}
