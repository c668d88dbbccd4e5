import { normaliseUrl } from "../links/index.ts"
import type { SeoPage } from "./page.ts"

export const severities = ["error", "warning", "notice"] as const
type Severity = (typeof severities)[number]

export interface SeoIssue {
  code: string
  severity: Severity
  message: string
  /** What was found, where the message needs it. */
  value: string | number | null
}

/** What is known of an answer beside its page. */
export interface Delivery {
  url: string
  responseTimeMs: number
  htmlBytes: number
}

const penalties: Record<Severity, number> = { error: 15, warning: 6, notice: 2 }

/** 100 less the penalties of all issues. */
export function seoScore(issues: readonly SeoIssue[]): number {
  const lost = issues.reduce((sum, issue) => sum + penalties[issue.severity], 0)
  return Math.max(0, 100 - lost)
}

/** One row a rule: code, severity, message, and the value when it is broken, else false. */
type Rule = [
  code: string,
  severity: Severity,
  message: string,
  check: (page: SeoPage, delivery: Delivery) => string | number | boolean | null,
]

const rules: Rule[] = [
  ["missing_title", "error", "The page has no title.", ({ title }) => title.text === null],
  ["missing_h1", "error", "The page has no h1.", ({ headings }) => headings.h1.length === 0],
  ["noindex", "error", "The page asks not to be indexed.", (page) => page.noindex && (page.robots ?? page.xRobotsTag)],
  ["http_not_https", "error", "The page is served without encryption.", (_, { url }) => url.startsWith("http:")],
  ["canonical_other_page", "error", "The canonical address is another page.", ({ canonical }) => canonical.selfReferencing === false && canonical.url],
  ["duplicate_title_tags", "error", "The page has several title elements.", ({ titleTags }) => titleTags > 1 && titleTags],
  ["title_too_short", "warning", "The title has less than 30 characters.", ({ title }) => title.length > 0 && title.length < 30 && title.length],
  ["title_too_long", "warning", "The title has more than 60 characters.", ({ title }) => title.length > 60 && title.length],
  ["missing_meta_description", "warning", "The page has no meta description.", ({ metaDescription }) => metaDescription.text === null],
  ["meta_description_too_short", "warning", "The meta description has less than 70 characters.", ({ metaDescription: { length } }) => length > 0 && length < 70 && length],
  ["meta_description_too_long", "warning", "The meta description has more than 160 characters.", ({ metaDescription: { length } }) => length > 160 && length],
  ["multiple_h1", "warning", "The page has several h1.", ({ headings }) => headings.h1.length > 1 && headings.h1.length],
  ["missing_canonical", "warning", "The page names no canonical address.", ({ canonical }) => canonical.url === null],
  ["multiple_canonicals", "warning", "The page names several canonical addresses.", ({ canonical }) => canonical.count > 1 && canonical.differ && canonical.count],
  ["multiple_canonicals", "notice", "The page names its canonical address several times.", ({ canonical }) => canonical.count > 1 && !canonical.differ && canonical.count],
  ["images_missing_alt", "warning", "Pictures lack an alt attribute.", ({ images }) => images.missingAlt > 0 && images.missingAlt],
  ["missing_viewport", "warning", "The page has no viewport.", ({ viewport }) => viewport === null],
  ["missing_lang", "warning", "The page does not state its language.", ({ language }) => language === null],
  ["thin_content", "warning", "The page has less than 200 words.", ({ content }) => content.wordCount < 200 && content.wordCount],
  ["slow_response", "warning", "The answer took more than 2 s.", (_, { responseTimeMs }) => responseTimeMs > 2000 && responseTimeMs],
  ["large_html", "warning", "The HTML is larger than 2 MB.", (_, { htmlBytes }) => htmlBytes > 2 * 1024 * 1024 && htmlBytes],
  ["mixed_content", "warning", "A secure page loads resources without encryption.", ({ mixedContent }) => mixedContent.length > 0 && mixedContent.length],
  ["broken_json_ld", "warning", "JSON-LD cannot be read as written.", ({ structuredData }) => structuredData.errors.length > 0 && structuredData.errors[0]!],
  ["heading_skip", "warning", "A heading level is skipped.", ({ headings }) => skippedLevel(headings.order)],
  ["missing_open_graph", "notice", "The page has no Open Graph tags.", ({ openGraph }) => openGraph.count === 0],
  ["missing_twitter_card", "notice", "The page has no Twitter card.", ({ twitter }) => twitter.card === null],
  ["missing_structured_data", "notice", "The page has no structured data.", ({ structuredData }) => structuredData.types.length === 0],
  ["missing_favicon", "notice", "The page names no icon.", ({ favicon }) => favicon === null],
  ["title_equals_h1", "notice", "Title and h1 are the same.", ({ title, headings }) => title.text !== null && title.text === headings.h1[0]],
  ["url_too_long", "notice", "The address has more than 115 characters.", (_, { url }) => url.length > 115 && url.length],
  ["url_underscores", "notice", "The path has underscores.", (_, { url }) => new URL(url).pathname.includes("_")],
  ["url_uppercase", "notice", "The path has capitals.", (_, { url }) => /[A-Z]/.test(new URL(url).pathname.replace(/%[0-9A-F]{2}/g, ""))],
  ["url_parameters", "notice", "The address has parameters.", (_, { url }) => new URL(normaliseUrl(url)).search],
  ["nofollow_internal_links", "notice", "Links within the site are nofollow.", ({ links }) => links.nofollowInternal > 0 && links.nofollowInternal],
  ["no_charset", "notice", "Neither page nor header state the encoding.", ({ charset }) => charset === null],
  ["needs_javascript", "notice", "Only scripts fill the page.", ({ content, emptyRoot }) => emptyRoot && content.wordCount < 50],
] // biome-ignore format: a table reads better with a line for each rule

/** `h2 > h4`, the first jump over a level; false where there is none. */
function skippedLevel(order: readonly number[]): string | false {
  for (const [index, level] of order.entries()) {
    const before = order[index - 1]
    if (before !== undefined && level > before + 1) return `h${before} > h${level}`
  }
  return false
}

export function seoIssues(page: SeoPage, delivery: Delivery): SeoIssue[] {
  return rules.flatMap(([code, severity, message, check]) => {
    const found = check(page, delivery)
    if (found === false || found === null || found === "") return []
    return [{ code, severity, message, value: found === true ? null : found }]
  })
}
