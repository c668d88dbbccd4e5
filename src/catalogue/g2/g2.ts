import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  isoDate,
  numberOrNull,
  plainText,
  sha256,
  textLines,
} from "../../extract/core/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  Changed,
  type Context,
  items,
  ratingsOf,
  record,
  reviewFields,
  starsOf,
  type UpstreamResponse,
  unquoted,
} from "../kit/index.ts"

export const g2 = "https://www.g2.com"

export function reviewCards(document: Document): Element[] {
  const cards = [...document.querySelectorAll('article[id*="-review-"]')]
  if (cards.length > 0) return cards
  // The layout before 2025 uses microdata.
  const older = document.querySelectorAll('[itemtype*="schema.org/Review"], [itemprop="review"]')
  return [...older].filter((card) => card.querySelector('[itemprop="reviewBody"]'))
}

/**
 * Returns the product of a page's JSON-LD with the reviews of this page; empty if there is none.
 */
export const productNode = (document: Document): SchemaReader =>
  schemaNodes(document).find((node) => node.has("aggregateRating") || node.has("review")) ??
  new SchemaReader(undefined)

export function productOf(response: UpstreamResponse, node: SchemaReader, slug: string) {
  const { document } = response
  const aggregate = node.in("aggregateRating").value<object>()
  // G2 rates products from 0 to 10, even if the page does not state the scale.
  const { rating, reviewCount } = ratingsOf(new SchemaReader({ bestRating: 10, ...aggregate }))
  const heading = /^(.*?) Reviews\s*(?:\(([\d,]+)\))?/.exec(firstText(document, "h3") ?? "")
  return {
    productSlug: slug,
    productName: node.title("name") ?? (heading?.[1] || null),
    productUrl: `${g2}/products/${slug}/reviews`,
    productRating: visibleRating(document, rating),
    productReviewCount: reviewCount ?? numberOrNull(heading?.[2]?.replaceAll(",", "")),
    productCategories: (node.text("applicationCategory") ?? "")
      .split(",")
      .map((category) => category.trim())
      .filter(Boolean),
  }
}

/**
 * Returns the displayed rating if it fits the JSON-LD. It is rounded to one decimal and may be
 * false for bots.
 */
function visibleRating(document: Document, exact: number | null): number | null {
  const label = firstAttribute(document, '[aria-label*="out of 5 stars"]', "aria-label")
  const visible =
    numberOrNull(firstText(document, ".elv-text-3xl")) ?? Number.parseFloat(label ?? "")
  if (Number.isNaN(visible)) return exact
  return exact === null || Math.abs(visible - exact) < 0.06 ? visible : exact
}

export const review = record({
  id: items.requiredText("ID of the review."),
  url: items.requiredText("URL of the review."),
  ...reviewFields("rating", "title"),
  likes: items.text("Aspects that the reviewer likes best."),
  dislikes: items.text("Aspects that the reviewer dislikes."),
  benefits: items.text("Problems that the product solves, and the benefits."),
  recommendations: items.text("Reviewer's advice for others."),
  ...reviewFields("text", "publishedAt", "updatedAt", "reviewerName"),
  reviewerTitle: items.text("Job title of the reviewer."),
  reviewerCompanySize: items.text("Size of the reviewer's company, as displayed."),
  reviewerUrl: items.text("URL of the reviewer's profile."),
  ...reviewFields("reviewerAvatarUrl"),
  badges: items.texts("Labels of the review."),
  source: items.text("Origin of the review, for example Organic."),
  validated: items.boolean("Whether the site has verified the reviewer's identity."),
  currentUser: items.boolean("Whether the reviewer uses the product now."),
  incentivized: items.boolean("Whether the reviewer received an incentive for the review."),
  vendorResponse: items.text("Reply of the vendor."),
})

