import { Type } from "@sinclair/typebox"
import {
  BadInput,
  Blocked,
  type Context,
  decodedPath,
  defineScraper,
  distinctTargets,
  failsRun,
  inputObject,
  inputs,
  isPlain,
  itemObject,
  items,
  NotFound,
  type Refusal,
  readOnce,
  recordFields,
  redirectTarget,
  type UpstreamResponse,
} from "../kit/index.ts"
import { linkedinCompany } from "./page.ts"

const site = "https://www.linkedin.com"
const refusal: Refusal = { statuses: [999, 403], sign: isPlain }
const missingPath = /^\/(?:company\/unavailable|404)\b/
const challengePath = /^\/(?:authwall|login|uas\/login|signup|checkpoint)\b/
const elsewhere = new RegExp(`${missingPath.source}|${challengePath.source}`)

const pageItem = itemObject({
  name: items.text("Name."),
  industry: items.text("Industry."),
  location: items.text("Location, as displayed."),
  url: items.text("URL of the page."),
})

export default defineScraper({
  slug: "linkedin-company-scraper",
  name: "LinkedIn Companies",
  tagline: "Public LinkedIn company pages: facts, size, address, followers, posts.",
  serves: [
    "size, industry and headquarters of a company",
    "LinkedIn page of a firm",
    "how many employees a company has",
    "number of employees",
    "company size on LinkedIn",
    "how many people work at a company",
    "where is a firm based and what industry is it in",
    "company headcount",
    "followers of a firm on LinkedIn",
    "when was a company founded",
    "how big is a company",
    "LinkedIn facts about a company",
    "company page on LinkedIn",
    "how large is a company's team",
  ],
  notServed: ["people's profiles", "jobs"],
  category: "social",
  tier: "premium",
  input: inputObject({
    companies: inputs.texts("Company slugs, for example microsoft, or company page URLs.", {
      max: 100,
    }),
  }),
  item: itemObject({
    ...recordFields("company"),
    slug: items.requiredText("Name in URLs (slug)."),
    id: items.text("ID."),
    name: items.requiredText("Name."),
    tagline: items.text("Tagline of the company."),
    slogan: items.text("Slogan."),
    description: items.text("Text about the company."),
    website: items.text("URL of the website."),
    industry: items.text("Industry."),
    companySize: items.text("Company size, as the company states it."),
    sizeMin: items.integer("Minimum number of employees of the company size."),
    sizeMax: items.integer("Maximum number of employees of the company size; null if it has none."),
    employeesOnLinkedIn: items.integer("Number of employees who are LinkedIn members."),
    headquarters: items.text("Headquarters."),
    companyType: items.text("Type of company."),
    founded: items.integer("Year."),
    specialties: items.texts("Specialties."),
    followersCount: items.integer("Number of followers."),
    address: items.object("Postal address of the headquarters.", {
      street: items.text("Street."),
      city: items.text("City."),
      region: items.text("Region."),
      postalCode: items.text("Postal code."),
      country: items.text("Country (two letters)."),
    }),
    locations: items.texts("Locations; the main one is marked Primary."),
    logoUrl: items.text("URL of the logo."),
    coverUrl: items.text("URL of the cover image."),
    employees: items.objects("Employees that the page lists.", {
      name: items.text("Name."),
      title: items.text("Title."),
      url: items.text("URL of the profile."),
    }),
    similarCompanies: Type.Array(pageItem, { description: "Pages of similar companies." }),
    affiliatedPages: Type.Array(pageItem, { description: "Affiliated pages of the company." }),
    funding: items.object("Funding.", {
      rounds: items.integer("Total number of funding rounds."),
      lastRoundType: items.text("Type of the last funding round."),
      lastRoundDate: items.text("Day of the last funding round."),
      lastRoundAmount: items.text("Amount of the last funding round, as displayed."),
      url: items.text("URL of all funding rounds."),
    }),
    products: items.objects("Products.", {
      name: items.text("Name."),
      url: items.text("URL of the page."),
      description: items.text("Description."),
    }),
    recentPosts: items.objects("Posts that the page contains.", {
      id: items.text("ID."),
      url: items.text("URL of the page."),
      text: items.text("Text."),
      age: items.text("Age of the post, as displayed, for example 4d."),
      publishedAt: items.text(
        "Time of posting (ISO 8601, UTC); null if the page does not show it.",
      ),
      reactions: items.integer("Number of reactions."),
      commentsCount: items.integer("Number of comments."),
      author: items.text("Name of the author."),
    }),
  }),
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
    const company = await ctx.escalate(site, (ctx) => companyAt(path, ctx))
    yield { type: "company" as const, input: nameOf(target), ...company }
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
  const company = companyOf(page)
  if (!company) throw page.explainMissing(what)
  return company
}

const pathIn = ({ url }: UpstreamResponse) => new URL(url).pathname

/** @throws NotFound, Blocked if LinkedIn redirects away from the company's page */
function throwIfElsewhere(path: string, details: { url: string; statusCode?: number }): void {
  if (missingPath.test(path)) {
    throw new NotFound("LinkedIn has no such company page.", details)
  }
  if (challengePath.test(path)) {
    throw new Blocked("LinkedIn requires a login from this IP address.", "LinkedIn", details)
  }
}

/**
 * Returns `company/microsoft`, or the same for schools and showcases.
 * @throws BadInput
 */
function pathOf(target: string): string {
  const text = target.trim()
  const address =
    /^(?:https?:\/\/)?(?:[a-z]{1,5}\.)*linkedin\.com\/(company|school|showcase)\/([^/?#]+)/i.exec(
      text,
    )
  const slug = decodedPath(address?.[2] ?? text)
  if (/^[\p{L}\p{M}0-9\-_.%&']{1,100}$/u.test(slug)) {
    return `${address?.[1]?.toLowerCase() ?? "company"}/${encodeURIComponent(slug)}`
  }
  throw new BadInput(`"${target}" is not a LinkedIn company. Use its slug or page URL.`)
}

/** Returns the company's name in URLs, which items contain as their input, also for a given URL. */
function nameOf(target: string): string {
  const slug = /linkedin\.com\/(?:company|school|showcase)\/([^/?#]+)/i.exec(target)?.[1]
  return slug ? decodedPath(slug) : target
}
