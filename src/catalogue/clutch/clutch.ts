import {
  absoluteUrl,
  allTexts,
  decodeEntities,
  firstAttribute,
  firstText,
  foldSpace,
  integerOrNull,
  numberOrNull,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"

const clutch = "https://clutch.co"

/** Returns the rows of a directory page, without the other ranking below them. */
export function agencyRows(document: Document): Element[] {
  const list = document.querySelector('[id="providers__list"]')
  if (list) return [...list.querySelectorAll(".provider-row")]
  const older = document.querySelectorAll("li.provider-row, li.provider")
  return [...older].filter((row) => !row.closest('[id="lm-providers__section"]'))
}

export function agencyOf(row: Element) {
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
