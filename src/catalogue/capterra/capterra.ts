import {
  allTexts,
  firstAttribute,
  firstText,
  isoDay,
  numberOrNull,
  parseCount,
  plainText,
  sha256,
  textLines,
} from "../../extract/core/index.ts"
import { Changed, type UpstreamResponse, unquoted } from "../kit/index.ts"

/** Returns the product's fields of a reviews page. */
export function productOf(response: UpstreamResponse, requested: { id: string; slug: string }) {
  const { document } = response
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href") ?? response.url
  const [, id = requested.id, slug = requested.slug] = /\/p\/(\d+)\/([^/?#]+)/.exec(canonical) ?? []
  const title = firstText(document, "title") ?? ""
  return {
    productId: id,
    productSlug: slug,
    productUrl: `https://www.capterra.com/p/${id}/${slug}/`,
    productName: /^(.+?) Reviews\b/.exec(title)?.[1] ?? null,
    productReviewCount: describedCount(document),
  }
}

/** Returns the number of reviews in "Explore 15462 verified user reviews"; null without a number. */
export function describedCount(document: Document): number | null {
  const description = firstAttribute(document, 'meta[name="description"]', "content") ?? ""
  const stated = /(?<![\d,])([\d,]+) verified user reviews/i.exec(description)?.[1]
  // In other words, the only number counts, unless it is a year.
  const written = description.match(/(?<![\p{L}\d.,-])\d[\d.,]*(?![\p{L}\d%-])/gu) ?? []
  const numbers = written.filter((number) => !/^20\d\d\.?$/.test(number))
  return parseCount(stated ?? (numbers.length === 1 ? numbers[0] : undefined))
}

/** Returns the review cards of a page, or null if it has no list of them. */
export function reviewCards(document: Document): Element[] | null {
  const list = document.querySelector('[data-test-id="review-cards-container"]')
  return list && cardsIn(list)
}

/** The cards may be in a box of their own. */
function cardsIn(list: Element): Element[] {
  const overall = '[data-testid="Overall Rating-rating"]'
  return [...list.children].flatMap((card) => {
    const isBox = [overall, "h3"].every((part) => card.querySelectorAll(part).length > 1)
    if (isBox) return cardsIn(card)
    return card.querySelector(`${overall}, [data-testid="rating"]`) ? card : []
  })
}

/** Parses one card. Throws Changed. */
export function reviewOf(card: Element, product: ReturnType<typeof productOf>) {
  const heading = card.querySelector("h3")
  const title = unquoted(plainText(heading))
  const rating = starsAt(card, "Overall Rating-rating") ?? starsAt(card, "rating")
  // A reviewer may leave the heading empty.
  if (!heading || rating === null) throw new Changed("A review on Capterra has no title or rating.")
  const reviewedOn = isoDay(plainText(heading?.nextElementSibling))
  const reviewer = reviewerOf(card)
  const source = sourceNote(card)
  const key = [product.productId, reviewer.reviewerName, reviewedOn, title].join("|")
  return {
    ...product,
    id: sha256(key).slice(0, 16),
    url: `${product.productUrl}reviews/`,
    title,
    rating,
    ratings: {
      easeOfUse: starsAt(card, "Ease of Use-rating"),
      features: starsAt(card, "Features-rating"),
      valueForMoney: starsAt(card, "Value for Money-rating"),
      customerService: starsAt(card, "Customer Service-rating"),
    },
    likelihoodToRecommend: numberOrNull(
      firstAttribute(card, '[data-testid="Likelihood to Recommend-rating"] progress', "value"),
    ),
    reviewedOn,
    ...reviewer,
    text: paragraphs(card.querySelector('[class~="!mt-4"]')),
    pros: labelled(card, /^pros\b/i) ?? marked(card, "Positive icon"),
    cons: labelled(card, /^cons\b/i) ?? marked(card, "Negative icon"),
    alternativesConsidered: labelled(card, /^alternatives considered/i),
    reasonForChoosing: labelled(card, /^reasons? for choosing/i),
    switchedFrom: labelled(card, /^switched from/i),
    reasonForSwitching: labelled(card, /^reasons? for switching/i),
    incentivized: source === null ? null : /^incentivi[sz]ed/i.test(source),
    sourceNote: source,
    vendorResponse: vendorResponse(card),
  }
}

/** The icons next to the number always show one full star. */
function starsAt(card: Element, id: string): number | null {
  const row = card.querySelector(`[data-testid="${id}"]`)
  return row && numberOrNull(allTexts(row, "span").at(-1))
}

const used = /^Used the software for:?\s*/i

/** Name, role, industry and time of use, one per line; the third may be missing. */
function reviewerOf(card: Element) {
  const blocks = [...card.querySelectorAll("div")]
  const block =
    card.querySelector(".typo-10.text-neutral-90.w-full") ??
    blocks.findLast((block) => /Used the software for/.test(plainText(block) ?? ""))
  const lines = block ? textLines(block) : []
  const usedAt = lines.findIndex((line) => used.test(line))
  const [name = null, role = null, industry = null] = usedAt < 0 ? lines : lines.slice(0, usedAt)
  const image = firstAttribute(card, 'img[data-testid="reviewer-profile-pic"]', "src")
  return {
    reviewerName: name,
    reviewerRole: role,
    reviewerIndustry: industry,
    usedFor: usedAt < 0 ? null : lines[usedAt]!.replace(used, "") || null,
    reviewerAvatarUrl: image && (new URL(image, origin).searchParams.get("url") ?? image),
  }
}

const origin = "https://www.capterra.com"

/** Returns the paragraphs under a label of the card. */
function labelled(card: Element, label: RegExp): string | null {
  for (const block of card.querySelectorAll(".space-y-2")) {
    const [head, ...rest] = textLines(block)
    if (!head || !label.test(head)) continue
    return paragraphs(block) ?? (rest.join("\n") || null)
  }
  return null
}

/** Returns the paragraphs next to an icon with that name. */
function marked(card: Element, icon: string): string | null {
  const block = [...card.querySelectorAll(".space-y-2")].find((block) =>
    [...block.querySelectorAll("svg title")].some((title) => plainText(title) === icon),
  )
  return paragraphs(block ?? null)
}

const paragraphs = (block: Element | null): string | null =>
  (block && allTexts(block, "p").join("\n\n")) || null

/** Returns the tooltip of "Review Source". */
function sourceNote(card: Element): string | null {
  const label = card.querySelector('[id="review-source-label"]')
  return label?.parentElement ? firstText(label.parentElement, '[role="dialog"]') : null
}

function vendorResponse(card: Element) {
  const blocks = [...card.querySelectorAll("div")]
  const block = blocks.find((block) => /^Vendor Response/i.test(plainText(block) ?? ""))
  if (!block) return null
  const lines = textLines(block).slice(1)
  const publishedAt = lines.map(isoDay).find((day) => day !== null) ?? null
  const text = paragraphs(block) ?? lines.filter((line) => isoDay(line) === null).join("\n")
  return { text: text || null, publishedAt }
}
