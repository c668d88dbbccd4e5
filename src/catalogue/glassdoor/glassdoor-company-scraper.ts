import { firstAttribute, unseen } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  inputs,
  items,
  NotFound,
  orNull,
  readOnce,
  type UpstreamResponse,
} from "../kit/index.ts"
import { companyFields, companyOf } from "./glassdoor.ts"
import { profileOf, reviewsFrom } from "./state.ts"

export default defineScraper({
  slug: "glassdoor-company-scraper",
  name: "Glassdoor Companies",
  tagline: "Employer ratings, facts and sample reviews from Glassdoor.",
  notServed: ["job openings"],
  category: "reviews",
  tier: "premium",
  input: {
    companyUrls: inputs.texts("Glassdoor company URLs (overview or reviews), or company IDs.", {
      max: 1000,
    }),
  },
  item: {
    input: items.requiredText("Company as written in the input."),
    url: items.requiredText("URL of the fetched page."),
    id: items.requiredText("Glassdoor's ID of the company."),
    ...companyFields,
  },
  example: {
    companyUrls: ["https://www.glassdoor.com/Reviews/Tata-Consultancy-Services-Reviews-E13461.htm"],
  },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name matches "tata|tcs"',
      'items[0].id matches "13461"',
      "items[0].rating gte 1",
      "items[0].reviewCount gte 10000",
      "?items[0].ceo share 1",
      "?items[0].headquarters share 1",
    ],
  },
  rateLimit: { "*": { perSecond: 0.25, concurrency: 1 } },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => unseen(input.companyUrls, new Set(), (company) => company.trim()),

  async *scrape(target, ctx) {
    const { url, id } = companyUrl(target)
    // The reviews are requested with the fetch method that opened the page.
    const { response, profile } = await ctx.escalate(url, (ctx) => companyPage(url, id, ctx))
    yield { input: target, url: canonical(response), id, ...companyOf(profile, response.url) }
  },
})

async function companyPage(url: string, id: string, ctx: Context) {
  const what = "the company"
  const read = readOnce((response) => profileOf(response, id))
  const response = await ctx.page(url, {
    has: (response) => isSearch(response) || read(response) !== undefined,
    what,
    refusal: {
      statuses: [403],
      sign: /Help Us Protect Glassdoor|<title>\s*(?:Just a moment|Security \| Glassdoor)/i,
    },
  })
  if (isSearch(response)) {
    const message = "Glassdoor shows a search page instead: there is no such company."
    throw new NotFound(message, { url, statusCode: response.status })
  }
  const profile = read(response)
  if (!profile) throw response.explainMissing(what)
  const service = () => reviewsFromService(ctx, response.url, Number(id), profile.profileId)
  const reviews = profile.reviews ?? (await orNull(ctx, "ratings", service)) ?? undefined
  return { response, profile: { ...profile, reviews } }
}

const isSearch = ({ url }: UpstreamResponse) =>
  /^\/(?:Search|Explore)\//i.test(new URL(url).pathname)

/** Newer pages load their reviews later. Only a page that is open in Chrome may request them. */
function reviewsFromService(
  ctx: Context,
  page: string,
  employerId: number,
  profileId: number | null,
): Promise<JsonReader> {
  const url = new URL("/bff/employer-profile-mono/employer-reviews", page).href
  return ctx.browse(async (tab) => {
    await tab.goto(page)
    const json = reviewsRequest(employerId, profileId)
    const response = await tab.fetch(url, { method: "POST", json })
    const reviews = response.status < 400 ? reviewsFrom(response.json()) : undefined
    if (!reviews) throw response.explainMissing("the reviews")
    return reviews
  })
}

const reviewsRequest = (employerId: number, dynamicProfileId: number | null) => ({
  applyDefaultCriteria: true,
  employerId,
  employmentStatuses: ["REGULAR", "PART_TIME"],
  jobTitle: null,
  goc: null,
  location: {},
  defaultLanguage: "eng",
  language: "eng",
  mlHighlightSearch: null,
  onlyCurrentEmployees: false,
  overallRating: null,
  pageSize: 5,
  page: 1,
  preferredTldId: 0,
  reviewCategories: [],
  sort: "DATE",
  textSearch: "",
  worldwideFilter: false,
  dynamicProfileId,
  useRowProfileTldForRatings: true,
  enableKeywordSearch: true,
})

function canonical(response: UpstreamResponse): string {
  const written = firstAttribute(response.document, "link[rel=canonical]", "href")
  return (written && URL.parse(written, response.url)?.href) ?? response.url
}

function companyUrl(target: string): { url: string; id: string } {
  const text = target.trim()
  if (/^\d+$/.test(text)) {
    const id = String(Number(text))
    return { url: `https://www.glassdoor.com/Overview/Working-at---EI_IE${id}.11,12.htm`, id }
  }
  const match =
    /^(?:(?:https?:)?\/\/)?((?:[\w-]+\.)?glassdoor\.(?:[a-z]{2,3}|com?\.[a-z]{2})\/[^#]*)/i.exec(
      text,
    )
  const id = /EI_IE(\d+)|-E(\d+)(?:_P\d+)?\.htm/i.exec(match?.[1] ?? "")
  if (!match || !id) {
    throw new BadInput(`"${target}" is not a Glassdoor company. Use a company URL or a company ID.`)
  }
  return { url: `https://${match[1]}`, id: id[1] ?? id[2]! }
}
