import {
  absoluteUrl,
  allTexts,
  blockText,
  distinct,
  firstAttribute,
  firstText,
  plainText,
  words,
} from "../../extract/core/index.ts"
import { JsonReader, jsonAfter, parseLoose } from "../../extract/embedded/index.ts"
import { availabilityInText, isInStock, parsePrice } from "../../extract/price/index.ts"
import { discountOf, ratingOf, type UpstreamResponse } from "../kit/index.ts"
import { type AmazonDomain, countIn, priceHints } from "./amazon.ts"
import { variantsOf } from "./variants.ts"
import * as table from "./words.json"

/** Returns the fields of a product's page, or null if it has no title. */
export function productOf(response: UpstreamResponse, requested: string, domain: AmazonDomain) {
  const { document } = response
  const html = response.text()
  const title =
    firstText(document, "#productTitle", "#title") ??
    firstAttribute(document, 'meta[name="title"]', "content")
  if (!title) return null
  const specs = specsOf(document)
  const asin = /^[A-Z0-9]{10}$/.exec(firstAttribute(document, "input#ASIN", "value") ?? "")?.[0]
  const images = imagesOf(document, html)
  const featuresSelector =
    "#feature-bullets li:not(#replacementPartsFitmentBullet) .a-list-item, #productFactsDesktopExpander ul li .a-list-item"
  return {
    asin: asin ?? requested,
    parentAsin: /"parentAsin"\s*:\s*"(\w{10})"/.exec(html)?.[1] ?? null,
    title,
    brand: brandOf(document, specs),
    authors: distinct(
      allTexts(document, "#bylineInfo .author a.a-link-normal, #bylineInfo .author > a"),
    ),
    byline: firstText(document, "#bylineInfo"),
    ...priceOf(document, domain),
    rating: ratingOf(firstText(document, "#acrPopover .a-icon-alt")),
    ratingCount: countIn(
      firstText(document, "#acrCustomerReviewText", "[data-hook=total-review-count]"),
    ),
    ratingDistribution: distributionOf(document),
    boughtPastMonth: firstText(document, "#social-proofing-faceout-title-tk_bought"),
    ...stockOf(document),
    ...sellerOf(document, response.url),
    imageUrl: images[0] ?? null,
    images,
    features: distinct(allTexts(document, featuresSelector)),
    description: descriptionOf(document),
    categories: allTexts(document, "#wayfinding-breadcrumbs_feature_div a"),
    specs,
    bestSellersRanks: ranksOf(document),
    ...variantsOf(document, html, requested, domain),
  }
}

const brandLabels =
  "Brand,Brand Name,Marke,Marque,Marca,Merk,Märke,Varumärke,Marka,ブランド,ブランド名".split(",")

const storeLink = new RegExp(`^(?:${words(table.storeLink)})$`, "i")

function brandOf(document: Document, specs: Record<string, string>): string | null {
  const labelled = brandLabels.map((label) => specs[label]).find(Boolean)
  if (labelled) return labelled
  const line = document.querySelector("#bylineInfo")
  if (!line || line.querySelector(".author")) return null
  const text = plainText(line) ?? ""
  const named = storeLink.exec(text)?.slice(1).find(Boolean)
  return named ?? (/^[^:：]{2,12}[:：]\s*(.+)$/.exec(text)?.[1] || text || null)
}

const currentPrices = [
  ".priceToPay .a-offscreen",
  // From 2021 to 2022: a table of the list price, the price and the saving, all with one class.
  ".apexPriceToPay .a-offscreen",
  "#corePrice_desktop .a-price:not([data-a-strike]) .a-offscreen",
  "#corePrice_feature_div .a-price:not(.a-text-price) .a-offscreen",
  "#corePriceDisplay_desktop_feature_div .a-price:not(.a-text-price) .a-offscreen",
  "#apex_offerDisplay_desktop .a-price:not(.a-text-price) .a-offscreen",
  "#corePriceDisplay_mobile_feature_div .a-price:not(.a-text-price) .a-offscreen",
  "#tp_price_block_total_price_ww .a-price .a-offscreen",
  ".priceToPay",
  // Visible parts of the price, if the text for screen readers is empty.
  "#corePriceDisplay_desktop_feature_div .a-price:not(.a-text-price)",
  "#corePriceDisplay_mobile_feature_div .a-price:not(.a-text-price)",
  "#kindle-price",
  // Older pages: their #price may be a table whose first row is the list price.
  "#priceblock_ourprice",
  "#priceblock_dealprice",
  "#priceblock_saleprice",
  "#price",
  "#price_inside_buybox",
  // Books until 2021.
  "#newBuyBoxPrice",
  "#buyNewSection .offer-price",
]
const formerPrices = [
  ".basisPrice .a-offscreen",
  ".basisPrice .a-price [aria-hidden]",
  '#corePrice_desktop .a-price[data-a-strike="true"] .a-offscreen',
  "#corePriceDisplay_desktop_feature_div .apex-basisprice-value .a-offscreen",
  '#corePriceDisplay_mobile_feature_div .a-price[data-a-strike="true"] .a-offscreen',
  "#listPrice",
  ".priceBlockStrikePriceString",
]

