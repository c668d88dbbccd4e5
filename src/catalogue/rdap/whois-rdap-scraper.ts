import {
  booleanOrNull,
  isoDate,
  objectList,
  retryAfterSeconds,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { readHost, registrableDomain, unicodeDomain } from "../../extract/links/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  NotFound,
  once,
  RateLimited,
  type Row,
  record,
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
async function requestRegistry(domain: string, ctx: Context): Promise<UpstreamResponse> {
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
async function requestRegistrar(url: string, ctx: Context) {
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
    if (status === 400 || status === 422)
      throw new BadInput(`${host} does not accept this name (status ${status}).`, { response })
    if (status !== 403) return response
    // Some registries limit the rate with 403 and a Retry-After header.
    const seconds = retryAfterSeconds(response.headers, ctx.now().getTime())
    if (seconds === null) throw new Forbidden(`${host} refuses access (status 403).`, { response })
    const message = `${host} limits the rate of requests`
    if (seconds > maxWait || attempt > 0)
      throw new RateLimited(`${message} (status 403).`, seconds, { response })
    await ctx.pause(seconds, `${message}.`)
  }
}

const keysOf = ({ found }: Row) => objectList(at<Row[]>(found, "secureDNS", "dsData"))

const domainRecord = record({
  input: items.requiredText("Domain as written in the input."),
  domain: items.requiredText("Registrable domain, in ASCII."),
  unicodeName: items.text("Domain in Unicode, for example müller.de."),
  url: items.requiredText("URL of a page with the registration."),
  isRegistered: items.requiredBoolean("Whether the domain is registered."),
  handle: field.text("found.handle", "Identifier of the domain at the registry."),
  registrar: items.text("Name of the registrar."),
  registrarIanaId: items.text("IANA ID of the registrar."),
  registrarUrl: items.text("URL of the registrar's site."),
  abuseEmail: items.text("Email address for abuse reports."),
  abusePhone: items.text("Phone number for abuse reports."),
  registrantName: items.text(
    "Name of the registrant; null if neither registry nor registrar publishes it.",
  ),
  registrantOrganization: items.text("Organisation of the registrant."),
  registrantCountry: items.text("Country of the registrant."),
  registrantEmail: items.text("Email address of the registrant."),
  registrantSource: items.text(
    "URL of the response that contains the registrant, or would contain it if it were published.",
  ),
  createdAt: items.text("Time of the registration (ISO 8601, UTC)."),
  updatedAt: items.text("Time of the registration's last change (ISO 8601, UTC)."),
  expiresAt: items.text("Time at which the registration expires (ISO 8601, UTC)."),
  lastTransferAt: items.text("Time of the last transfer to another registrar (ISO 8601, UTC)."),
  databaseUpdatedAt: items.text(
    "Time of the last update of the registry's database (ISO 8601, UTC).",
  ),
  daysUntilExpiry: items.integer("Whole days until the registration expires."),
  domainAgeDays: items.integer("Whole days since the registration."),
  status: field.texts("found.status", "Status values, as the registry writes them."),
  nameservers: items.texts("Host names of the name servers."),
  dnssec: items.boolean(
    "Whether the delegation is signed; null if the registry does not report it.",
  ),
  dsRecords: field.objects(keysOf, "DNSSEC keys of the delegation.", {
    keyTag: field.integer("keyTag", "Key tag of the DNSSEC key (0-65535)."),
    algorithm: field.integer("algorithm", "IANA number of the key's algorithm, for example 13."),
    digestType: field.integer(
      "digestType",
      "IANA number of the digest's algorithm, for example 2 for SHA-256.",
    ),
    digest: field.text("digest", "Digest of the key, in hex."),
  }),
  rdapUrl: items.requiredText("URL of the registry's RDAP response."),
  port43: field.text("found.port43", "Host name of the WHOIS server."),
  notices: items.texts("Titles of the registry's notices."),
})

export default defineScraper({
  slug: "whois-rdap-scraper",
  name: "WHOIS and RDAP",
  tagline: "Who registered a domain, when does it expire, which name servers and status, by RDAP.",
  notServed: ["DNS records"],
  category: "network",
  fetchMethods: ["http"],
  input: {
    domains: inputs.texts("Domains, subdomains or URLs, for example example.com.", { max: 200 }),
  },
  item: domainRecord,
  watch: {
    key: ["domain"],
    name: ["domain"],
    days: "daysUntilExpiry",
    expiring: "The registration",
    conditions: [{ when: "expires", days: 30 }],
  },
  example: { domains: ["example.com"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].isRegistered equals true",
      'items[0].createdAt matches "^1995-08-14"',
      "items[0].nameservers.length gte 2",
      "items[0].expiresAt share 1",
      "?items[0].registrar share 1",
    ],
  },
  rateLimit: {
    "rdap.org": { perSecond: 1, concurrency: 1 },
    "*": { perSecond: 2, concurrency: 2 },
  },
  targets: (input) => input.domains,

  async *scrape(target, ctx) {
    const host = readHost(target)
    const domain = host && !host.isIp ? registrableDomain(host.name) : null
    if (!domain) throw new BadInput(`"${target}" is not a domain; write "example.com".`)
    const response = await requestRegistry(domain, ctx)
    const isRegistered = response.status !== 404
    const match = isRegistered ? registrationIn(response) : {}
    const registrar = entityWithRole(match.entities, "registrar")
    const abuse =
      entityWithRole(registrar?.entities, "abuse") ?? entityWithRole(match.entities, "abuse")
    const own = entityWithRole(match.entities, "registrant")
    const link = isRegistered && !own ? registrarLink(match, response.url) : null
    const further = link === null ? undefined : await requestRegistrar(link, ctx)
    const registrant = own ?? entityWithRole(registrationOr(further)?.entities, "registrant")
    const dates = eventDates(match)
    const createdAt = dates.get("registration") ?? null
    const expiresAt = dates.get("expiration") ?? dates.get("registrar expiration") ?? null
    const now = ctx.now().getTime()
    yield domainRecord.read({
      found: match,
      input: target,
      domain: textOrNull(match.ldhName)?.toLowerCase().replace(/\.$/, "") ?? domain,
      unicodeName: textOrNull(match.unicodeName) ?? unicodeDomain(domain),
      url: `https://lookup.icann.org/en/lookup?name=${domain}`,
      isRegistered,
      registrar:
        vcardText(registrar, "fn") ?? vcardText(registrar, "org") ?? textOrNull(registrar?.handle),
      registrarIanaId: textOrNull(
        objectList(registrar?.publicIds).find(({ type }) => /\biana\b/i.test(String(type)))
          ?.identifier,
      ),
      registrarUrl:
        vcardText(registrar, "url") ??
        objectList(registrar?.links).find((link) => link.rel === "about")?.href ??
        null,
      abuseEmail: vcardText(abuse, "email"),
      abusePhone: vcardText(abuse, "tel")?.replace(/^tel:/i, "") ?? null,
      registrantName: visible(vcardText(registrant, "fn")),
      registrantOrganization: visible(vcardText(registrant, "org")),
      registrantCountry: vcardCountry(registrant),
      registrantEmail: visible(vcardText(registrant, "email")),
      registrantSource: isRegistered ? (link ?? response.url) : null,
      createdAt,
      updatedAt: dates.get("last changed") ?? null,
      expiresAt,
      lastTransferAt: dates.get("transfer") ?? null,
      databaseUpdatedAt: dates.get("last update of rdap database") ?? null,
      daysUntilExpiry: expiresAt === null ? null : wholeDays(now, Date.parse(expiresAt)),
      domainAgeDays: createdAt === null ? null : wholeDays(Date.parse(createdAt), now),
      nameservers: nameserversOf(match),
      dnssec: booleanOrNull(at(match, "secureDNS", "delegationSigned")),
      rdapUrl: response.url,
      notices: textList(objectList(match.notices as Row[]).map((notice) => notice.title)),
    })
  },
})

