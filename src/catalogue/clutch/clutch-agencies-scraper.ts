import {
  absoluteUrl,
  allTexts,
  decodeEntities,
  distinct,
  firstAttribute,
  firstText,
  foldSpace,
  integerOrNull,
  numberOrNull,
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
  record,
  ScrapeError,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"

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
    const url = new URL(address)
    url.searchParams.set("page", String(number))
    const open = () => agencyPage(url, ctx)
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

const what = "the agencies"

function agencyPage(url: URL, ctx: Context): Promise<UpstreamResponse> {
  const page = ctx.page(url.href, {
    has: (response) => agencyRows(response.document).length > 0 || statesNone(response),
    what,
    // Clutch's challenge page may have almost no text.
    refusal: { statuses: [403], sign: (response) => wordsOf(response).length < 200 },
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
  return Number(linked ?? firstAttribute(document, "a.sg-pagination-v2-next", "data-page")) || null
}

const clutch = "https://clutch.co"

/** Returns the rows of a directory page, without the other ranking below them. */
function agencyRows(document: Document): Element[] {
  const list = document.querySelector('[id="providers__list"]')
  if (list) return [...list.querySelectorAll(".provider-row")]
  const older = document.querySelectorAll("li.provider-row, li.provider")
  return [...older].filter((row) => !row.closest('[id="lm-providers__section"]'))
}

function agencyOf(row: Element) {
  const profile = firstAttribute(row, 'a[href*="/profile/"]', "href") ?? ""
  const slug = /\/profile\/([^/?#]+)/.exec(profile)?.[1]
  const name =
    firstText(row, ".provider__title-link", ".company_info a", "h3 a") ??
    row.getAttribute("data-title")
  if (!slug || !name) return null
  const holder = /(?:^|-)(\d+)$/.exec(row.parentElement?.getAttribute("id") ?? row.id)
  const size = highlight(row, "min-project-size")
  const rate = highlight(row, "hourly-rate")
  const hourly = rangeIn(rate)
  const employees = highlight(row, "employees-count")
  const staff = rangeIn(employees)
  const mark = row.querySelector(".provider__verified-mark")?.getAttribute("class")
  const logo = firstAttribute(row, ".provider__logotype img, img", "data-src", "src")
  const number = row.querySelector(".sg-rating__number")
  const reviews = meta(row, "reviewCount") ?? firstText(row, ".sg-rating__reviews")
  return {
    id: row.getAttribute("data-clutch-pid") ?? holder?.[1] ?? null,
    slug,
    url: `${clutch}/profile/${slug}`,
    name,
    tagline: firstText(row, ".provider__tagline", ".tagline"),
    description: firstText(row, ".provider__description-text-more", ".provider__description-text"),
    rating: numberOrNull(meta(row, "ratingValue") ?? (number && own(number))),
    reviewCount: parseCount(reviews),
    verification: /provider__verified-mark--([\w-]+)/.exec(mark ?? "")?.[1],
    minProjectSize: size,
    minProjectUsd: integerOrNull(rangeIn(size).min),
    hourlyRate: rate,
    hourlyRateMin: hourly.min,
    hourlyRateMax: hourly.max,
    employees,
    employeesMin: staff.min,
    employeesMax: staff.max,
    location: highlight(row, "location"),
    city: meta(row, "addressLocality"),
    region: meta(row, "addressRegion"),
    country: meta(row, "addressCountry"),
    street: meta(row, "streetAddress"),
    postalCode: meta(row, "postalCode"),
    phone: meta(row, "telephone"),
    services: servicesOf(row),
    website: websiteOf(row),
    logoUrl: absoluteUrl(logo, clutch),
    featuredReview: featuredReview(row),
    sponsored:
      row.getAttribute("data-type") === "featured" ||
      row.querySelector('a[rel*="sponsored"]') !== null,
  }
}

/** Returns a property of a row; each has its own `meta`, which may be empty. */
const meta = (row: Element, property: string): string | null =>
  firstAttribute(row, `meta[itemprop="${property}"]`, "content")

function highlight(row: Element, name: string): string | null {
  const text = firstText(row, `.provider__highlights-item.${name}`) ?? olderHighlight(row, name)
  return text === null || /^undisclosed$/i.test(text) ? null : text
}

/** The items of older rows have no names: each is recognized by its format. */
const olderForms: Record<string, RegExp> = {
  "min-project-size": /^[$€£]\s?\d[\d,]*\+$/,
  "hourly-rate": /\/\s?hr\b/i,
  "employees-count": /^\d[\d,]*(?:\s?[-–]\s?\d[\d,]*|\+)?$/,
}

function olderHighlight(row: Element, name: string): string | null {
  if (name === "location") return firstText(row, ".module-list .locality", ".locality")
  const form = olderForms[name]
  return allTexts(row, ".module-list .list-item").find((text) => form?.test(text)) ?? null
}

/** Returns the text of an element without that of its children, which may be a tooltip. */
function own(element: Element): string {
  const texts = [...element.childNodes].map((node) => {
    if (node.nodeType === 3) return node.nodeValue ?? ""
    return node.nodeType === 1 ? " " : ""
  })
  return foldSpace(texts.join(""))
}

function servicesOf(row: Element): { name: string; percent: number | null }[] {
  const listed = [...row.querySelectorAll(".provider__services-list-item")].map(own)
  const parts = row.querySelectorAll(".provider__services-chart-item, .chartAreaContainer > *")
  const tooltips = [...parts].map(tooltipOf).filter(Boolean)
  const charted = () =>
    tooltips.map((tooltip) => foldSpace(decodeEntities(tooltip.replace(/<[^<>]*>/g, " "))))
  return (listed.length > 0 ? listed : charted()).flatMap((text) => {
    const match = /^(?:(\d+)%\s*)?(\S.*)$/.exec(text.trim())
    return match ? { name: match[2]!, percent: integerOrNull(match[1]) } : []
  })
}

const tooltipOf = (element: Element) =>
  element.getAttribute("data-tooltip-content") ?? element.getAttribute("data-content") ?? ""

/** Links use a redirect that contains the site's URL; those of paid rows use another redirect. */
function websiteOf(row: Element): string | null {
  const link = firstAttribute(row, "a.website-link__item, .website-link a", "href")
  const href = absoluteUrl(link, clutch)
  if (!href) return null
  const site = absoluteUrl(new URL(href).searchParams.get("u") ?? href, clutch)
  if (!site) return null
  const url = new URL(site)
  if (/(?:^|\.)clutch\.co$/.test(url.hostname)) return null
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith("utm_")) url.searchParams.delete(name)
  }
  return url.href
}

function featuredReview(row: Element) {
  const text = plainText(row.querySelector(".provider__featured-review-text"))
  return text === null
    ? null
    : { text, author: firstText(row, ".provider__featured-review-author") }
}

/** Parses the ends of a range: "$50 - $99 / hr", "< $25 / hr", "10,000+". */
function rangeIn(text: string | null): { min: number | null; max: number | null } {
  const [first, second] = (text?.match(/\d[\d,]*/g) ?? []).map((number) =>
    Number(number.replaceAll(",", "")),
  )
  if (first === undefined) return { min: null, max: null }
  if (second !== undefined) return { min: first, max: second }
  if (/^\s*</.test(text!)) return { min: null, max: first }
  return { min: first, max: /\+/.test(text!) ? null : first }
}