/**
 * Returns the offer (new, used, with Prime) that an element belongs to, or null if there is only
 * one.
 * The price column and the buy box each have a row per offer, with IDs like
 * `apex_desktop_newAccordionRow` and `newAccordionRow_0`.
 */
const offerOf = (element: Element): string | null =>
  /([a-z]+)AccordionRow/i.exec(element.closest("[id*=AccordionRow]")?.id ?? "")?.[1] ?? null

/** Offers whose price is not the one-time price of a new product: used ones and subscriptions. */
const otherOffers = new Set(["used", "sns"])

/** Reads the prices of one offer in the buy box. Other prices belong to advertisements and formats. */
function priceOf(document: Document, domain: AmazonDomain) {
  const hints = priceHints(domain)
  const read = (selectors: string[], isWanted: (element: Element) => boolean) => {
    for (const selector of selectors) {
      for (const element of document.querySelectorAll(selector)) {
        const price = isWanted(element) && parsePrice(plainText(element) ?? "", hints)
        if (price) return { ...price, offer: offerOf(element) }
      }
    }
    return null
  }
  const current = withoutOffer(document)
    ? null
    : (read(currentPrices, (element) => !otherOffers.has(offerOf(element) ?? "")) ??
      read(currentPrices, () => true))
  if (!current) return { price: null, currency: null, listPrice: null, discountPercent: null }
  const isSameOffer = (element: Element) => {
    const offer = offerOf(element)
    return offer === null || current.offer === null || offer === current.offer
  }
  const former = read(formerPrices, isSameOffer)?.amount ?? null
  const listPrice = former !== null && former > current.amount ? former : null
  const visible = [...document.querySelectorAll(".savingsPercentage")].find(isSameOffer)
  const percent = /\d+/.exec(plainText(visible) ?? "")?.[0]
  return {
    price: current.amount,
    currency: current.currency,
    listPrice,
    discountPercent: percent ? Number(percent) : discountOf(current.amount, listPrice),
  }
}

const starNames: Record<string, 1 | 2 | 3 | 4 | 5> = { one: 1, two: 2, three: 3, four: 4, five: 5 }

/** In every language, a row has the stars in a link and the percentage in a meter. */
function distributionOf(document: Document) {
  const rows = [...document.querySelectorAll("#histogramTable tr, #histogramTable li")]
  const inRows = rows.flatMap((row) => {
    const link = firstAttribute(row, 'a[href*="filterByStar="]', "href")
    const stars = starNames[/filterByStar=(\w+?)_star/.exec(link ?? "")?.[1] ?? ""]
    const percent = /\d+/.exec(firstAttribute(row, "[aria-valuenow]", "aria-valuenow") ?? "")?.[0]
    return stars && percent ? { stars, percent: Number(percent) } : []
  })
  const links = [...document.querySelectorAll("#histogramTable a[aria-label]")]
  const inLabels = () =>
    links.flatMap((link) => starsAndPercent(link.getAttribute("aria-label") ?? "") ?? [])
  const known = inRows.length > 0 ? inRows : inLabels()
  if (known.length === 0) return null
  const percents = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  for (const { stars, percent } of known) percents[stars] = percent
  return percents
}

const percentSigns =
  "%|％|percent|prozent|por ?ciento|por ?cento|pour ?cent|per ?cento|procent|proc\\.|パーセント"
const percentForm = new RegExp(`(\\d+)\\s*(?:${percentSigns})|(?:%|yüzde)\\s?(\\d+)`, "iu")