/**
 * Returns the registrar's URL of the domain; the registrar often knows a registrant that the
 * registry lacks (RFC 9083, 5.3).
 */
function registrarLink({ links }: Row, requested: string): string | null {
  const related = objectList(links as Row[]).find(
    ({ rel, type, href }) =>
      String(rel).toLowerCase() === "related" &&
      (type === undefined || String(type).includes("rdap+json")) &&
      typeof href === "string" &&
      href.startsWith("https:") &&
      URL.canParse(href) &&
      href !== requested,
  )
  return (related?.href as string | undefined) ?? null
}

/** Returns the registration in a registrar's response, which may be malformed. */
function registrationOr(response: UpstreamResponse | undefined): Row | null {
  try {
    return response ? registrationIn(response) : null
  } catch (error) {
    if (error instanceof ScrapeError) return null
    throw error
  }
}

/** Placeholders that registrars write into a withheld field. */
const withheld = /^(?:redacted|not disclosed|data protected|withheld|statutory masking)/i
const visible = (text: string | null) => (text !== null && withheld.test(text) ? null : text)

const wholeDays = (from: number, to: number) => Math.floor((to - from) / dayMs)

function registrationIn(response: UpstreamResponse): Row {
  const body = response.json<Row | null>()
  if (body?.objectClassName !== "domain" && typeof body?.ldhName !== "string")
    throw response.explainMissing("a domain's registration")
  return body
}

