import { normaliseUrl } from "../links/index.ts"
import type { SeoPage } from "./page.ts"

export const severities = ["error", "warning", "notice"] as const
export type Severity = (typeof severities)[number]

/** The response's facts besides its page. */
export interface Delivery {
  url: string
  responseTimeMs: number
  htmlBytes: number
}

/** Returns the value that breaks the rule, or true if the message is complete without it; else false. */
type Check = (page: SeoPage, delivery: Delivery) => string | number | boolean | null

interface Rule {
  code: string
  severity: Severity
  message: string
  check: Check
}

const ruleOf =
  (severity: Severity) =>
  (code: string, message: string, check: Check): Rule => ({
    code,
    severity,
    message,
    check,
  })
const error = ruleOf("error")
const warning = ruleOf("warning")
const notice = ruleOf("notice")

export const rules: Rule[] = [
  error("missing_title", "The page has no title.", ({ title }) => title.text === null),
  error("missing_h1", "The page has no h1.", ({ headings }) => headings.h1.length === 0),
  error(
    "noindex",
    "The page asks not to be indexed.",
    (page) => page.noindex && (page.robots ?? page.xRobotsTag),
  ),
  error("http_not_https", "The page is served without encryption.", (_, { url }) =>
    url.startsWith("http:"),
  ),
  error(
    "canonical_other_page",
    "The canonical address is another page.",
    ({ canonical }) => canonical.selfReferencing === false && canonical.url,
  ),
  error(
    "duplicate_title_tags",
    "The page has several title elements.",
    ({ titleTags }) => titleTags > 1 && titleTags,
  ),
  warning(
    "title_too_short",
    "The title has less than 30 characters.",
    ({ title }) => title.length > 0 && title.length < 30 && title.length,
  ),
  warning(
    "title_too_long",
    "The title has more than 60 characters.",
    ({ title }) => title.length > 60 && title.length,
  ),
  warning(
    "missing_meta_description",
    "The page has no meta description.",
    ({ metaDescription }) => metaDescription.text === null,
  ),
  warning(
    "meta_description_too_short",
    "The meta description has less than 70 characters.",
    ({ metaDescription: { length } }) => length > 0 && length < 70 && length,
  ),
  warning(
    "meta_description_too_long",
    "The meta description has more than 160 characters.",
    ({ metaDescription: { length } }) => length > 160 && length,
  ),
  warning(
    "multiple_h1",
    "The page has several h1.",
    ({ headings }) => headings.h1.length > 1 && headings.h1.length,
  ),
  warning(
    "missing_canonical",
    "The page names no canonical address.",
    ({ canonical }) => canonical.url === null,
  ),
  warning(
    "multiple_canonicals",
    "The page names several canonical addresses.",
    ({ canonical }) => canonical.count > 1 && canonical.differ && canonical.count,
  ),
  notice(
    "multiple_canonicals",
    "The page names its canonical address several times.",
    ({ canonical }) => canonical.count > 1 && !canonical.differ && canonical.count,
  ),
  warning(
    "images_missing_alt",
    "Pictures lack an alt attribute.",
    ({ images }) => images.missingAlt > 0 && images.missingAlt,
  ),
  warning("missing_viewport", "The page has no viewport.", ({ viewport }) => viewport === null),
  warning(
    "missing_lang",
    "The page does not state its language.",
    ({ language }) => language === null,
  ),
  warning(
    "thin_content",
    "The page has less than 200 words.",
    ({ content }) => content.wordCount < 200 && content.wordCount,
  ),
  warning(
    "slow_response",
    "The answer took more than 2 s.",
    (_, { responseTimeMs }) => responseTimeMs > 2000 && responseTimeMs,
  ),
  warning(
    "large_html",
    "The HTML is larger than 2 MB.",
    (_, { htmlBytes }) => htmlBytes > 2 * 1024 * 1024 && htmlBytes,
  ),
  warning(
    "mixed_content",
    "A secure page loads resources without encryption.",
    ({ mixedContent }) => mixedContent.length > 0 && mixedContent.length,
  ),
  warning(
    "broken_json_ld",
    "JSON-LD cannot be read as written.",
    ({ structuredData }) => structuredData.errors.length > 0 && structuredData.errors[0]!,
  ),
  warning("heading_skip", "A heading level is skipped.", ({ headings }) =>
    skippedLevel(headings.order),
  ),
  notice(
    "missing_open_graph",
    "The page has no Open Graph tags.",
    ({ openGraph }) => openGraph.count === 0,
  ),
  notice(
    "missing_twitter_card",
    "The page has no Twitter card.",
    ({ twitter }) => twitter.card === null,
  ),
  notice(
    "missing_structured_data",
    "The page has no structured data.",
    ({ structuredData }) => structuredData.types.length === 0,
  ),
  notice("missing_favicon", "The page names no icon.", ({ favicon }) => favicon === null),
  notice(
    "title_equals_h1",
    "Title and h1 are the same.",
    ({ title, headings }) => title.text !== null && title.text === headings.h1[0],
  ),
  notice(
    "url_too_long",
    "The address has more than 115 characters.",
    (_, { url }) => url.length > 115 && url.length,
  ),
  notice("url_underscores", "The path has underscores.", (_, { url }) =>
    new URL(url).pathname.includes("_"),
  ),
  notice("url_uppercase", "The path has capitals.", (_, { url }) =>
    /[A-Z]/.test(new URL(url).pathname.replace(/%[0-9A-F]{2}/g, "")),
  ),
  notice(
    "url_parameters",
    "The address has parameters.",
    (_, { url }) => new URL(normaliseUrl(url)).search,
  ),
  notice(
    "nofollow_internal_links",
    "Links within the site are nofollow.",
    ({ links }) => links.nofollowInternal > 0 && links.nofollowInternal,
  ),
  notice(
    "no_charset",
    "Neither page nor header state the encoding.",
    ({ charset }) => charset === null,
  ),
  notice(
    "needs_javascript",
    "Only scripts fill the page.",
    ({ content, emptyRoot }) => emptyRoot && content.wordCount < 50,
  ),
]

/** Returns the first skipped level, such as `h2 > h4`; false if there is none. */
function skippedLevel(order: readonly number[]): string | false {
  for (const [index, level] of order.entries()) {
    const before = order[index - 1]
    if (before !== undefined && level > before + 1) return `h${before} > h${level}`
  }
  return false
}