/** Parses "63 percent of reviews have 5 stars" in either order, by the percent sign or word. */
function starsAndPercent(label: string): { stars: 1 | 2 | 3 | 4 | 5; percent: number } | null {
  const numbers = label.match(/\d+/g) ?? []
  const [, behind, before] = percentForm.exec(label) ?? []
  const percent = behind ?? before
  if (numbers.length !== 2 || percent === undefined) return null
  const stars = Number(numbers[0] === percent ? numbers[1] : numbers[0])
  return stars === 1 || stars === 2 || stars === 3 || stars === 4 || stars === 5
    ? { stars, percent: Number(percent) }
    : null
}

/**
 * Text shown instead of the buy box if Amazon recommends no offer.
 * Under "Price higher than typical" there are offers of other sellers, so the product is still in
 * stock.
 */
const withoutOffer = (document: Document): string | null =>
  firstText(document, "#fod-cx-message-with-learn-more > span", "#fod-cx-box .a-text-bold")

const noOffer = new RegExp(words(table.noOffer), "iu")

function stockOf(document: Document) {
  const instead = withoutOffer(document)
  const availability = firstText(document, "#availability", "#outOfStock .a-color-price") ?? instead
  if (document.querySelector("#outOfStock") || noOffer.test(instead ?? "")) {
    return { availability, available: false }
  }
  const stated = availability === null ? null : isInStock(availabilityInText(availability))
  const button = document.querySelector("#add-to-cart-button, #buy-now-button, #one-click-button")
  return { availability, available: stated ?? (button ? true : null) }
}

/** Elements of the buy box with the seller: today's, the table of 2021, the older sentence. */
const sellerPlaces = [
  "#merchantInfoFeature_feature_div",
  "#tabular-buybox-container tr:nth-child(2)",
  "#merchant-info",
  "#sellerProfileTriggerId",
]
const profileLink = "a#sellerProfileTriggerId, a[href*='seller=']"
/** Recognizes "Dispatched from and sold by Amazon.", which has no link. */
const amazonItself = /\bAmazon(?:\.(?:com?\.)?[a-z]{2,3})?(?![\p{L}\d])/u

function sellerOf(document: Document, pageUrl: string) {
  for (const place of document.querySelectorAll(sellerPlaces.join())) {
    if (otherOffers.has(offerOf(place) ?? "")) continue
    const link = place.matches(profileLink) ? place : place.querySelector(profileLink)
    const named =
      plainText(link) ??
      firstText(place, ".offer-display-feature-text-message", ".tabular-buybox-text") ??
      amazonItself.exec(plainText(place) ?? "")?.[0]
    if (!named) continue
    const href = link?.getAttribute("href") ?? null
    return {
      seller: named,
      sellerId: /[?&]seller=([A-Z0-9]+)/.exec(href ?? "")?.[1] ?? null,
      sellerUrl: href === null ? null : new URL(href, pageUrl).href,
    }
  }
  return { seller: null, sellerId: null, sellerUrl: null }
}

function descriptionOf(document: Document): string | null {
  // Long texts are collapsed: the collapsed part is followed by "Read more".
  const texts = [
    "#productDescription",
    "#bookDescription_feature_div",
    '[id$="TabbedDescriptionOverviewContent_feature_div"]',
    "#productDescription_feature_div",
  ]
    .flatMap((place) => document.querySelector(place) ?? [])
    .map((element) => blockText(element.querySelector(".a-expander-content") ?? element))
  return texts.find(Boolean) ?? null
}

/** Base URL for URLs without a scheme. */
const amazon = "https://www.amazon.com"

