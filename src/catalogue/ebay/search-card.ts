import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import { discountOf } from "../kit/index.ts"
import { anyOf, ebayPrice } from "./ebay.ts"
import * as table from "./words.json"

const place = { country: "US" }

const pattern = (source: string) => new RegExp(source, "iu")
/** Matches only outside a word; scripts such as Japanese have no spaces between words. */
const before = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])"
const after = "(?![\\p{Script=Latin}\\p{Script=Cyrillic}])"

const number = "\\d[\\d.,\u00a0\u202f]*(?:\\s?(?:[KM]|mil|tsd\\.?|tys\\.?|тыс\\.?|万))?"
const bidsRow = pattern(`(?<![\\p{L}\\d])(\\d[\\d.,]{0,20})\\s?${anyOf(table.bids)}${after}`)
const buyItNowRow = pattern(`^${anyOf(table.buyItNow)}$`)
const bestOfferRow = pattern(anyOf(table.bestOffer))
const shippingRow = pattern(`${before}${anyOf(table.shipping)}|^[+＋]\\D{0,20}\\d`)
const freeWord = pattern(`${before}${anyOf(table.free)}${after}`)
const locationRow = pattern(`^${anyOf(table.locatedIn)}\\s(\\D+)$`)
const soldRow = pattern(
  `^\\D{0,20}?(${number})\\+?\\s?${anyOf(table.sold)}|^${anyOf(table.sold)}:?\\s(${number})`,
)
const watchersRow = pattern(
  `(${number})\\+?\\s(?:lo )?${anyOf(table.watched)}|^${anyOf(table.watched)}\\D{0,5}(${number})`,
)
const customsRow = pattern(anyOf(table.customs))
const rangeWord = pattern(`(?<!\\s)\\s+${anyOf(table.openEnded)}\\s+|\\s*[～~]\\s*`)
const discountRow =
  /^(?:was|list price):|\d\s?% off$|[-–−]\s?\d{1,2}\s?%|\d\s?% (?:de )?(?:descuento|rabatt|de réduction|di sconto|desconto)|\d%オフ/iu
/** A name, a percentage and a count, in two orders; the words between them differ by language. */
const sellerRows = [
  /^(?<name>\S+) (?<percent>\d{1,3}(?:[.,]\d+)?)\s?%[^(\d]*\((?<count>\d[^)]*)\)/u,
  /^(?<name>\S+) \((?<count>\d[^)]*)\) (?<percent>\d{1,3}(?:[.,]\d+)?)\s?%$/u,
]

const price = ".s-card__price, .s-item__price"
const timeLeft = ".s-item__time-left, .s-card__time-left"
const englishTime = /\b\d+[dhms](?: \d+[hms])* left\b/i
const rowsOfCard = ".s-item__detail > span, .s-item__dynamic, .s-item__seller-info-text"

/** Returns the listing of a card, or null for placeholders and cards without an item number. */
export function listingOf(card: Element) {
  const link = firstAttribute(card, 'a[href*="/itm/"]', "href")
  const linked = /\/itm\/(?:[^/?]+\/)?(\d+)/.exec(link ?? "")?.[1]
  const itemId = card.getAttribute("data-listingid") || linked
  const name = ".s-card__title"
  const title = firstText(card, `${name} .su-styled-text`, name, ".s-item__title")
    ?.replace(/(?<!\s)\s*Opens in a new window or tab$/i, "")
    .replace(/^New Listing\s*/i, "")
  // The first card may be a placeholder, with or without its own number.
  const isPlaceholder = linked === "123456" || /^Shop on eBay$/i.test(title ?? "")
  if (!itemId || !title || isPlaceholder) return null
  const rows = new CardRows(card)
  const images = "img.s-card__image, .s-item__image img, img"
  const image = firstAttribute(card, images, "data-defer-load", "data-src", "src")
  const current = priceOf(card)
  return {
    itemId,
    url: `https://www.ebay.com/itm/${itemId}`,
    title,
    ...current,
    ...originalOf(card, rows, current.price),
    ...sellerOf(rows),
    ...formatOf(card, rows),
    ...shippingOf(rows),
    ...conditionOf(card),
    soldCount: countOf(rows.take(soldRow)),
    watchers: countOf(rows.take(watchersRow)),
    location: rows.take(locationRow)?.[1] ?? null,
    imageUrl: absoluteUrl(image, "https://www.ebay.com")?.replace("/s-l140.", "/s-l500.") ?? null,
    badges: distinct(rows.rest()),
  }
}

/**
 * The rows of a card have no names: each is recognized by its format or text, and the rest are
 * badges.
 * Rows with a price, a price range or the crossed-out earlier price are left out.
 * So are rows that only link to similar listings.
 */
class CardRows {
  private readonly texts: string[]
  private readonly ignored: ReadonlySet<string | null>

