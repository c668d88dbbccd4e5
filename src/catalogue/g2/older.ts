import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  isoDate,
  plainText,
  sha256,
  textLines,
} from "../../extract/core/index.ts"
import { unquoted } from "../kit/index.ts"

/** Returns the cards of the layout before 2025, which uses microdata. */
export function olderCards(document: Document): Element[] {
  const cards = document.querySelectorAll('[itemtype*="schema.org/Review"], [itemprop="review"]')
  return [...cards].filter((card) => card.querySelector('[itemprop="reviewBody"]'))
}

/** Returns a card in the current format, or null if it has neither stars nor a title. */
export function olderReview(card: Element, slug: string, site: string) {
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
    url: absoluteUrl(link, site) ?? `${site}/products/${slug}/reviews`,
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
    reviewerUrl: absoluteUrl(profile, site),
    badges: marks.filter((text) =>
      /^(?:Validated|Verified|Incentivi[sz]ed|Current User)/i.test(text),
    ),
    source: source?.replace(/^(?:Review )?source:\s*/i, ""),
    validated: has(/^(?:Validated|Verified)/i),
    currentUser: has(/Current User$/i),
    incentivized: has(/^Incentivi[sz]ed/i),
  }
}

function textOf(element: Element | null): string | null {
  return (element && textLines(element).join("\n")) || null
}

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
