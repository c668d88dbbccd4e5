import {
  distinct,
  firstAttribute,
  firstText,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import {
  addressParts,
  BadInput,
  businessFields,
  type Context,
  cursor,
  defineScraper,
  inputs,
  items,
  orNull,
  parseError,
  type Refusal,
  record,
  ScrapeError,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"
import { agencyOf, agencyRows } from "./clutch.ts"

const item = record({
  directoryUrl: items.requiredText("Directory as written in the input."),
  page: items.requiredInteger("Page of the directory, from 1."),
  position: items.requiredInteger("Position among the returned agencies, from 1."),
  id: items.text("Clutch's ID of the agency."),
  slug: items.requiredText("Name of the agency in URLs."),
  url: items.requiredText("URL of the agency's profile."),
  name: items.requiredText("Name of the agency."),
  tagline: items.text("Tagline of the agency."),
  ...businessFields("description", "rating", "reviewCount"),
  verification: items.text("Verification level, for example premier or basic."),
  minProjectSize: items.text("Minimum project size, as displayed."),
  minProjectUsd: items.integer("Minimum project size in US dollars."),
  hourlyRate: items.text("Hourly rate, as displayed."),
  hourlyRateMin: items.integer("Lower end of the hourly rate in US dollars."),
  hourlyRateMax: items.integer("Upper end of the hourly rate in US dollars."),
  employees: items.text("Number of employees, as displayed."),
  employeesMin: items.integer("Minimum number of employees."),
  employeesMax: items.integer("Maximum number of employees."),
  location: items.text("City, and state or country, as displayed."),
  ...addressParts,
  ...businessFields("phone"),
  services: items.objects("Services.", {
    name: items.requiredText("Service."),
    percent: items.integer("Percentage of the agency's work."),
  }),
  ...businessFields("website", "logoUrl"),
  featuredReview: items.object("Review that the page quotes.", {
    text: items.requiredText("Text."),
    author: items.text("Name of the author."),
  }),
  sponsored: items.requiredBoolean("Whether the agency pays for its position."),
})

/** Clutch's challenge page may have almost no text. */
const refusal: Refusal = { statuses: [403], sign: (response) => wordsOf(response).length < 200 }

export default defineScraper({
  slug: "clutch-agencies-scraper",
  name: "Clutch Agencies",
  tagline: "Agencies from any Clutch directory page with rating, price band, size and website.",
  category: "business",
  tier: "premium",
  input: {
    directoryUrls: inputs.texts(
      "Directory page URLs, for example https://clutch.co/agencies/digital-marketing.",
      { max: 200 },
    ),
    maxAgencies: inputs.count("Maximum agencies per directory page URL", { max: 5000, or: 50 }),
  },
  item,
  example: { directoryUrls: ["https://clutch.co/it-services"], maxAgencies: 50 },
  probe: {
    input: { directoryUrls: ["https://clutch.co/it-services"], maxAgencies: 10 },
    expect: [
      "items.length equals 10",
      "items[*].name share 1",
      "items[*].rating share 0.6",
      "items[*].location share 0.6",
      "?items[*].website share 0.5",
    ],
  },
  rateLimit: { "clutch.co": { perSecond: 0.2, concurrency: 1 } },
  fetchMethods: ["browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.directoryUrls),
  identify: (directoryUrl) => ({ input: directoryUrl, directoryUrl }),

  async *scrape(directoryUrl, ctx) {
    let position = 0
    for await (const agency of agencies(directoryUrlOf(directoryUrl), ctx)) {
      yield item.read({ directoryUrl, position: ++position, ...agency })
    }
  },
})

function directoryUrlOf(directoryUrl: string): URL {
  const form = /^(?:https?:\/\/)?(?:www\.)?clutch\.co\/([^?#\s]+)(\?[^#\s]*)?/i
  const match = form.exec(directoryUrl.trim())
  if (match && !/^(?:profile|review|go-to-review)/i.test(match[1]!)) {
    return new URL(`https://clutch.co/${match[1]}${match[2] ?? ""}`)
  }
  throw new BadInput(
    `"${directoryUrl}" is not a Clutch directory. Use the URL of a directory page.`,
  )
}

function agencies(address: URL, ctx: Context<{ maxAgencies: number }>) {
  const requested = Number(address.searchParams.get("page")) || null
  let second: number | null = null
  const page = async (number?: number) => {
    if (number === undefined) {
      const first = await agencyPage(address, ctx)
      second = nextNumber(first)
      // No link leads to page 1, but it contains the agencies that the first page lacks.
      const next = requested === null && second !== null ? 1 : second
      return { rows: agenciesOf(first, requested ?? 1), next }
    }
    const open = () => agencyPage(numbered(address, number), ctx)
    if (number === 1) {
      const hidden = await orNull(ctx, "page 1 in addition to the first one", open)
      return { rows: hidden ? agenciesOf(hidden, 1) : [], next: second }
    }
    const response = await open()
    const following = nextNumber(response)
    const isLast = following === null || following <= number
    return { rows: agenciesOf(response, number), next: isLast ? null : following }
  }
  // The second requested page may repeat the first.
  return cursor(page, { cap: ctx.input.maxAgencies, keyOf: ({ slug }) => slug, waitLimit: 2 })
}

function numbered(address: URL, page: number): URL {
  const url = new URL(address)
  url.searchParams.set("page", String(page))
  return url
}

const what = "the agencies"

function agencyPage(url: URL, ctx: Context): Promise<UpstreamResponse> {
  const page = ctx.page(url.href, {
    has: (response) => agencyRows(response.document).length > 0 || statesNone(response),
    what,
    refusal,
    headers: { "accept-language": "en-US,en;q=0.9" },
    waitFor: ".provider-row, .provider",
    // Half of a page consists of tabs with insights.
    maxBytes: 20_000_000,
  })
  return page.catch((error) => {
    throw error instanceof ScrapeError ? unreadable(error) : error
  })
}

function agenciesOf(response: UpstreamResponse, page: number) {
  const rows = agencyRows(response.document)
  if (rows.length === 0 && !statesNone(response)) throw unreadable(response.explainMissing(what))
  const agencies = rows.flatMap((row) => agencyOf(row) ?? [])
  if (rows.length > 0 && agencies.length === 0) {
    throw parseError("The rows of Clutch's directory have no names or profile URLs.", response)
  }
  return agencies.map((agency) => ({ page, ...agency }))
}

const wordsOf = ({ document }: UpstreamResponse) => plainText(document.body) ?? ""

/** A directory is empty only if the page states it: its counter, or else its words. */
function statesNone(response: UpstreamResponse): boolean {
  const { document } = response
  const words = wordsOf(response)
  const amount = parseCount(firstText(document, '[id="directory-navbar-companies-amount"]'))
  if (amount !== null) return amount === 0
  const isDirectory = document.querySelector("h1") !== null && words.length >= 200
  const hasProfiles = document.querySelector('a[href*="/profile/"]') !== null
  const none = /\bno results\b|\b0 (?:companies|firms|agencies)\b/i
  return isDirectory && !hasProfiles && none.test(words)
}

function nextNumber({ document }: UpstreamResponse): number | null {
  const href = firstAttribute(document, 'link[rel="next"]', "href") ?? ""
  const linked = /[?&]page=(\d+)/.exec(href)?.[1]
  const button = firstAttribute(document, "a.sg-pagination-v2-next", "data-page")
  return Number(linked ?? button) || null
}
