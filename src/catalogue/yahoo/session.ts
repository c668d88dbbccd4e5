import {
  Blocked,
  Changed,
  type Context,
  orNull,
  RateLimited,
  type ScrapeError,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { requestYahoo } from "./yahoo.ts"

/** A session for the quote endpoint: cookies, and the crumb that belongs to them. */
export interface Session {
  cookie: string
  crumb: string
  /** Time of creation, in Unix milliseconds. */
  at: number
}

const memoryKey = "yahoo-session"
const storedFor = 60 * 60 * 1000

/** Returns the session of the last hour, or a new one. */
export async function yahooSession(ctx: Context): Promise<Session> {
  const stored = await ctx.memory.get<Session>(memoryKey)
  return stored && ctx.now().getTime() - stored.at < storedFor ? stored : newSession(ctx)
}

export async function newSession(ctx: Context): Promise<Session> {
  const cookie = await ctx.escalate(quotePage, sessionCookie)
  const session = { cookie, crumb: await crumbFor(cookie, ctx), at: ctx.now().getTime() }
  await ctx.memory.set(memoryKey, session)
  return session
}

const quotePage = "https://finance.yahoo.com/quote/AAPL"
/** Returns 404 but still sets the cookie. */
const plainHost = "https://fc.yahoo.com/"
const maxSteps = 10

/** Yahoo sets no cookie unless the accept header is that of a page. */
const asPage = {
  identity: "browser",
  redirect: "manual",
  accept: "any",
  headers: { accept: "text/html,application/xhtml+xml,application/xml" },
} as const

/** Requests the quote page, and in the EU its consent form, until the cookies are set. */
async function sessionCookie(ctx: Context): Promise<string> {
  const cookies = new Map<string, string>()
  const step = async (requested: Promise<UpstreamResponse>) =>
    reuseCookies(await requested, cookies)
  const done = () => cookies.has("A1") || cookies.has("A3")
  const walk = async () => {
    const first = await step(ctx.get(quotePage, asPage))
    let response = first
    for (let steps = 0; steps < maxSteps && !done(); steps++) {
      const next = response.status < 400 ? response.headers.get("location") : null
      if (next) response = await step(ctx.get(new URL(next, response.url).href, asPage))
      else if (asksConsent(response)) response = await step(agree(response, ctx))
      else break
    }
    if (!done()) throw noCookie(first)
  }
  try {
    await walk()
  } catch (failure) {
    ctx.signal.throwIfAborted()
    await orNull(ctx, "cookie of fc.yahoo.com", () => step(ctx.get(plainHost, asPage)))
    if (!done()) throw failure
  }
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
}

function noCookie(response: UpstreamResponse): ScrapeError {
  const { status } = response
  const details = { url: quotePage, statusCode: status }
  if (status === 429) return new RateLimited("Yahoo limits the rate of requests.", null, details)
  if (status >= 500) return new UpstreamError("Yahoo failed: no session cookie.", details)
  const lacking = response.explainMissing("a session cookie")
  if (lacking.code === "login_required") return lacking
  return new Blocked("Yahoo's response sets no session cookie.", "Yahoo", details)
}

/** Adds the cookies for all of yahoo.com, for example A1 and A3. */
function reuseCookies(response: UpstreamResponse, cookies: Map<string, string>): UpstreamResponse {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^\s*([^\s=;][^=;]*)=([^;]*)/.exec(line) ?? []
    if (name && value && /;\s*domain=\.?yahoo\.com/i.test(line)) cookies.set(name, value)
  }
  return response
}

const asksConsent = ({ status, url }: UpstreamResponse) =>
  status < 300 && new URL(url).host === "consent.yahoo.com"

function agree(response: UpstreamResponse, ctx: Context): Promise<UpstreamResponse> {
  const form = new URLSearchParams()
  for (const field of response.document.querySelectorAll('input[type="hidden"][name]')) {
    form.append(field.getAttribute("name")!, field.getAttribute("value") ?? "")
  }
  if (!form.has("csrfToken")) throw response.explainMissing("the consent form")
  form.append("agree", "agree")
  form.append("agree", "agree")
  return ctx.post(response.url, { ...asPage, body: form.toString() })
}

async function crumbFor(cookie: string, ctx: Context): Promise<string> {
  const response = await requestYahoo(ctx, "/v1/test/getcrumb", {
    headers: { cookie, accept: "*/*", origin: "https://finance.yahoo.com", referer: quotePage },
  })
  const crumb = response.text().trim()
  if (/^[^\s<>{}]+$/.test(crumb)) return crumb
  if (/too many requests/i.test(crumb))
    throw new RateLimited("Yahoo limits the rate of requests: no crumb.", null, { response })
  throw crumb === ""
    ? new Changed("Yahoo's response has no crumb.", { response })
    : response.explainMissing("a crumb")
}
