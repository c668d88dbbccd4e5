import { metaContent, readMeta } from "../../extract/page/index.ts"
import {
  defineScraper,
  inputs,
  isPlain,
  items,
  NotFound,
  nullable,
  packageName,
  readOnce,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { fromInitData, fromMarkup } from "./extension.ts"
import { storeTable } from "./layout.ts"

const extension = record({
  id: items.requiredText("Extension ID (32 letters)."),
  url: items.requiredText("URL of the extension."),
  name: items.requiredText("Name."),
  summary: items.text("One-line summary of the extension."),
  description: items.text("Full description."),
  version: items.text("Version, for example 1.4.2."),
  users: items.integer("Number of users, rounded by the store."),
  rating: items.number("Mean rating (0-5); null without ratings."),
  ratingCount: items.integer("Number of ratings."),
  category: items.text("Category path, for example productivity/workflow."),
  iconUrl: items.text("URL of the icon."),
  tileUrl: items.text("URL of the small promotional image."),
  featureImageUrl: items.text("URL of the large promotional image."),
  screenshots: items.texts("URLs of the screenshots."),
  homepage: items.text("URL of the developer's page for the extension."),
  developerName: items.text("Developer."),
  developerEmail: items.text("Developer's email address."),
  sizeText: items.text("Size, as the store displays it."),
  sizeBytes: items.integer("Size in bytes, rounded like `sizeText`."),
  languages: items.texts("Language codes."),
  languageNames: items.texts("English names of the languages."),
  minChromeVersion: items.text("Minimum version of Chrome."),
  publishedAt: items.text("Time of first publication (ISO 8601, UTC)."),
  updatedAt: items.text("Time of the last update (ISO 8601, UTC)."),
  manifestVersion: items.integer("Version of the manifest format."),
  permissions: nullable(items.texts("Required permissions; null if the manifest is unknown.")),
  hostPermissions: nullable(
    items.texts(
      "URL patterns of the sites that the extension may access; null if the manifest is unknown.",
    ),
  ),
  optionalPermissions: nullable(
    items.texts("Optional permissions, requested at run time; null if the manifest is unknown."),
  ),
  isFeatured: items.boolean("Whether the extension has the store's Featured badge."),
  isFromVerifiedPublisher: nullable(
    items.requiredBoolean("Whether the publisher has the badge of an established publisher."),
  ),
})

export default defineScraper({
  slug: "chrome-web-store-scraper",
  name: "Chrome Web Store",
  tagline:
    "Chrome extensions by ID or URL: users, rating, version, size, developer, permissions-relevant manifest.",
  notServed: ["extension reviews", "VS Code extensions"],
  category: "developer",
  input: {
    extensions: inputs.texts("Extension IDs of 32 letters, or Chrome Web Store URLs.", {
      max: 100,
    }),
  },
  item: { input: items.requiredText("Extension as written in the input."), ...extension.fields },
  example: { extensions: ["ddkjiahejlhfcafbddmgiahcphecmpfh"] },
  probe: {
    input: { extensions: ["aapbdbdomjkkjkaonfhkkikfgjllcleb"] },
    expect: [
      "items.length equals 1",
      'items[0].name matches "google translate"',
      "items[0].users gte 10000000",
      "items[0].rating gte 2",
      "items[0].ratingCount gte 10000",
      'items[0].version matches "^\\\\d+"',
      "?items[0].permissions.length gte 1",
      "?items[0].updatedAt share 1",
    ],
  },
  rateLimit: { "chromewebstore.google.com": { perSecond: 1, concurrency: 2 } },
  pages: { ofTarget: 1 },
  targets: (input) => input.extensions,

  async *scrape(target, ctx) {
    const id = packageName(target, {
      page: /^(?:https?:\/\/)?(?:chromewebstore\.google\.com\/detail|chrome\.google\.com\/webstore\/detail)\/(?:[^/?#]+\/)?([a-p]{32})(?![a-z])/i,
      name: /^[a-p]{32}$/,
      hint: "is not a Chrome Web Store extension. Use a store URL or an ID of 32 letters from a to p.",
    })
    const layout = ctx.upstream(storeTable)
    const dataIn = readOnce((response) => fromInitData(response.text(), id, layout))
    const markupOf = readOnce(({ document }) => fromMarkup(document, layout))
    const nameIn = (response: UpstreamResponse) => dataIn(response)?.name ?? markupOf(response).name
    const what = "the extension"
    const response = await ctx.page(`https://chromewebstore.google.com/detail/${id}?hl=en`, {
      has: (response) =>
        !isConsentPage(response) && (isHome(response) || nameIn(response) !== null),
      what,
      // Google's consent page, or a page without the extension.
      refusal: { vendor: "Google", sign: isPlain },
      headers: { "accept-language": "en-US,en;q=0.9" },
      // The consent cookie that visitors from Europe would have to set first.
      cookies: { SOCS: "CAESEwgDEgk0ODE3Nzk3MjQaAmVuIAEaBgiA_LyaBg" },
    })
    const data = dataIn(response)
    if (!data && isHome(response)) throw new NotFound(`Extension not found: ${id}`, { response })
    const name = nameIn(response)
    if (!name) throw response.explainMissing(what)
    const canonical = ownUrl(response.document)
    const url = canonical?.includes("/detail/")
      ? canonical
      : `https://chromewebstore.google.com/detail/${id}`
    const row = { ...markupOf(response), ...known(data ?? {}), id, url, name }
    yield { input: target, ...extension.read(row) }
  },
})

/** Returns only the fields with values, so that null does not override another source. */
const known = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> }

function ownUrl(document: Document): string | null {
  const canonical = document.querySelector('link[rel="canonical"]')?.getAttribute("href")
  return canonical ?? metaContent(readMeta(document), "og:url")
}

/** The store redirects requests for an unknown extension to its home page. */
function isHome({ document }: UpstreamResponse): boolean {
  const canonical = ownUrl(document)
  return Boolean(canonical && !canonical.includes("/detail/"))
}

const isConsentPage = (response: UpstreamResponse): boolean =>
  new URL(response.url).host === "consent.google.com" ||
  /^Before you continue/i.test(response.document.title)
