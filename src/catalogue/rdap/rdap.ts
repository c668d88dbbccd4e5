import { retryAfterSeconds, textList } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  Forbidden,
  NotFound,
  once,
  RateLimited,
  ScrapeError,
  type UpstreamResponse,
} from "../kit/index.ts"

const bootstrapUrl = "https://data.iana.org/rdap/dns.json"
const dayMs = 86_400_000
const maxWait = 60
const headers = { accept: "application/rdap+json, application/json" }

/** Pairs of top-level domains and the URLs of their servers (RFC 9224). */
type Services = ([suffixes: string[], servers: string[]] | null)[]

/** Returns IANA's list of the RDAP server of each top-level domain. It is cached for a day. */
async function bootstrap(ctx: Context): Promise<Services> {
  const now = ctx.now().getTime()
  const stored = await ctx.memory.get<{ at: number; services: Services }>("bootstrap")
  if (stored && now - stored.at < dayMs) return stored.services
  const { services } = await ctx.json<{ services?: Services }>(bootstrapUrl)
  if (!Array.isArray(services)) throw new Changed("IANA's list of RDAP servers has no services.")
  await ctx.memory.set("bootstrap", { at: now, services })
  return services
}

/** Returns the server of the longest listed suffix; undefined if none is listed. */
async function serverFor(domain: string, ctx: Context): Promise<string | undefined> {
  const services = await once(ctx, "rdap.bootstrap", () => bootstrap(ctx))
  const labels = domain.split(".")
  for (let from = 1; from < labels.length; from++) {
    const suffix = labels.slice(from).join(".")
    const service = services.find((entry) => textList(entry?.[0]).includes(suffix))
    const servers = textList(service?.[1])
    const server = servers.find((server) => server.startsWith("https:")) ?? servers[0]
    if (server) return server.endsWith("/") ? server : `${server}/`
  }
}

/**
 * Returns the registry's response for a domain; its status is 200, or 404 if it is not registered.
 * @throws NotFound (unsupported_tld), BadInput, RateLimited, Forbidden, and errors of ctx.get.
 */
export async function requestRegistry(domain: string, ctx: Context): Promise<UpstreamResponse> {
  const server = await serverFor(domain, ctx)
  return server ? request(`${server}domain/${domain}`, ctx) : requestRedirector(domain, ctx)
}

/** Requests rdap.org, which lists servers that IANA's list lacks and redirects to them. */
async function requestRedirector(domain: string, ctx: Context): Promise<UpstreamResponse> {
  const unsupported = new NotFound(`No RDAP server for .${domain.split(".").at(-1)}.`, {
    code: "unsupported_tld",
  })
  try {
    const response = await request(`https://rdap.org/domain/${domain}`, ctx)
    if (response.status === 404 && response.redirects.length === 0) throw unsupported
    return response
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError) || error instanceof RateLimited) throw error
    throw unsupported
  }
}

/**
 * Returns the registrar's own response, to which a registry without registrants links; undefined if
 * it is not available.
 */
export async function requestRegistrar(url: string, ctx: Context) {
  try {
    const response = await request(url, ctx)
    return response.status === 200 ? response : undefined
  } catch (error) {
    ctx.signal.throwIfAborted()
    // The registry's response is useful without the registrar's.
    if (error instanceof ScrapeError) return undefined
    throw error
  }
}

async function request(url: string, ctx: Context): Promise<UpstreamResponse> {
  for (let attempt = 0; ; attempt++) {
    const response = await ctx.get(url, { headers, accept: [400, 403, 404, 422] })
    const { status } = response
    const { host } = new URL(response.url)
    if (status === 400 || status === 422) {
      throw new BadInput(`${host} does not accept this name (status ${status}).`, { response })
    }
    if (status !== 403) return response
    // Some registries limit the rate with 403 and a Retry-After header.
    const seconds = retryAfterSeconds(response.headers, ctx.now().getTime())
    if (seconds === null) throw new Forbidden(`${host} refuses access (status 403).`, { response })
    const message = `${host} limits the rate of requests`
    if (seconds > maxWait || attempt > 0) {
      throw new RateLimited(`${message} (status 403).`, seconds, { response })
    }
    await ctx.pause(seconds, `${message}.`)
  }
}
