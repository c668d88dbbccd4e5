import { metaContent } from "../../page/index.ts"
import { isOfType } from "../../structured/index.ts"
import type { PageSources } from "../page-sources.ts"
import type { LineDates } from "./line-dates.ts"
import type { PeopleOfPage } from "./people-of-page.ts"

/** Features of a page's type, and so of whether it has an author at all. */

const addressTraits: [name: string, address: RegExp][] = [
  ["forum", /forum|thread|topic|communit|discuss|\/t\/|questions?\/|viewtopic|answers/i],
  ["product", /\/(?:products?|p|dp|item|itm|shop|pd|listing)\//i],
  ["collection", /collections?|categor|\/c\/|\/shop|\/browse|\/tag\//i],
  ["documentation", /docs?[./-]|documentation|reference|\/api|guide|manual|developer|wiki/i],
  ["news", /blog|news|article|story|stories|\/post|\/20\d\d\//i],
  ["service", /service|solution|pricing|about|program|plan|care|features?/i],
]
const nodeTraits: [name: string, types: string[]][] = [
  ["product", ["Product", "ProductGroup", "Offer"]],
  ["discussion", ["DiscussionForumPosting", "QAPage", "Question"]],
  ["list", ["ItemList", "CollectionPage", "OfferCatalog", "SearchResultsPage"]],
  ["recipe", ["Recipe", "HowTo"]],
  ["service", ["Service", "LocalBusiness", "FAQPage", "Course", "ProfessionalService"]],
]

export const pageFeatureNames = [
  "page has article",
  "page og article",
  "page names",
  "page depth",
  "page is root",
  "page lines",
  "page has author word",
  "page states",
  "page has dates",
  "page prose",
  "page prose share",
  "page headings",
  ...addressTraits.map(([name]) => `address ${name}`),
  ...nodeTraits.map(([name]) => `data ${name}`),
]

/** Lines in which dates are counted. */
const linesLookedAt = 120

export function pageFeatures(
  { main, meta, pageUrl, structured }: PageSources,
  people: PeopleOfPage,
  dates: LineDates,
): number[] {
  const { lines, prose, headings } = people.page
  const type = metaContent(meta, "og:type")?.toLowerCase() ?? ""
  const { pathname } = new URL(pageUrl)
  const isArticle = main !== null && isOfType(main, "Article", "NewsArticle", "BlogPosting")
  return [
    isArticle ? 1 : main ? 0.5 : 0,
    type.includes("article") ? 1 : type === "" ? 0.5 : 0,
    Math.log1p(people.size),
    pathname.split("/").filter(Boolean).length,
    pathname === "/" ? 1 : 0,
    Math.log1p(lines.length),
    people.firstAuthorLine >= 0 ? 1 : 0,
    people.stated.length > 0 ? 1 : 0,
    lines.slice(0, linesLookedAt).filter((_, at) => dates.has(at)).length,
    Math.log1p(prose.at(-1) ?? 0),
    (prose.at(-1) ?? 0) / Math.max(1, lines.length),
    Math.log1p(headings.at(-1) ?? 0),
    ...addressTraits.map(([, url]) => (url.test(pageUrl) ? 1 : 0)),
    ...nodeTraits.map(([, types]) =>
      structured.jsonLd.some(({ data }) => isOfType(data, ...types)) ? 1 : 0,
    ),
  ]
}