/** Parses one card and its entry in the JSON-LD. Throws Changed. */
export function reviewOf(
  card: Element,
  position: number,
  node: SchemaReader,
  slug: string,
  ctx: Context,
) {
  if (card.localName !== "article") {
    const older = olderReview(card, slug)
    if (!older) throw new Changed("A review on G2 has no rating or title.")
    return review.read(older)
  }
  const cardId = card.getAttribute("id") ?? ""
  const id = /(?<!\d)(\d+)$/.exec(cardId)?.[1]
  const visible = {
    title: unquoted(firstText(card, ".elv-text-lg.elv-font-bold")),
    name: firstText(card, ".avatar + div .elv-font-bold", ".elv-font-bold"),
  }
  const entry = entryOf(node, position, visible)
  const rating = ratingOf(card, entry, ctx)
  const title = entry.title("name") ?? visible.title
  if (!id || (rating === null && !title)) throw new Changed("A review on G2 has no ID or title.")
  return review.read({
    id,
    url:
      firstAttribute(card, "[data-clipboard-text]", "data-clipboard-text") ??
      `${g2}/products/${slug}/reviews/${cardId}`,
    rating,
    title,
    likes: answerTo(card, /^What do you like best/i),
    dislikes: answerTo(card, /^What do you dislike/i),
    benefits: answerTo(card, /^What problems (?:is|are) .+ solving/i),
    recommendations: answerTo(card, /^Recommendations/i),
    text: entry.text("reviewBody")?.replaceAll("\r\n", "\n"),
    publishedAt: isoDate(entry.text("datePublished")) ?? dayInMeta(card),
    updatedAt: isoDate(entry.text("dateModified")),
    ...reviewerOf(card, entry.title("author", "name") ?? visible.name),
    ...badgesOf(card),
    vendorResponse: vendorResponse(card),
  })
}

/**
 * Returns the entry at the card's position, unless its author or title belongs to another review.
 */
function entryOf(
  node: SchemaReader,
  position: number,
  visible: { title: string | null; name: string | null },
): SchemaReader {
  const entries = node.list("review")
  const fits = (entry: SchemaReader) =>
    (visible.title === null || unquoted(entry.title("name")) === visible.title) &&
    (visible.name === null || entry.title("author", "name") === visible.name)
  const same = entries[position]
  if (same && fits(same)) return same
  return entries.find(fits) ?? new SchemaReader(undefined)
}

function ratingOf(card: Element, entry: SchemaReader, ctx: Context): number | null {
  const text = firstText(card, ".elv-star-wrapper__desc__rating") ?? ""
  const written = /^([\d.]+)\s*\/\s*5/.exec(text)
  const names = card.querySelector('[class*="elv-stars-"]')?.getAttribute("class") ?? ""
  const stars = /\belv-stars-(\d+)\b/.exec(names)
  const visible = written ? Number(written[1]) : stars ? Number(stars[1]) / 2 : null
  const stated = starsOf(entry.in("reviewRating"))
  if (stated !== null && visible !== null && stated !== visible) {
    ctx.log(
      `${card.getAttribute("id")}: the card shows ${visible} stars, the JSON-LD contains ${stated}.`,
    )
  }
  return stated ?? visible
}

function answerTo(card: Element, question: RegExp): string | null {
  const sections = [...card.querySelectorAll("section")]
  const section = sections.find((section) => question.test(firstText(section, "div") ?? ""))
  const own = (section ? allTexts(section, "p") : []).map((text) =>
    text.replace(/(?<!\s)\s*Review collected by and hosted on G2\.com\.?$/, ""),
  )
  return own.filter(Boolean).join("\n") || null
}

const dayInMeta = (card: Element): string | null =>
  [...card.querySelectorAll("meta[content]")]
    .map((meta) => meta.getAttribute("content"))
    .find((content) => content && /^\d{4}-\d{2}-\d{2}$/.test(content)) ?? null

function reviewerOf(card: Element, name: string | null) {
  const header = card.querySelector(".avatar")?.parentElement ?? card
  const lines = allTexts(header, ".elv-text-subtle").filter((line) => line.length < 200)
  const profile = firstAttribute(card, 'a[href*="/users/"]', "href")
  const image = firstAttribute(card, ".avatar img", "data-deferred-image-src", "data-src", "src")
  return {
    reviewerName: name,
    reviewerTitle: header === card ? null : lines.find((line) => !/\bemp\./.test(line)),
    reviewerCompanySize: lines.find((line) => /\bemp\./.test(line)),
    reviewerUrl: absoluteUrl(profile, g2),
    reviewerAvatarUrl: image && /anonymous-avatar/.test(image) ? null : absoluteUrl(image, g2),
  }
}

/** Returns the labels at the bottom of the card; the one at the top is the date. */
function badgesOf(card: Element) {
  const labels = allTexts(card, ".elv-status-badge label, label.elv-status-badge__label")
  const badges = labels.filter((label) => !/^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(label))
  const has = (pattern: RegExp) => badges.some((badge) => pattern.test(badge))
  const source = badges.find((badge) => /^Source:/i.test(badge))
  return {
    badges,
    source: source?.replace(/^Source:\s*/i, ""),
    validated: has(/^Validated/i),
    currentUser: has(/^Current User/i),
    incentivized: has(/^Incentivi[sz]ed/i),
  }
}