  constructor(card: Element) {
    const rows = card.querySelectorAll(".s-card__attribute-row")
    const visible = [...(rows.length > 0 ? rows : card.querySelectorAll(rowsOfCard))]
    this.texts = distinct(
      [...visible, ...countingCaptions(card)].flatMap((row) => plainText(row) ?? []),
    )
    const ignored = visible.filter(
      (row) => row.matches(price) || row.querySelector(price) || row.querySelector(".su-link"),
    )
    this.ignored = new Set(ignored.map(plainText))
  }

  /** Removes and returns the first row that one of the patterns matches. */
  take(...patterns: RegExp[]): RegExpExecArray | null {
    const matches = patterns.flatMap((pattern) => this.texts.map((text) => pattern.exec(text)))
    const match = matches.find((one) => one !== null) ?? null
    if (match) this.texts.splice(this.texts.indexOf(match.input), 1)
    return match
  }

  rest(): string[] {
    return this.texts.filter((text) => !this.ignored.has(text) && !customsRow.test(text))
  }
}

/** A caption may be "289 sold". That of an ended listing has a date instead of a count. */
const countingCaptions = (card: Element) =>
  [...card.querySelectorAll(".s-card__caption")].filter(
    (caption) =>
      /^\D*\d[\d.,]*\+?\D*$/.test(caption.textContent) && soldRow.test(plainText(caption) ?? ""),
  )

const countOf = (match: RegExpExecArray | null) => parseCount(match?.slice(1).find(Boolean))

/** One price, or the two ends of a range, each in its own element. */
function priceOf(card: Element) {
  const row = card.querySelector(".s-card__price")?.closest(".s-card__attribute-row")
  const text = plainText(row) ?? firstText(card, ".s-card__price", ".s-item__price")
  const [low, high] = (text?.split(rangeWord) ?? []).map((part) => ebayPrice(part, place))
  return {
    price: low?.amount ?? null,
    currency: low?.currency ?? null,
    priceMin: high ? (low?.amount ?? null) : null,
    priceMax: high?.amount ?? null,
  }
}

/** Parses "Was: $199.97 30% off", or only a crossed-out price. */
function originalOf(card: Element, rows: CardRows, price: number | null) {
  const row = rows.take(discountRow)?.input ?? ""
  const crossed = [".strikethrough:not(.s-card__price)", ".s-item__trending-price .STRIKETHROUGH"]
  const struck = firstText(card, ...crossed)
  const former = struck ?? /^(?:Was|List price):\s*(\S+(?: \$[\d.,]+)?)/i.exec(row)?.[1] ?? null
  const originalPrice = ebayPrice(former, place)?.amount ?? null
  const percent = /(\d{1,2})\s?%/.exec(row.replace(struck ?? "", " "))?.[1]
  return {
    originalPrice,
    discountPercent: percent ? Number(percent) || null : discountOf(price, originalPrice),
  }
}

/** Free shipping is null if the card has neither a price nor the word "free". */
function shippingOf(rows: CardRows) {
  const row = rows.take(shippingRow)?.input ?? null
  const isFree = freeWord.test(row ?? "")
  const cost = isFree ? 0 : (ebayPrice(row, place)?.amount ?? null)
  return { shippingCost: cost, shippingText: row, freeShipping: cost === null ? null : isFree }
}

/** Parses "Open Box · 256 GB"; a seller's own subtitle may be above it. */
function conditionOf(card: Element) {
  const lines = allTexts(card, ".s-card__subtitle, .s-item__subtitle")
  const [condition, ...more] = (lines.at(-1) ?? "").split("·").map((part) => part.trim())
  const subtitle = [...lines.slice(0, -1), ...more].join(" · ")
  return { condition: condition || null, subtitle: subtitle || null }
}

function formatOf(card: Element, rows: CardRows) {
  const bids = rows.take(bidsRow)
  const now = rows.take(buyItNowRow)
  const offer = rows.take(bestOfferRow)
  const time = firstText(card, timeLeft) ?? rows.take(englishTime)?.[0]
  return {
    buyingFormat: bids ? "auction" : offer ? "best_offer" : now ? "buy_it_now" : null,
    bids: parseCount(bids?.[1]),
    timeLeft: time ?? timeBehind(bids?.input ?? ""),
  }
}

/** Returns the time left of "3 bids · 1d 4h left", or of "3 Gebote · Noch 1T 4Std". */
function timeBehind(bidsRow: string): string | null {
  const english = englishTime.exec(bidsRow)?.[0]
  return english ?? /·\s*([^·]*\d[^·]*)$/.exec(bidsRow)?.[1]?.trim() ?? null
}

function sellerOf(rows: CardRows) {
  const { name, percent, count } = rows.take(...sellerRows)?.groups ?? {}
  return {
    sellerName: name ?? null,
    sellerFeedbackPercent: percent ? Number(percent.replace(",", ".")) : null,
    sellerFeedbackCount: parseCount(count),
  }
}
