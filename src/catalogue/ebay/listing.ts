import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  isoDate,
  isoFromUnix,
  parseCount,
  plainText,
  textList,
  unseen,
} from "../../extract/core/index.ts"
import { parseLoose } from "../../extract/embedded/index.ts"
import { schemaNode } from "../../extract/structured/index.ts"
import { discountOf } from "../kit/index.ts"
import { anyOf, ebayCountry, ebayPrice, largeImage } from "./ebay.ts"
import * as table from "./words.json"

export interface ListingPage {
  document: Document
  html: string
  host: string
  itemId: string
}

/** Removes the dashes that mark a value that the seller did not enter. */
const specified = (text: string | null) => (/^[-–—]+$/.test(text ?? "") ? null : text)

const siteOf = ({ host }: ListingPage) => `https://${host}`

/** Returns a listing in the current layout or the one before 2022; null without either. */
export function listingOf(page: ListingPage) {
  const { document } = page
  const title = titleOf(document)
  const price = priceOf(page)
  const seller = sellerOf(page)
  const specifics = specificsOf(document)
  const product = schemaNode(document, "Product")
  const ended = isEnded(document)
  if (!title || (price.price === null && !seller.sellerName && !ended)) return null
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href") ?? ""
  const converted = firstText(document, ".x-price-approx__price", "#convbinPrice", "#convbidPrice")
  const itemId = /\/(\d{9,14})(?:[?#/]|$)/.exec(canonical)?.[1] ?? page.itemId
  return {
    itemId,
    url: `https://${page.host}/itm/${itemId}`,
    title,
    ...price,
    // A text in brackets may follow the amount, for example (including shipping).
    convertedPrice: converted?.replace(/(?<=\d)\s*\([^)]{0,300}\)$/, ""),
    ...reductionOf(page, price.price),
    condition:
      specified(firstText(document, ".x-item-condition-text .ux-textspans", "#vi-itm-cond")) ??
      named(specifics, ...table.specificNames.condition),
    ...stockOf(document),
    ...formatOf(page),
    ...seller,
    ...deliveryOf(document),
    images: imagesOf(page),
    specifics,
    categories: distinct(allTexts(document, "nav.breadcrumbs a, .seo-breadcrumb-text, .bc-w")),
    descriptionUrl: absoluteUrl(firstAttribute(document, "iframe#desc_ifr", "src"), siteOf(page)),
    epid:
      /"epid"\s*:\s*"?(\d+)/i.exec(page.html)?.[1] ?? named(specifics, "eBay Product ID (ePID)"),
    upc: named(specifics, "UPC") ?? filledIn(product.text("gtin12")),
    ean: named(specifics, "EAN") ?? filledIn(product.text("gtin13")),
    brand:
      named(specifics, ...table.specificNames.brand) ?? filledIn(product.title("brand", "name")),
    mpn: named(specifics, ...table.specificNames.mpn) ?? filledIn(product.text("mpn")),
    ended,
  }
}

function titleOf(document: Document): string | null {
  const heading = firstText(document, "h1.x-item-title__mainTitle span", "h1 span.ux-textspans")
  if (heading) return heading
  const older = document.querySelector("#itemTitle")
  // A translated title is followed by a link to the original.
  const alone = older?.querySelector(".it-sttl") && firstText(document, "#vi-lkhdr-itmTitl")
  if (alone) return alone
  if (older) {
    // The first span is for screen readers: "Details about", in the site's language.
    const hidden = plainText(older.querySelector("span.g-hdn")) ?? ""
    return plainText(older)?.slice(hidden.length).trim() || null
  }
  const shared = firstAttribute(document, 'meta[property="og:title"]', "content")
  return shared?.replace(/(?<!\s)\s*\|\s*eBay$/i, "") ?? null
}

/** Short form of an ended listing. */
const endedCard = ".x-item-condensed-card"

/** A foreign currency is converted on the page; the microdata of older pages is not. */
function priceOf({ document, host }: ListingPage) {
  const hints = { country: ebayCountry(host) }
  const visible = ebayPrice(
    firstText(
      document,
      ".x-price-primary .ux-textspans:not(.ux-textspans--STRIKETHROUGH)",
      ".x-price-primary",
      '[data-testid="x-price-primary"]',
      `${endedCard}__price .ux-textspans`,
      `${endedCard}__price`,
    ),
    hints,
  )
  if (visible) return { price: visible.amount, currency: visible.currency }
  const offer = schemaNode(document, "Product").in("offers")
  const content = firstAttribute(document, "[itemprop=price][content]", "content")
  const amount = offer.number("price") ?? (content === null ? null : Number(content) || null)
  const older = firstText(document, "#prcIsum", "#prcIsum_bidPrice", "#mm-saleDscPrc")
  const written = ebayPrice(older, hints)
  return {
    price: amount ?? written?.amount ?? null,
    currency:
      offer.text("priceCurrency") ??
      firstAttribute(document, "[itemprop=priceCurrency][content]", "content") ??
      written?.currency,
  }
}

function reductionOf({ document, host }: ListingPage, price: number | null) {
  const info = ".x-additional-info__textual-display"
  const struck = firstText(
    document,
    ".x-price-section .ux-textspans--STRIKETHROUGH",
    `${info} .ux-textspans--STRIKETHROUGH`,
    "#orgPrc",
    "#mm-saleOrgPrc",
  )
  const originalPrice = ebayPrice(struck, { country: ebayCountry(host) })?.amount ?? null
  return {
    originalPrice,
    discountPercent: discountOf(price, originalPrice),
    discountText: firstText(document, info, "#youSaveSTP", "#mm-saleAmtSavedPrc"),
  }
}

const count = "(?<!\\d)(\\d{1,3}(?:[.,\\s]\\d{3})+|\\d+)"
const leftForm = new RegExp(`${count}\\s*${anyOf(table.left)}`, "iu")
/** The word is before or after the number, depending on the language. */
const soldForms = [
  new RegExp(`${count}\\D{0,20}?${anyOf(table.sold)}`, "iu"),
  new RegExp(`${anyOf(table.sold)}\\D{0,5}${count}`, "iu"),
]
const lastForm = new RegExp(`^${anyOf(table.lastOne)}`, "iu")

function stockOf(document: Document) {
  const parts = allTexts(document, ".x-quantity__availability .ux-textspans")
  const text = parts.join(" · ") || firstText(document, ".x-quantity__availability", "#qtySubTxt")
  const soldText = firstText(document, '[class*="vi-qtyS"]') ?? text ?? ""
  return {
    availability: text,
    quantityAvailable: lastForm.test(text ?? "") ? 1 : parseCount(leftForm.exec(text ?? "")?.[1]),
    quantitySold: parseCount(soldForms.map((form) => form.exec(soldText)?.[1]).find(Boolean)),
  }
}

function formatOf({ document, html }: ListingPage) {
  const has = (id: string) => document.querySelector(`#${id}, [id^="${id}"]`) !== null
  const isAuction = has("bidBtn_btn")
  const fixed = has("binBtn_btn") ? "buy_it_now" : has("boBtn_btn") ? "best_offer" : null
  const left = firstText(document, ".vi-tm-left")?.replace(/[()]/g, "") ?? null
  const timer = /"endTime"\s*:\s*(?:\{[^{}]*?"value"\s*:\s*)?"?([^",{}]+)/.exec(html)?.[1] ?? null
  const ends =
    isoDate(left) ?? isoDate(timer) ?? (/^\d{10,13}$/.test(timer ?? "") ? isoFromUnix(timer) : null)
  return {
    buyingFormat: isAuction ? "auction" : fixed,
    bids: parseCount(firstText(document, ".x-bid-count", "#qty-test")),
    endsAt: isAuction ? ends : null,
  }
}