/** Returns the gallery of the page's script, or else the main image and the thumbnails. */
function imagesOf(document: Document, html: string): string[] {
  const gallery = new JsonReader(jsonAfter(html, /["']colorImages["']\s*:\s*\{\s*["']initial["']/))
    .list()
    .flatMap((image) => image.text("hiRes") ?? image.text("large") ?? [])
  if (gallery.length > 0) return distinct(gallery)
  // The main image's thumbnail has a different file name than the image.
  const thumbnails = document.querySelectorAll(
    "#altImages li.imageThumbnail:not(.variant-MAIN) img, #altImages li.item:not(.variant-MAIN):not(.videoThumbnail) img",
  )
  const others = [...thumbnails].flatMap((image) => {
    const url = absoluteUrl(image.getAttribute("src"), amazon)
    return url?.includes("/images/I/") ? withoutSize(url) : []
  })
  const main = mainImage(document)
  return distinct(main ? [main, ...others] : others)
}

function mainImage(document: Document): string | null {
  const place = "#landingImage, #imgBlkFront, #ebooksImgBlkFront"
  const large = firstAttribute(document, place, "data-old-hires")
  if (large) return large
  const sizes = parseLoose(firstAttribute(document, place, "data-a-dynamic-image") ?? "")
  const widths = Object.entries((sizes ?? {}) as Record<string, unknown>)
    .map(([url, size]) => ({ url, width: Array.isArray(size) ? Number(size[0]) : 0 }))
    .filter(({ width }) => width > 0)
  const [best] = widths.toSorted((a, b) => b.width - a.width)
  return best?.url ?? absoluteUrl(firstAttribute(document, place, "src"), amazon)
}

/** Removes the size suffix from `…/I/41o-nMkwIqL._AC_SR38,50_.jpg`. */
function withoutSize(url: string): string {
  const ending = /_\.\w+$/.exec(url)?.index ?? -1
  const size = url.indexOf("._", url.lastIndexOf("/", ending) + 1)
  if (size < 0 || size + 2 > ending) return url
  return url.slice(0, size) + url.slice(ending + 1)
}

/** Rows that other fields already cover: reviews and best-seller ranks. */
const otherFields = '[id*="averageCustomerReviews"], a[href*="/bestsellers/"], a[href*="/zgbs/"]'

/** Returns the overview, the details table and the details list, by label. */
function specsOf(document: Document): Record<string, string> {
  const specs: Record<string, string> = {}
  const add = (label: string | null, value: string | null) => {
    const name = label?.replace(/(?<!\s)\s*[:：]\s*$/, "")
    if (name && value && !(name in specs)) specs[name] = value
  }
  const rows = document.querySelectorAll(
    "#productOverview_feature_div tr, table.prodDetTable tr, #productDetails_techSpec_section_1 tr",
  )
  for (const row of rows) {
    const cells = [...row.children]
    if (cells.length !== 2 || row.querySelector("table") || row.querySelector(otherFields)) continue
    add(plainText(cells[0]!), plainText(cells[1]!))
  }
  for (const line of document.querySelectorAll("#detailBullets_feature_div li")) {
    const label = plainText(line.querySelector(".a-text-bold"))
    if (!label || line.querySelector(otherFields)) continue
    add(label, plainText(line)?.slice(label.length).trim() || null)
  }
  return specs
}

const rank =
  /(?:#|\bnr\.?|\bn[º°.]?\s?)\s*([\d.,]+)\s+\p{L}{1,5}\s+([^#(]+?)(?=\s*(?:\(|#|\bnr\.?\s*\d|\bn[º°.]?\s?\d|$))/giu
/** French pages have no sign before the number; Japanese pages have a word after it. */
const otherRanks = [
  /(\d{1,3}(?:[ .,]?\d{3}){0,5}) en (\D+?)(?=\s*(?:\d|$))/gu,
  /(?<!\d)(\d[\d,]{0,20})位\s*([^\d\s-]+)/gu,
]

/** Parses "#520,707 in Grocery & Gourmet Food (See Top 100 …) #4,303 in Potato Chips & Crisps". */
function ranksOf(document: Document) {
  const lines = document.querySelectorAll(
    "table.prodDetTable tr, #detailBullets_feature_div > ul > li, #detailBulletsWrapper_feature_div > ul > li, #SalesRank",
  )
  for (const line of lines) {
    if (!line.querySelector('a[href*="/bestsellers/"], a[href*="/zgbs/"]')) continue
    const text = plainText(line) ?? ""
    // "(See Top 100 in Books)" looks like a rank if ranks have no sign.
    const unmarked = text.replace(/\([^)]{0,300}\)/g, " ").replace(/\s+/g, " ")
    const [matches] = [
      [...text.matchAll(rank)],
      ...otherRanks.map((pattern) => [...unmarked.matchAll(pattern)]),
    ].filter((list) => list.length > 0)
    if (!matches) continue
    return matches.map((match) => ({
      rank: Number(match[1]!.replace(/\D/g, "")),
      category: match[2]!.trim(),
    }))
  }
  return []
}