function vendorResponse(card: Element): string | null {
  const blocks = [...card.querySelectorAll("section, div")]
  const block = blocks.find((block) => /^Response from\b/i.test(plainText(block) ?? ""))
  return (block && textLines(block).slice(1).join("\n")) || null
}

/** Returns a card in the current format, or null if it has neither stars nor a title. */
function olderReview(card: Element, slug: string) {
  const author = card.querySelector('[itemprop="author"]')
  const name = author && (firstAttribute(author, "meta[content]", "content") ?? plainText(author))
  const titles = [...card.querySelectorAll('[itemprop="name"]')]
  const title = unquoted(
    plainText(titles.find((title) => !author?.contains(title))) ??
      firstAttribute(card, 'meta[itemprop="name"]', "content"),
  )
  const stars = [...card.querySelectorAll('[class*="stars-"]')].flatMap(
    (element) => /\bstars-(\d+)\b/.exec(element.getAttribute("class") ?? "")?.[1] ?? [],
  )[0]
  const rating = stars === undefined ? null : Number(stars) / 2
  if (rating === null && !title) return null
  const day =
    firstAttribute(card, "time[datetime]", "datetime") ??
    firstAttribute(card, 'meta[itemprop="datePublished"]', "content")
  const link = firstAttribute(card, `a[href*="/products/${slug}/reviews/"]`, "href")
  const number = /-(\d+)\/?$/.exec(link?.replace(/[?#].*$/, "") ?? card.id)?.[1]
  const marks = distinct(allTexts(card, "span, label, [class*=tags] div")).filter(
    (text) => text.length < 60,
  )
  const source = marks.find((text) => /^(?:Review )?source:/i.test(text))
  const has = (pattern: RegExp) => marks.some((text) => pattern.test(text))
  const lines = allTexts(card, ".mt-4th")
  const profile =
    firstAttribute(card, 'a[href*="/users/"]', "href") ??
    firstAttribute(card, '[itemprop="author"] meta[content*="/users/"]', "content")
  const [first, second, third] = partsOf(card)
  return {
    id: number ?? sha256([slug, name, day, title].join("|")).slice(0, 16),
    url: absoluteUrl(link, g2) ?? `${g2}/products/${slug}/reviews`,
    rating,
    title,
    likes: responseTo(card, /^What do you like best/i) ?? listed(card, "Pros") ?? first,
    dislikes: responseTo(card, /^What do you dislike/i) ?? listed(card, "Cons") ?? second,
    benefits: responseTo(card, /^What problems (?:is|are) .+ solving/i) ?? third,
    recommendations: responseTo(card, /^Recommendations/i),
    text: textOf(card.querySelector('[itemprop="reviewBody"]')),
    publishedAt: isoDate(day),
    reviewerName: name,
    reviewerTitle: lines.find((line) => !/\bemp\./.test(line)),
    reviewerCompanySize: [...lines, ...marks].find((line) => /\bemp\./.test(line)),
    reviewerUrl: absoluteUrl(profile, g2),
    badges: marks.filter((text) =>
      /^(?:Validated|Verified|Incentivi[sz]ed|Current User)/i.test(text),
    ),
    source: source?.replace(/^(?:Review )?source:\s*/i, ""),
    validated: has(/^(?:Validated|Verified)/i),
    currentUser: has(/Current User$/i),
    incentivized: has(/^Incentivi[sz]ed/i),
  }
}

const textOf = (element: Element | null) => (element && textLines(element).join("\n")) || null

/** Returns the text of each part of a body that has no questions. */
function partsOf(card: Element): (string | null)[] {
  const body = card.querySelector('[itemprop="reviewBody"]')
  if (!body || body.querySelector("h3, h4, h5, [aria-label]")) return []
  return [...body.children].map((part) => allTexts(part, "p").join("\n") || null)
}

function responseTo(card: Element, question: RegExp): string | null {
  const headings = [...card.querySelectorAll("h5, h4, h3")]
  const heading = headings.find((heading) => question.test(plainText(heading) ?? ""))
  return textOf(heading?.nextElementSibling ?? null)
}

function listed(card: Element, label: string): string | null {
  const points = allTexts(card, `[aria-label="${label}"] .ellipsis`)
  return points.join("\n") || firstText(card, `[aria-label="${label}"]`)
}