function sellerOf(page: ListingPage) {
  const { document } = page
  const card = ".x-sellercard-atf"
  const linked = '[class*="info__about-seller"] a[href], .mbg a[href]'
  const link = firstAttribute(document, linked, "href")
  const marks = allTexts(document, `${card}__data-item, ${card}__about-seller, ${card}`).join(" ")
  const older = firstText(document, "#si-fb") ?? ""
  const percent = /(\d{1,3}(?:[.,]\d+)?)\s?%/.exec(`${marks} ${older}`)?.[1]
  return {
    sellerName: firstText(document, '[class*="info__about-seller"] a span', ".mbg-nw"),
    sellerUrl: absoluteUrl(link, siteOf(page))?.replace(/[?#].*$/s, "") ?? null,
    sellerFeedbackPercent: percent ? Number(percent.replace(",", ".")) : null,
    sellerFeedbackCount:
      parseCount(/\(([\d.,]+K?)\)/.exec(marks)?.[1]) ?? parseCount(firstText(document, ".mbg-l a")),
  }
}

const locatedIn = new RegExp(`${anyOf(table.itemLocation)}\\s*[:：]\\s*(.+)$`, "iu")

function deliveryOf(document: Document) {
  const [own, shipped] = [".ux-labels-values--itemLocation", ".ux-labels-values--shipping"]
  const text = labelled(document, shipped) ?? firstText(document, "#fshippingCost")
  const place =
    [
      ...allTexts(document, `${own} span, ${shipped} .ux-textspans`),
      firstText(document, own, shipped) ?? "",
    ].flatMap((line) => locatedIn.exec(line)?.[1] ?? [])[0] ??
    firstText(document, "#itemLocation .iti-eu-bld-gry")
  return {
    shipping: text?.replace(locatedIn, "").trim() || null,
    location: place?.replace(/(?<!\s)\s+,/g, ",").trim() ?? null,
    returns:
      labelled(document, ".ux-labels-values--returns") ?? firstText(document, "#vi-ret-accrd-txt"),
  }
}

const moreLink = new RegExp(`(?<!\\s)\\s*${anyOf(table.moreLink)}.*$`, "iu")

/** Returns the values of a labelled row, without the label, help bubbles and help links. */
function labelled(document: Document, selector: string): string | null {
  const row =
    document.querySelector(`${selector} .ux-labels-values__values-content`) ??
    document.querySelector(`${selector} .ux-labels-values__values`) ??
    document.querySelector(selector)
  const visible = row?.cloneNode(true) as Element | undefined
  for (const help of visible?.querySelectorAll(".ux-bubble-help, .infotip, .clipped") ?? []) {
    help.remove()
  }
  return plainText(visible)?.replace(moreLink, "") || null
}

function imagesOf(page: ListingPage): string[] {
  const { document, html } = page
  const imagesIn = (selector: string) =>
    [...document.querySelectorAll(selector)].map((image) =>
      ["data-zoom-src", "src", "data-src"]
        .map((name) => image.getAttribute(name) ?? "")
        .find((url) => /^(?:https?:)?\/\//.test(url)),
    )
  const carousel = imagesIn(".ux-image-carousel-item.image img")
  const scripted = [...html.matchAll(/"maxImageUrl"\s*:\s*("https:[^"]+")/g)].map((match) =>
    parseLoose(match[1]!),
  )
  const thumbs = imagesIn(
    ".ux-image-carousel-item img, .ux-image-filmstrip-carousel-item img, #vi_main_img_fs img",
  )
  const found = [carousel, scripted, thumbs].find((list) => list.some(Boolean)) ?? []
  const urls = textList(found).flatMap((href) => absoluteUrl(href, siteOf(page)) ?? [])
  const idOf = (url: string) => /\/g\/([^/]+)\//.exec(url)?.[1] ?? url
  return unseen(urls, new Set(), idOf).map(largeImage)
}

/** Returns values by label, without helper texts ("Read more about the condition"). */
function specificsOf(document: Document): Record<string, string> {
  const specifics: Record<string, string> = {}
  const add = (label: string | null, value: string | null) => {
    const name = label?.replace(/\s*:$/, "")
    if (name && value && !(name in specifics)) specifics[name] = value
  }
  for (const row of document.querySelectorAll(".ux-layout-section--features dl.ux-labels-values")) {
    const label = firstText(row, ".ux-labels-values__labels-content", "dt")
    const content = ".ux-labels-values__values-content"
    add(label, firstText(row, `${content} span span`, content, "dd"))
  }
  const cells = [...document.querySelectorAll(".itemAttr td")]
  for (const [index, cell] of cells.entries()) {
    if (!cell.classList.contains("attrLabels")) continue
    const value = cells[index + 1]
    add(plainText(cell), value ? valueText(value) : null)
  }
  return specifics
}

function valueText(cell: Element): string | null {
  const help = [...cell.querySelectorAll(".infoLink, .g-hdn")].flatMap(
    (hint) => plainText(hint) ?? [],
  )
  let text = plainText(cell) ?? ""
  for (const part of help.toSorted((a, b) => b.length - a.length)) text = text.replace(part, "")
  return text.replace(/\s+/g, " ").trim() || null
}

const notApplicable = new RegExp(`^${anyOf(table.notApplicable)}$`, "iu")

const filledIn = (value: string | null) => (value && !notApplicable.test(value) ? value : null)

/** Returns the first of these specifics that has a value. */
const named = (specifics: Record<string, string>, ...names: string[]): string | null =>
  names.map((name) => specifics[name]).find((value) => filledIn(value ?? null)) ?? null

const endedForm = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])${anyOf(table.ended)}`,
  "iu",
)

function isEnded(document: Document): boolean {
  const status = firstText(
    document,
    ".d-statusmessage",
    ".ux-layout-section__textual-display--statusMessage",
    ".x-status-message",
    `${endedCard} .ux-hotness-signal-text`,
    "#msgPanel",
  )
  return endedForm.test(status ?? "")
}