/**
 * Returns the first date of each kind of event, ignoring the case of its name, in which registries
 * differ.
 */
function eventDates({ events }: Row): Map<string, string> {
  const dates = new Map<string, string>()
  for (const { eventAction, eventDate } of objectList(events as Row[])) {
    const action = textOrNull(eventAction)?.toLowerCase()
    const date = isoDate(eventDate)
    if (action && date && !dates.has(action)) dates.set(action, date)
  }
  return dates
}

/** Registries that run FRED have their name servers in `fred_nsset`. */
const nameserversOf = ({ nameservers, fred_nsset }: Row): string[] =>
  objectList((nameservers ?? at(fred_nsset, "nameservers")) as Row[]).flatMap(
    ({ ldhName, unicodeName }) =>
      (textOrNull(ldhName) ?? textOrNull(unicodeName))?.toLowerCase().replace(/\.$/, "") ?? [],
  )

/** A person or organisation in an RDAP response (RFC 9083); it may contain others. */
interface Entity {
  handle?: string
  roles?: string[]
  vcardArray?: [string, (VcardLine | null)[]] | null
  publicIds?: { type?: string; identifier?: string }[]
  links?: { rel?: string; href?: string }[]
  entities?: Entity[]
}

/** `[name, parameters, type, value]` (jCard, RFC 7095). */
type VcardLine = [name: string, parameters: Record<string, unknown>, type: string, value: unknown]

/** Returns the first entity with a role, at any depth. */
function entityWithRole(entities: unknown, role: string): Entity | undefined {
  for (const entity of objectList(entities as Entity[])) {
    if ([entity.roles].flat().some((own) => String(own).toLowerCase() === role)) return entity
    const inner = entityWithRole(entity.entities, role)
    if (inner) return inner
  }
}

function vcardLine(entity: Entity | undefined, name: string): VcardLine | undefined {
  const lines = entity?.vcardArray?.[1]
  return Array.isArray(lines) ? (lines.find((line) => line?.[0] === name) ?? undefined) : undefined
}

/** Returns a value of an entity's card; null if it is missing, empty or redacted for privacy. */
function vcardText(entity: Entity | undefined, name: string): string | null {
  const value = vcardLine(entity, name)?.[3]
  const text = textOrNull(Array.isArray(value) ? value.flat().filter(Boolean).join(", ") : value)
  return text && !/\bredacted\b|^(?:data protected|not disclosed|withheld)/i.test(text)
    ? text.trim()
    : null
}

/**
 * Returns the country of a postal address: its code in a parameter, or the last part of the
 * address.
 */
function vcardCountry(entity: Entity | undefined): string | null {
  const line = vcardLine(entity, "adr")
  if (!line) return null
  const [, parameters, , value] = line
  const written =
    textOrNull(parameters?.cc) ?? textOrNull(Array.isArray(value) ? value.at(-1) : null)
  return written && !/redacted/i.test(written) ? written : null
}
