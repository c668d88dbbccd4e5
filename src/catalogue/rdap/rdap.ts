import { retryAfterSeconds } from "../../extract/core/index.ts"
import {
  type Answer,
  BadInput,
  Changed,
  type Context,
  Forbidden,
  NotFound,
  Outcome,
  once,
  RateLimited,
} from "../kit/index.ts"

const bootstrapUrl = "https://data.iana.org/rdap/dns.json"
const dayMs = 86_400_000
const longestWait = 60
const types = "application/rdap+json, application/json"

/** Pairs of top-level domains and the addresses of their servers (RFC 9224). */
type Services = [suffixes: string[], servers: string[]][]

/** The list of IANA says which server answers for a top-level domain; it is kept for a day. */
async function bootstrap(ctx: Context): Promise<Services> {
  const now = ctx.now().getTime()
  const kept = await ctx.memory.get<{ at: number; services: Services }>("bootstrap")
  if (kept && now - kept.at < dayMs) return kept.services
  const { services } = await ctx.json<{ services?: Services }>(bootstrapUrl)
  if (!Array.isArray(services)) throw new Changed("IANA's list of RDAP servers holds no services.")
  await ctx.memory.set("bootstrap", { at: now, services })
  return services
}

/** The server of the longest suffix that is listed; undefined when none is. */
async function serverFor(domain: string, ctx: Context): Promise<string | undefined> {
  const services = await once(ctx, "rdap.bootstrap", () => bootstrap(ctx))
  const labels = domain.split(".")
  for (let from = 1; from < labels.length; from++) {
    const suffix = labels.slice(from).join(".")
    const servers = services.find(([suffixes]) => suffixes.includes(suffix))?.[1]
    const server = servers?.find((server) => server.startsWith("https:")) ?? servers?.[0]
    if (server) return server.endsWith("/") ? server : `${server}/`
  }
}

/**
 * The registry's answer for a domain; its status is 200, or 404 where nobody has registered it.
 * @throws NotFound (unsupported_tld), BadInput, RateLimited, Forbidden, and what ctx.get throws
 */
export async function askRegistry(domain: string, ctx: Context): Promise<Answer> {
  const server = await serverFor(domain, ctx)
  return server ? ask(`${server}domain/${domain}`, ctx) : askRedirector(domain, ctx)
}

/** rdap.org knows servers that IANA's list lacks, and sends on to them. */
async function askRedirector(domain: string, ctx: Context): Promise<Answer> {
  const unsupported = new NotFound(`No RDAP server for .${domain.split(".").at(-1)}.`, {
    code: "unsupported_tld",
  })
  try {
    const answer = await ask(`https://rdap.org/domain/${domain}`, ctx)
    if (answer.status === 404 && answer.redirects.length === 0) throw unsupported
    return answer
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome) || error instanceof RateLimited) throw error
    throw unsupported
  }
}

/**
 * The registrar's own answer, to which a registry that knows no registrants links; undefined where it cannot be had.
 */
export async function askRegistrar(url: string, ctx: Context): Promise<Answer | undefined> {
  try {
    const answer = await ask(url, ctx)
    return answer.status === 200 ? answer : undefined
  } catch (error) {
    ctx.signal.throwIfAborted()
    // The registry's answer is worth having without it.
    if (error instanceof Outcome) return undefined
    throw error
  }
}

async function ask(url: string, ctx: Context): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ctx.get(url, { headers: { accept: types }, accept: [400, 403, 404, 422] })
    const details = { url: answer.url, statusCode: answer.status }
    const { host } = new URL(answer.url)
    if (answer.status === 400 || answer.status === 422) {
      throw new BadInput(`${host} does not accept this name (status ${answer.status}).`, details)
    }
    if (answer.status !== 403) return answer
    // Some registries say by 403 that it was too fast, and when to come again.
    const seconds = retryAfterSeconds(answer.headers, ctx.now().getTime())
    if (seconds === null) {
      throw new Forbidden(`${host} refuses access (status 403).`, details)
    }
    if (seconds > longestWait || attempt > 0) {
      throw new RateLimited(`${host} limits the rate of requests (status 403).`, seconds, details)
    }
    await ctx.pause(seconds, `${host} limits the rate of requests.`)
  }
}
