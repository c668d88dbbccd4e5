import { Type } from "@sinclair/typebox"
import { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  distinctTargets,
  Forbidden,
  failsRun,
  inputs,
  NotFound,
  readRows,
  ScrapeError,
  type SecretName,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { closedInstance } from "./closed.ts"
import { profileItem, profileOf, statusItem, statusOf } from "./items.ts"

const pageSize = 40

type Input = { excludeReplies: boolean; excludeBoosts: boolean }

export default defineScraper({
  slug: "mastodon-profile-scraper",
  name: "Mastodon Profiles",
  tagline: "Profiles and latest posts of Mastodon accounts on any instance.",
  notServed: ["search posts"],
  category: "social",
  fetchMethods: ["http"],
  input: {
    accounts: inputs.texts(
      "Mastodon handles, for example Gargron@mastodon.social, or profile URLs.",
      { max: 200 },
    ),
    statusesPerAccount: inputs.count("Maximum posts per account", { min: 0, max: 400, or: 20 }),
    excludeReplies: inputs.flag("Whether to leave out replies."),
    excludeBoosts: inputs.flag("Whether to leave out boosts."),
  },
  item: Type.Union([profileItem, statusItem]),
  example: { accounts: ["Mastodon@mastodon.social"], statusesPerAccount: 5 },
  probe: {
    input: { accounts: ["Mastodon@mastodon.social"], statusesPerAccount: 3 },
    expect: [
      "items.length gte 2",
      'items[0].username equals "Mastodon"',
      "items[0].followersCount gte 500000",
      "items[0].lastStatusAt fresh 60",
      "?items[*].text share 0.4",
    ],
  },
  rateLimit: { "*": { perSecond: 1, concurrency: 1 } },
  targets: ({ accounts }) => distinctTargets(accounts, (target) => handleText(handleOf(target))),
  failsRun,

  async *scrape(target, ctx) {
    const { statusesPerAccount: wanted } = ctx.input
    const handle = handleOf(target)
    const result = await lookUp(handle, ctx)
    if ("closed" in result) {
      const { profile, statuses } = await closedInstance(result.closed, wanted, result.refusal, ctx)
      yield { type: "profile" as const, input: target, ...profile }
      for (const status of statuses) yield { type: "status" as const, input: target, ...status }
      return
    }
    const { account, host } = result
    yield { type: "profile" as const, input: target, ...profileOf(account, handle.domain, host) }
    if (wanted === 0) return
    const read = (status: JsonReader) => ({
      type: "status" as const,
      input: target,
      ...statusOf(status, host),
    })
    yield* readRows(statuses(account.text("id")!, host, wanted, ctx), read, ctx)
  },
})

type Handle = { user: string; domain: string }

const handleText = ({ user, domain }: Handle) => `${user}@${domain}`

function handleOf(target: string): Handle {
  const text = target.trim().replace(/^acct:/i, "")
  const url =
    /^(?:https?:\/\/)?([^/@]+)\/(?:(?:web|deck)\/)?(?:@|users\/)([^/?#@]+)(?:@([^/?#]+))?/i.exec(
      text,
    )
  const plain = /^@?([^@/\s]+)@([^@/\s]+)$/.exec(text)
  const user = url?.[2] ?? plain?.[1] ?? ""
  const domain = (url?.[3] ?? url?.[1] ?? plain?.[2] ?? "").toLowerCase()
  const isUser = /^\w(?:[\w.-]*\w)?$/.test(user)
  if (isUser && /^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}(?::\d+)?$/.test(domain)) return { user, domain }
  throw new BadInput(
    `"${target}" is not a Mastodon account; write user@instance or the profile's URL.`,
  )
}

type Found =
  | { account: JsonReader; host: string }
  | { closed: { self: string; host: string; user: string }; refusal: ScrapeError }

/**
 * Returns the account from its home: the handle's domain, or the host that WebFinger names.
 * @throws NotFound, Forbidden (suspended)
 */
async function lookUp(handle: Handle, ctx: Context): Promise<Found> {
  let refusal: ScrapeError | undefined
  try {
    const account = await fetchAccount(handle, handle.domain, ctx)
    if (account) return { account, host: handle.domain }
  } catch (error) {
    ctx.signal.throwIfAborted()
    const elsewhere = error instanceof Changed || error instanceof Unreachable || isClosed(error)
    if (!elsewhere) throw error
    refusal = error
  }
  const home = await webfinger(handle, refusal, ctx)
  if (home.host !== handle.domain) {
    try {
      const account = await fetchAccount(handle, home.host, ctx)
      if (account) return { account, host: home.host }
      throw new Changed(`${home.host} has no Mastodon API.`)
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Changed) && !isClosed(error)) throw error
      refusal = error
    }
  }
  const closed = { self: home.self, host: home.host, user: handle.user }
  return { closed, refusal: refusal ?? new Changed(`${home.host} has no Mastodon API.`) }
}

