import { Type } from "@sinclair/typebox"
import { readSeoPage, seoIssues, seoScore, severities } from "../../extract/seo/index.ts"
import { defineScraper, items, nullable, oneOf, pageUrls, record } from "../kit/index.ts"
import { onePageEach, openPage, pageFacts, pageFields, requireWhole } from "./page/open.ts"

const item = record({
  ...pageFields,
  redirectCount: items.requiredInteger("Number of redirects before the page."),
  responseTimeMs: items.requiredInteger("Milliseconds until the whole page was received."),
  htmlBytes: items.requiredInteger("Bytes of the HTML after decompression."),
  https: items.requiredBoolean("Whether the page uses https."),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      "Score: 100 minus 15 for each error, 6 for each warning and 2 for each notice; at least 0.",
  }),
  title: items.requiredObject("Title, its length and its issues.", {
    text: items.text("Text of the title."),
    length: items.requiredInteger("Number of characters."),
    pixelWidth: items.requiredInteger("Approximate width in pixels in Arial at 20 pixels."),
  }),
  metaDescription: items.requiredObject("Meta description, its length and its issues.", {
    text: items.text("Content of the description meta tag."),
    length: items.requiredInteger("Number of characters."),
  }),
  canonical: items.requiredObject("Canonical URL of the page.", {
    url: items.text("Canonical URL."),
    selfReferencing: items.boolean("Whether the canonical URL is the page's own URL."),
    count: items.requiredInteger("Number of canonical URLs, including those in the Link header."),
  }),
  robots: items.text("Directives of the meta tags robots and googlebot."),
  xRobotsTag: items.text("Value of the header x-robots-tag."),
  indexable: items.requiredBoolean("Whether the page may be indexed under its URL."),
  language: items.text("Declared language of the page."),
  charset: items.text("Encoding declared in the header or page."),
  viewport: items.text("Content of the viewport meta tag."),
  favicon: items.text("URL of the page's icon."),
  amphtml: items.text("URL of the AMP version."),
  hreflang: items.objects("Versions of the page in other languages.", {
    hreflang: items.requiredText("Language of the version, for example en-GB or x-default."),
    url: items.requiredText("URL of the version."),
  }),
  headings: items.requiredObject("Headings by level.", {
    h1: items.texts("Texts of the first-level headings."),
    h2: items.texts("Texts of the second-level headings."),
    h3: items.texts("Texts of the third-level headings."),
    h4: items.texts("Texts of the fourth-level headings."),
    h5: items.texts("Texts of the fifth-level headings."),
    h6: items.texts("Texts of the sixth-level headings."),
    order: Type.Array(Type.Integer(), { description: "Levels of the headings in document order." }),
  }),
  content: items.requiredObject("Number of words, ratio of text to code, and readability.", {
    wordCount: items.requiredInteger("Number of words of the text."),
    textToHtmlRatio: items.requiredNumber(
      "Characters of the text divided by those of the HTML, from 0 to 1.",
    ),
    readability: items.number("Flesch reading ease; only for English."),
  }),
  keywords: items.objects("Most frequent words and pairs of words.", {
    term: items.requiredText("Word or pair of words, in lower case."),
    count: items.requiredInteger("Number of occurrences."),
    density: items.requiredNumber("Percent of all words."),
  }),
  links: items.requiredObject("Number of links by kind.", {
    internal: items.requiredInteger("Number of links within the site."),
    external: items.requiredInteger("Number of links to other sites."),
    nofollow: items.requiredInteger("Number of links marked nofollow."),
    emptyAnchor: items.requiredInteger("Number of links without text."),
    unique: items.requiredInteger("Number of distinct URLs."),
  }),
  images: items.requiredObject("Number of images, and of those without an alternative text.", {
    total: items.requiredInteger("Number of images."),
    missingAlt: items.requiredInteger("Number of images without the attribute `alt`."),
    emptyAlt: items.requiredInteger("Number of images with an empty alternative text."),
    missingSize: items.requiredInteger("Number of images without width or height."),
    lazy: items.requiredInteger("Number of images that are loaded lazily."),
  }),
  openGraph: items.requiredObject("Open Graph tags.", {
    count: items.requiredInteger("Number of og: tags."),
    title: items.text("Title in og:title."),
    description: items.text("Description in og:description."),
    image: items.text("URL of the image in og:image."),
    type: items.text("Type in og:type, for example article."),
    url: items.text("URL in og:url."),
  }),
  twitter: items.requiredObject("Tags of the Twitter card.", {
    card: items.text("Kind of card, for example summary_large_image."),
    title: items.text("Title of the card."),
    image: items.text("URL of the card's image."),
  }),
  structuredData: items.requiredObject("Structured data and its types.", {
    types: items.texts("Types of the entities, for example Article."),
    formats: items.texts("Formats of the data, for example json-ld or microdata."),
    errors: items.texts("Errors in the JSON-LD."),
  }),
  resources: items.requiredObject("Scripts, styles and their sizes.", {
    scripts: items.requiredInteger("Number of script files."),
    stylesheets: items.requiredInteger("Number of style sheet files."),
    inlineScripts: items.requiredInteger("Number of scripts within the page."),
    inlineStyles: items.requiredInteger("Number of style elements within the page."),
    blockingScripts: items.requiredInteger("Number of scripts in the head without async or defer."),
  }),
  mixedContent: items.texts("URLs of resources that an https page loads over http."),
  issues: items.objects("Suggestions for improvement.", {
    code: items.requiredText("Code of the issue, for example missing_title."),
    severity: oneOf(severities, { description: "Severity of the issue." }),
    message: items.requiredText("Issue as a sentence."),
    value: nullable(
      Type.Union([Type.String(), Type.Number()], {
        description: "Value that causes the issue; null if the message is complete without it.",
      }),
    ),
  }),
})

export default defineScraper({
  slug: "seo-page-analyzer",
  name: "SEO Page Analyzer",
  tagline: "On-page SEO audit: titles, headings, links, images, schema, issues and a score.",
  notServed: ["keyword ranking", "backlinks"],
  category: "web",
  fetchMethods: ["http"],
  input: { urls: pageUrls(500) },
  item,
  example: { urls: ["https://www.mkdocs.org/"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      "items[0].indexable equals true",
      "items[0].score gte 20",
      "items[0].title share 1",
      "items[0].htmlBytes gte 2000",
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const { url, response } = await openPage(target, ctx)
    // A page that only scripts fill is an issue for the audit, not an error.
    requireWhole(response)
    const { document, url: finalUrl, headers, status, bytes, timing } = response
    const responseTimeMs = Math.round(timing.total)
    const delivery = { url: finalUrl, responseTimeMs, htmlBytes: bytes.length }
    const page = readSeoPage({ document, url: finalUrl, headers, status, html: response.text() })
    const issues = seoIssues(page, delivery)
    const { canonical, links } = page
    const { differ: _d, ...visibleCanonical } = canonical
    const { nofollowInternal: _i, ...visibleLinks } = links
    yield item.read({
      redirectCount: response.redirects.length,
      ...delivery,
      ...pageFacts({ url, response }),
      https: response.url.startsWith("https:"),
      score: seoScore(issues),
      ...page,
      canonical: visibleCanonical,
      links: visibleLinks,
      issues,
    })
  },
})
