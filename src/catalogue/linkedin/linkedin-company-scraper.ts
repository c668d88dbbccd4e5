import {
  BadInput,
  Blocked,
  type Context,
  decodedPath,
  defineScraper,
  distinctTargets,
  failsRun,
  inputs,
  isPlain,
  NotFound,
  type Refusal,
  readOnce,
  recordFields,
  redirectTarget,
  type UpstreamResponse,
} from "../kit/index.ts"
import { company, linkedinCompany } from "./page.ts"

const site = "https://www.linkedin.com"
const refusal: Refusal = { statuses: [999, 403], sign: isPlain }
const missingPath = /^\/(?:company\/unavailable|404)\b/
const challengePath = /^\/(?:authwall|login|uas\/login|signup|checkpoint)\b/
const elsewhere = new RegExp(`${missingPath.source}|${challengePath.source}`)

export default defineScraper({
  slug: "linkedin-company-scraper",
  name: "LinkedIn Companies",
  tagline: "Public LinkedIn company pages: facts, size, address, followers, posts.",
  notServed: ["people's profiles", "jobs"],
  category: "social",
  tier: "premium",
  input: {
    companies: inputs.texts("Company slugs, for example microsoft, or company page URLs.", {
      max: 100,
    }),
  },
  item: { ...recordFields("company"), ...company.fields },
  example: { companies: ["microsoft"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name equals "Microsoft"',
      "items[0].followersCount gte 20000000",
      "items[0].website share 1",
      "?items[0].employeesOnLinkedIn gte 100000",
      "?items[0].description share 1",
      "?items[0].locations.length gte 1",
    ],
  },
  rateLimit: { "www.linkedin.com": { perSecond: 1 / 6, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: ({ companies }) => distinctTargets(companies, pathOf),
  identify: (target) => ({ input: nameOf(target) }),
  failsRun,

  async *scrape(target, ctx) {
    const path = pathOf(target)
    const known = await ctx.escalate(site, (ctx) => companyAt(path, ctx))
    yield { type: "company" as const, input: nameOf(target), ...known }
  },
})

async function companyAt(path: string, ctx: Context) {
  const url = `${site}/${path}`
  const what = "the company"
  const companyOf = readOnce((response) => linkedinCompany(response, path.split("/")[1]!))
  const page = await ctx
    .page(url, {
      has: (response) => elsewhere.test(pathIn(response)) || companyOf(response) !== null,
      what,
      refusal,
      headers: { "accept-language": "en-US,en;q=0.5" },
    })
    .catch((error) => {
      throwIfElsewhere(redirectTarget(error), { url })
      throw error
    })
  throwIfElsewhere(pathIn(page), { url: page.url, statusCode: page.status })
  const known = companyOf(page)
  if (!known) throw page.explainMissing(what)
  return known
}

const pathIn = ({ url }: UpstreamResponse) => new URL(url).pathname

/** @throws NotFound, Blocked if LinkedIn redirects away from the company's page */
function throwIfElsewhere(path: string, details: { url: string; statusCode?: number }): void {
  if (missingPath.test(path)) throw new NotFound("LinkedIn has no such company page.", details)
  if (challengePath.test(path))
    throw new Blocked("LinkedIn requires a login from this IP address.", "LinkedIn", details)
}

/** Returns `company/microsoft`, or the same for schools and showcases. Throws BadInput. */
function pathOf(target: string): string {
  const text = target.trim()
  const address =
    /^(?:https?:\/\/)?(?:[a-z]{1,5}\.)*linkedin\.com\/(company|school|showcase)\/([^/?#]+)/i.exec(
      text,
    )
  const slug = decodedPath(address?.[2] ?? text)
  if (/^[\p{L}\p{M}0-9\-_.%&']{1,100}$/u.test(slug))
    return `${address?.[1]?.toLowerCase() ?? "company"}/${encodeURIComponent(slug)}`
  throw new BadInput(`"${target}" is not a LinkedIn company. Use its slug or page URL.`)
}

/** Returns the company's name in URLs, which items contain as their input, also for a given URL. */
function nameOf(target: string): string {
  const slug = /linkedin\.com\/(?:company|school|showcase)\/([^/?#]+)/i.exec(target)?.[1]
  return slug ? decodedPath(slug) : target
}
