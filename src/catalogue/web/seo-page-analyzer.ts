import { Type } from "@sinclair/typebox"
import { readSeoPage, seoIssues, seoScore, severities } from "../../extract/seo/index.ts"
import {
  booleanField,
  defineScraper,
  identifyPage,
  inputObject,
  itemObject,
  nullable,
  numberField,
  oneOf,
  openPage,
  pageAddresses,
  pageFields,
  requireWhole,
  textField,
  textsField,
} from "../kit/index.ts"

const count = (description?: string) => Type.Integer(description ? { description } : {})
const plain = nullable(Type.String())
const texts = Type.Array(Type.String())

const item = itemObject({
  ...pageFields,
  redirectCount: count("Number of redirects before the page."),
  responseTimeMs: count("Milliseconds until the whole page was received."),
  htmlBytes: count("Bytes of the HTML after decompression."),
  https: Type.Boolean({ description: "Whether the page uses https." }),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description:
      "Score: 100 minus 15 for each error, 6 for each warning and 2 for each notice; at least 0.",
  }),
  title: itemObject(
    {
      text: plain,
      length: count("Number of characters."),
      pixelWidth: count("Approximate width in pixels in Arial at 20 pixels."),
    },
    { description: "Title, its length and its issues." },
  ),
  metaDescription: itemObject(
    { text: plain, length: count("Number of characters.") },
    { description: "Meta description, its length and its issues." },
  ),
  canonical: itemObject(
    {
      url: plain,
      selfReferencing: booleanField("Whether the canonical URL is the page's own URL."),
      count: count("Number of canonical URLs, including those in the Link header."),
    },
    { description: "Canonical URL of the page." },
  ),
  robots: textField("Directives of the meta tags robots and googlebot."),
  xRobotsTag: textField("Value of the header x-robots-tag."),
  indexable: Type.Boolean({ description: "Whether the page may be indexed under its URL." }),
  language: textField("Declared language of the page."),
  charset: textField("Encoding declared in the header or page."),
  viewport: textField("Content of the viewport meta tag."),
  favicon: textField("URL of the page's icon."),
  amphtml: textField("URL of the AMP version."),
  hreflang: Type.Array(itemObject({ hreflang: Type.String(), url: Type.String() }), {
    description: "Versions of the page in other languages.",
  }),
  headings: itemObject(
    {
      h1: texts,
      h2: texts,
      h3: texts,
      h4: texts,
      h5: texts,
      h6: texts,
      order: Type.Array(Type.Integer(), {
        description: "Levels of the headings in document order.",
      }),
    },
    { description: "Headings by level." },
  ),
  content: itemObject(
    {
      wordCount: count(),
      textToHtmlRatio: Type.Number(),
      readability: numberField("Flesch reading ease; only for English."),
    },
    { description: "Number of words, ratio of text to code, and readability." },
  ),
  keywords: Type.Array(
    itemObject({
      term: Type.String(),
      count: count(),
      density: Type.Number({ description: "Percent of all words." }),
    }),
    { description: "Most frequent words and pairs of words." },
  ),
  links: itemObject(
    {
      internal: count(),
      external: count(),
      nofollow: count(),
      emptyAnchor: count("Number of links without text."),
      unique: count("Number of distinct URLs."),
    },
    { description: "Number of links by kind." },
  ),
  images: itemObject(
    {
      total: count(),
      missingAlt: count(),
      emptyAlt: count(),
      missingSize: count("Number of images without width or height."),
      lazy: count("Number of images that are loaded lazily."),
    },
    { description: "Number of images, and of those without an alternative text." },
  ),
  openGraph: itemObject(
    {
      count: count("Number of og: tags."),
      title: plain,
      description: plain,
      image: plain,
      type: plain,
      url: plain,
    },
    { description: "Open Graph tags." },
  ),
  twitter: itemObject(
    { card: plain, title: plain, image: plain },
    { description: "Tags of the Twitter card." },
  ),
  structuredData: itemObject(
    { types: texts, formats: texts, errors: texts },
    { description: "Structured data and its types." },
  ),
  resources: itemObject(
    {
      scripts: count(),
      stylesheets: count(),
      inlineScripts: count(),
      inlineStyles: count(),
      blockingScripts: count("Number of scripts in the head without async or defer."),
    },
    { description: "Scripts, styles and their sizes." },
  ),
  mixedContent: textsField("URLs of resources that an https page loads over http."),
  issues: Type.Array(
    itemObject({
      code: Type.String(),
      severity: oneOf(severities),
      message: Type.String(),
      value: nullable(Type.Union([Type.String(), Type.Number()])),
    }),
    { description: "Suggestions for improvement." },
  ),
})

export default defineScraper({
  slug: "seo-page-analyzer",
  name: "SEO Page Analyzer",
  tagline: "On-page SEO audit: titles, headings, links, images, schema, issues and a score.",
  serves: [
    "SEO audit of a page",
    "what is wrong with my page for search engines",
    "check headings, titles and alt texts",
    "search engine optimisation score",
    "how can I rank better",
    "on-page problems of a landing page",
    "headings, keywords and image alt texts of a page",
    "score my website",
    "check a page for search engine problems",
    "how good is the SEO of a page or blog",
  ],
  notServed: ["keyword ranking", "backlinks"],
  category: "web",
  tier: "free",
  fetchMethods: ["http"],
  input: inputObject({ urls: pageAddresses(500) }),
  item,
  example: { urls: ["https://www.mkdocs.org/"] },
  probe: {
    input: { urls: ["https://www.mkdocs.org/"] },
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      "items[0].indexable equals true",
      "items[0].score gte 20",
      "items[0].title share 1",
      "items[0].htmlBytes gte 2000",
    ],
  },
  targets: (input) => input.urls,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const { url, response } = await openPage(target, ctx)
    // A page that only scripts fill is an issue for the audit, not an error.
    requireWhole(response)
    const delivery = {
      url: response.url,
      responseTimeMs: Math.round(response.timing.total),
      htmlBytes: response.bytes.length,
    }
    const page = readSeoPage({
      document: response.document,
      url: response.url,
      headers: response.headers,
      status: response.status,
      html: response.text(),
    })
    const issues = seoIssues(page, delivery)
    const { titleTags: _t, noindex: _n, emptyRoot: _e, canonical, links, ...visible } = page
    const { differ: _d, ...visibleCanonical } = canonical
    const { nofollowInternal: _i, ...visibleLinks } = links
    yield {
      finalUrl: response.url,
      statusCode: response.status,
      redirectCount: response.redirects.length,
      ...delivery,
      url,
      https: response.url.startsWith("https:"),
      score: seoScore(issues),
      ...visible,
      canonical: visibleCanonical,
      links: visibleLinks,
      issues,
    }
  },
})
