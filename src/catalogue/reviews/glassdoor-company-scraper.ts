import { type TSchema, Type } from "@sinclair/typebox"
import type { JsonReader } from "../../extract/json-reader.ts"
import { firstAttribute } from "../../extract/pick.ts"
import { unseen } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Answer, Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  textField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, NotFound } from "../outcome.ts"
import { guardedPage, lacking } from "../walls.ts"
import { companyFields } from "./glassdoor.ts"
import { profileOf, reviewsFrom } from "./glassdoor-state.ts"

const wall = { statuses: [403], sign: /Help Us Protect Glassdoor|<title>\s*Just a moment/i }

const listOf = <S extends TSchema>(item: S, description: string) =>
  Type.Array(item, { description })
const company = {
  id: textField("Glassdoor's number."),
  name: textField("Name."),
  url: textField("Its page."),
}
const ratings = (description: string) =>
  itemObject(
    {
      workLifeBalance: numberField("Work and life."),
      cultureAndValues: numberField("Culture and values."),
      diversityAndInclusion: numberField("Diversity and inclusion."),
      careerOpportunities: numberField("Career."),
      compensationAndBenefits: numberField("Pay and benefits."),
      seniorManagement: numberField("Senior management."),
    },
    { description },
  )

const item = itemObject({
  input: Type.String({ description: "The company as it was asked for." }),
  url: Type.String({ description: "The page that was read." }),
  id: Type.String({ description: "Glassdoor's number of the company." }),
  name: Type.String({ description: "Name." }),
  website: textField("Website."),
  headquarters: textField("Headquarters."),
  size: textField("Employees, such as 10000+ Employees."),
  sizeCategory: textField("Class of its size; overview pages alone."),
  type: textField("Such as Company - Public; overview pages alone."),
  revenue: textField("Revenue in words; overview pages alone."),
  foundedYear: integerField("Year of its founding; overview pages alone."),
  industry: textField("Industry."),
  sector: textField("Sector."),
  description: textField("About the company; overview pages alone."),
  mission: textField("Its mission; overview pages alone."),
  logoUrl: textField("Logo."),
  coverUrl: textField("Cover picture."),
  rating: numberField("Overall rating, of 5."),
  ratings: ratings("Ratings by aspect, of 5."),
  recommendToFriend: numberField("Share who would recommend it, 0 to 1."),
  businessOutlook: numberField("Share who see its business grow, 0 to 1."),
  ceo: nullable(
    itemObject(
      {
        name: Type.String({ description: "Name." }),
        title: textField("Title."),
        approval: numberField("Share who approve, 0 to 1."),
        ratingsCount: integerField("Ratings of the CEO."),
        photoUrl: textField("Picture."),
      },
      { description: "Chief executive." },
    ),
  ),
  reviewCount: integerField("Reviews in all languages."),
  ratedReviewCount: integerField("Reviews that count for the ratings."),
  salaryCount: integerField("Salaries."),
  jobCount: integerField("Open jobs."),
  interviewCount: integerField("Interviews."),
  benefitCount: integerField("Reviews of benefits."),
  photoCount: integerField("Photos."),
  reviewsByLanguage: listOf(
    itemObject({
      code: Type.String({ description: "Language (ISO 639-3)." }),
      count: Type.Integer({ description: "Reviews." }),
    }),
    "Reviews by language.",
  ),
  offices: listOf(
    itemObject({
      address: textField("Street."),
      city: textField("City."),
      region: textField("State or region."),
      postalCode: textField("Postal code."),
      country: textField("Country."),
    }),
    "Offices, where the page tells their addresses.",
  ),
  subsidiaries: listOf(itemObject(company), "Subsidiaries."),
  parent: nullable(itemObject(company, { description: "Parent company." })),
  ratingDistribution: nullable(
    itemObject(
      {
        "5": integerField("Five stars."),
        "4": integerField("Four."),
        "3": integerField("Three."),
        "2": integerField("Two."),
        "1": integerField("One."),
      },
      { description: "Reviews by stars." },
    ),
  ),
  lastReviewAt: textField("When the last review came (ISO 8601, read as UTC)."),
  reviews: listOf(
    itemObject({
      id: Type.String({ description: "Id." }),
      date: textField("When it was written (ISO 8601, read as UTC)."),
      rating: numberField("Overall rating, of 5."),
      title: textField("Headline."),
      pros: textField("What is good."),
      cons: textField("What is bad."),
      advice: textField("Advice to the management."),
      jobTitle: textField("The reviewer's job."),
      location: textField("The reviewer's place."),
      current: booleanField("Whether the reviewer works there still."),
      yearsEmployed: integerField("Years there."),
      employmentStatus: textField("REGULAR, PART_TIME …"),
      ratings: ratings("Ratings by aspect, of 5; null where none was given."),
      recommend: textField("POSITIVE or NEGATIVE."),
      ceo: textField("APPROVE, DISAPPROVE or NO_OPINION."),
      outlook: textField("POSITIVE, NEUTRAL or NEGATIVE."),
      helpful: integerField("Readers who found it helpful."),
      response: textField("What the company answered."),
    }),
    "The reviews that the page shows.",
  ),
})

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
  item,
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
    yield { input: target, url: canonical(answer), id, ...companyFields(profile, answer.url) }
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
