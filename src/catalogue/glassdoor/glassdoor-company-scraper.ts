import { Type } from "@sinclair/typebox"
import { firstAttribute, unseen } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import {
  type Answer,
  BadInput,
  type Context,
  defineScraper,
  guardedPage,
  inputObject,
  inputs,
  itemObject,
  lacking,
  NotFound,
  orNull,
} from "../kit/index.ts"
import { companyFields, companyOf } from "./glassdoor.ts"
import { profileOf, reviewsFrom } from "./state.ts"

const wall = { statuses: [403], sign: /Help Us Protect Glassdoor|<title>\s*Just a moment/i }

export default defineScraper({
  slug: "glassdoor-company-scraper",
  name: "Glassdoor Companies",
  tagline: "Employer ratings, facts and sample reviews from Glassdoor.",
  category: "reviews",
  tier: "premium",
  input: inputObject({
    companyUrls: inputs.texts(
      "Addresses of companies on Glassdoor (overview or reviews), or their numbers.",
      { max: 1000 },
    ),
  }),
  item: itemObject({
    input: Type.String({ description: "The company as it was asked for." }),
    url: Type.String({ description: "The page that was read." }),
    id: Type.String({ description: "Glassdoor's number of the company." }),
    ...companyFields,
  }),
  deprecated: {
    "ceo.photoUrl": "imageUrl",
    "ceo.ratingsCount": "ratingCount",
    "reviews.date": "publishedAt",
    "reviews.helpful": "helpfulCount",
  },
  example: {
    companyUrls: ["https://www.glassdoor.com/Reviews/Tata-Consultancy-Services-Reviews-E13461.htm"],
  },
  pace: { "*": { perSecond: 0.25, concurrency: 1 } },
  access: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => unseen(input.companyUrls, new Set(), (company) => company.trim()),

  async *scrape(target, ctx) {
    const { url, id } = companyAddress(target)
    const answer = await guardedPage(ctx, url, wall)
    if (/^\/(?:Search|Explore)\//i.test(new URL(answer.url).pathname)) {
      throw new NotFound("Glassdoor shows a search in its place: there is no such company.", {
        url,
        statusCode: answer.status,
      })
    }
    const profile = profileOf(answer, id)
    if (!profile) throw lacking(answer, "the company", wall)
    const asked = () => reviewsFromService(ctx, answer.url, Number(id), profile.profileId)
    profile.reviews ??= (await orNull(ctx, "ratings", asked)) ?? undefined
    yield { input: target, url: canonical(answer), id, ...companyOf(profile, answer.url) }
  },
})

/** Newer pages ask for their reviews afterwards; only a page that is open in Chrome may. */
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
    const answer = await tab.fetch(url, { method: "POST", json })
    const reviews = answer.status < 400 ? reviewsFrom(answer.json()) : undefined
    if (!reviews) throw answer.lacks("the reviews")
    return reviews
  })
}

function reviewsRequest(employerId: number, dynamicProfileId: number | null) {
  return {
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
  }
}

function canonical(answer: Answer): string {
  const written = firstAttribute(answer.document, "link[rel=canonical]", "href")
  return (written && URL.parse(written, answer.url)?.href) ?? answer.url
}

function companyAddress(target: string): { url: string; id: string } {
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
    throw new BadInput(`"${target}" is no address of a company on Glassdoor and no number of one.`)
  }
  return { url: `https://${match[1]}`, id: id[1] ?? id[2]! }
}
