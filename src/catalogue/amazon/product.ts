import {
  allTexts,
  blockText,
  distinct,
  firstAttribute,
  firstText,
  plainText,
  words,
} from "../../extract/core/index.ts"
import { availabilityInText, isInStock, parsePrice } from "../../extract/price/index.ts"
import { discountOf, ratingOf, type UpstreamResponse } from "../kit/index.ts"
import { type AmazonDomain, countIn, priceHints } from "./amazon.ts"
import { imagesOf } from "./images.ts"
import { ranksOf, specsOf } from "./specs.ts"
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
    features: distinct(
      allTexts(
        document,
        "#feature-bullets li:not(#replacementPartsFitmentBullet) .a-list-item, #productFactsDesktopExpander ul li .a-list-item",
      ),
    ),
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
  for (const label of brandLabels) {
    if (specs[label]) return specs[label]
  }
  const line = document.querySelector("#bylineInfo")
  if (!line || line.querySelector(".author")) return null
  const text = plainText(line) ?? ""
  const store = storeLink.exec(text)
  const named = store?.slice(1).find(Boolean)
  return named ?? (/^[^:：]{2,12}[:：]\s*(.+)$/.exec(text)?.[1] || text || null)
}

const currentPrices = [
  ".priceToPay .a-offscreen",
  // From 2021 to 2022: a table with the list price, the price and the saving, all with the same
  // class.
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
function offerOf(element: Element): string | null {
  const row = element.closest("[id*=AccordionRow]")
  return /([a-z]+)AccordionRow/i.exec(row?.id ?? "")?.[1] ?? null
}

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
  const percents = { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }
  let count = 0
  for (const row of document.querySelectorAll("#histogramTable tr, #histogramTable li")) {
    const link = firstAttribute(row, 'a[href*="filterByStar="]', "href")
    const stars = starNames[/filterByStar=(\w+?)_star/.exec(link ?? "")?.[1] ?? ""]
    const percent = /\d+/.exec(firstAttribute(row, "[aria-valuenow]", "aria-valuenow") ?? "")?.[0]
    if (!stars || !percent) continue
    percents[stars] = Number(percent)
    count++
  }
  if (count > 0) return percents
  for (const row of document.querySelectorAll("#histogramTable a[aria-label]")) {
    const read = starsAndPercent(row.getAttribute("aria-label") ?? "")
    if (!read) continue
    percents[read.stars] = read.percent
    count++
  }
  return count > 0 ? percents : null
}

const percentSigns =
  "%|％|percent|prozent|por ?ciento|por ?cento|pour ?cent|per ?cento|procent|proc\\.|パーセント"
const percentForm = new RegExp(`(\\d+)\\s*(?:${percentSigns})|(?:%|yüzde)\\s?(\\d+)`, "iu")

/**
 * Parses "63 percent of reviews have 5 stars" in either order. One number has a percent sign or
 * word.
 */
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

/**
 * Elements of the buy box that contain the seller: the current one, the table of 2021, and the
 * older sentence.
 */
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
  const places = [
    "#productDescription",
    "#bookDescription_feature_div",
    '[id$="TabbedDescriptionOverviewContent_feature_div"]',
    "#productDescription_feature_div",
  ]
  for (const place of places) {
    const element = document.querySelector(place)
    // Long texts are collapsed: the collapsed part is followed by "Read more".
    const text = element ? blockText(element.querySelector(".a-expander-content") ?? element) : ""
    if (text) return text
  }
  return null
}
