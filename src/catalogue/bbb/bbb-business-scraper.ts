import { Type } from "@sinclair/typebox"
import { distinct } from "../../extract/core/index.ts"
import {
  addressField,
  BadInput,
  businessFields,
  defineScraper,
  inputs,
  items,
  NotFound,
  readPage,
  record,
  ScrapeError,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"
import { bbb, profileOf } from "./bbb.ts"

const item = record({
  input: items.requiredText("Profile as written in the input."),
  url: items.requiredText("URL of the profile."),
  id: items.text("ID of the local bureau and ID of the business."),
  ...businessFields("name"),
  legalName: items.text("Legal name."),
  rating: items.text("The bureau's grade: A+ to F, or NR for not rated."),
  accredited: items.boolean("Whether the bureau has accredited the business."),
  accreditedSince: items.text("Day of accreditation (YYYY-MM-DD)."),
  address: addressField,
  ...businessFields("latitude", "longitude", "phone"),
  fax: items.text("Fax number."),
  ...businessFields("website"),
  email: items.text("Email address."),
  ...businessFields("description", "categories"),
  areaServed: items.texts("Areas that the business serves."),
  businessStarted: items.text("Day on which the business started (YYYY-MM-DD)."),
  businessIncorporated: items.text("Day of incorporation (YYYY-MM-DD)."),
  fileOpened: items.text("Day on which the bureau opened its file (YYYY-MM-DD)."),
  newOwnerDate: items.text("Day since which the business has its current owner (YYYY-MM-DD)."),
  yearsInBusiness: items.integer("Years in business."),
  entityType: items.text("Legal form."),
  employeeCount: items.text("Number of employees, as displayed."),
  alternateNames: items.texts("Other names under which the business trades."),
  management: items.objects("Head of the company.", {
    name: items.requiredText("Name."),
    title: items.text("Position."),
    prefix: items.text("Form of address, for example Ms."),
  }),
  contacts: items.objects("Contact persons.", {
    role: items.requiredText("Purpose of the contact."),
    name: items.requiredText("Name."),
    title: items.text("Position."),
  }),
  localBbb: items.object("Local bureau that maintains the file.", {
    name: items.requiredText("Name."),
    url: items.text("URL of the bureau."),
  }),
  ...businessFields("logoUrl"),
  images: items.texts("URLs of the images."),
  facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
    description: "All other rows of the details table, by label.",
  }),
  customerReviewAverage: items.number("Mean of the customers' reviews (0-5)."),
  customerReviewCount: items.integer("Number of customers' reviews."),
  complaintsLast3Years: items.integer("Number of complaints in the last three years."),
  complaintsLast12Months: items.integer("Number of complaints closed in the last twelve months."),
})

export default defineScraper({
  slug: "bbb-business-scraper",
  name: "BBB Business Profiles",
  tagline:
    "A Better Business Bureau profile: grade, accreditation, facts, people, complaints summary.",
  category: "business",
  tier: "premium",
  input: { profileUrls: inputs.texts("Business profile URLs on bbb.org.", { max: 1000 }) },
  item,
  example: {
    profileUrls: ["https://www.bbb.org/us/wa/seattle/profile/ecommerce/amazoncom-1296-7039385"],
  },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name matches "amazon"',
      "?items[0].phone share 1",
      '?items[0].rating matches "^[A-F]"',
      "?items[0].categories.length gte 1",
    ],
  },
  rateLimit: { "www.bbb.org": { perSecond: 0.33, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  pages: { ofTarget: 1 },
  targets: (input) => distinct(input.profileUrls),

  async *scrape(target, ctx) {
    const profile = await readPage(ctx, profileUrl(target), profileIn, {
      what: "the business's profile",
      refusal: { statuses: [403] },
      headers: { "accept-language": "en-US,en;q=0.9" },
    }).catch((error) => {
      throw error instanceof ScrapeError ? unreadable(error) : error
    })
    yield item.read({ input: target, ...profile })
  },
})

function profileIn(response: UpstreamResponse) {
  const profile = profileOf(response)
  if (profile || !/page not found|not found \|/i.test(response.document.title)) return profile
  return new NotFound("No such business profile on bbb.org.", { response })
}

/** Returns the URL of the profile, from the URL of any of its pages. Throws BadInput. */
function profileUrl(target: string): string {
  const form = /bbb\.org\/((?:us|ca)\/[^?#\s]+\/profile\/[^/?#\s]+\/[^/?#\s]+-\d{4}-\d+)/i
  const path = form.exec(target)?.[1]
  if (path) return `${bbb}/${path}`
  throw new BadInput(`"${target}" is not a business profile of bbb.org.`, { code: "invalid_input" })
}