const isClosed = (error: unknown): error is Forbidden =>
  error instanceof Forbidden && error.code === "login_required"

/** Returns null if the host has no such API. */
async function fetchAccount({ user }: Handle, host: string, ctx: Context) {
  const response = await ctx.get(`https://${host}/api/v1/accounts/lookup`, {
    ...requestOptions(host, ctx),
    query: { acct: user },
    accept: [401, 403, 404, 410],
  })
  if (response.status === 410)
    throw new Forbidden("This account is suspended.", { response, code: "suspended" })
  if (response.status === 401 || (response.status === 403 && isJson(response.text())))
    throw closed(host, response)
  if (response.status === 404) {
    if (!isJson(response.text())) return null
    throw new NotFound(`No such account on ${host}: ${user}.`, { response })
  }
  if (!isJson(response.text())) {
    const scrapeError = response.explainMissing("an account")
    if (scrapeError instanceof Changed && response.status < 400) return null
    throw response.status === 403 && scrapeError instanceof Changed
      ? closed(host, response)
      : scrapeError
  }
  const account = new JsonReader(response.json())
  if (!account.has("id") || !account.has("username")) throw response.explainMissing("an account")
  return account
}

const isJson = (text: string) => /^\s*\{/.test(text)

function closed(host: string, response: UpstreamResponse): Forbidden {
  const message = `${host} shows accounts to members only; set ${tokenName(host)}.`
  return new Forbidden(message, { response, code: "login_required" })
}

const tokenName = (host: string): SecretName =>
  `MASTODON_TOKEN_${host.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`

function requestOptions(host: string, ctx: Context) {
  const token = ctx.secret(tokenName(host))
  const headers = { accept: "application/json" }
  return { headers: token ? { ...headers, authorization: `Bearer ${token}` } : headers }
}

async function webfinger({ user, domain }: Handle, refusal: ScrapeError | undefined, ctx: Context) {
  const resource = `acct:${user}@${domain}`
  const url = `https://${domain}/.well-known/webfinger`
  try {
    const reader = new JsonReader(await ctx.json(url, { query: { resource } }))
    const link = (rel: string) =>
      reader
        .list("links")
        .find((entry) => entry.text("rel") === rel)
        ?.text("href") ?? null
    const self = link("self")
    const page = link("http://webfinger.net/rel/profile-page") ?? self
    const host = URL.parse(page ?? "")?.host
    if (self && host) return { self, host }
    throw new Changed(`${domain} does not name the account's host.`, { url })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof NotFound || !(error instanceof ScrapeError)) throw error
    throw refusal ?? error
  }
}

/** Returns an account's posts, newest first, page by page. */
function statuses(id: string, host: string, wanted: number, ctx: Context<Input>) {
  const { excludeReplies, excludeBoosts } = ctx.input
  const idOf = (status: JsonReader) => status.text("id")
  const page = async (before: string | undefined) => {
    const response = await ctx.get(`https://${host}/api/v1/accounts/${id}/statuses`, {
      ...requestOptions(host, ctx),
      query: {
        limit: Math.min(pageSize, wanted),
        exclude_replies: excludeReplies || undefined,
        exclude_reblogs: excludeBoosts || undefined,
        max_id: before,
      },
      accept: [401, 403],
    })
    if (response.status >= 400) throw closed(host, response)
    const list = response.json()
    if (!Array.isArray(list)) throw response.explainMissing("the account's posts")
    const rows = list.map((status) => new JsonReader(status))
    return { rows, next: rows.map(idOf).findLast((id) => id !== null) }
  }
  return cursor(page, { cap: wanted, keyOf: idOf })
}
