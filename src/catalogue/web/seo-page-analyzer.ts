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
  redirectCount: count("Redirects before the page."),
  responseTimeMs: count("Time until the whole page was there."),
  htmlBytes: count("Size of the HTML after unpacking."),
  https: Type.Boolean({ description: "The page is served with encryption." }),
  score: Type.Integer({
    minimum: 0,
    maximum: 100,
    description: "100 less 15 for each error, 6 for each warning, 2 for each notice.",
  }),
  title: itemObject(
    {
      text: plain,
      length: count("Characters."),
      pixelWidth: count("About the width in Arial of 20 pixels."),
    },
    { description: "The title, its length and its faults." },
  ),
  metaDescription: itemObject(
    { text: plain, length: count("Characters.") },
    { description: "The meta description, its length and its faults." },
  ),
  canonical: itemObject(
    {
      url: plain,
      selfReferencing: booleanField("Whether it is the page's own URL."),
      count: count("Number of times that it is named, including in the Link header."),
    },
    { description: "Canonical URL." },
  ),
  robots: textField("Meta robots and googlebot."),
  xRobotsTag: textField("The header x-robots-tag."),
  indexable: Type.Boolean({ description: "Whether the page may be indexed under its URL." }),
  language: textField("Language that the page states."),
  charset: textField("Encoding that header or page state."),
  viewport: textField("Meta viewport."),
  favicon: textField("The page's icon."),
  amphtml: textField("Its AMP version."),
  hreflang: Type.Array(itemObject({ hreflang: Type.String(), url: Type.String() }), {
    description: "The page in other languages.",
  }),
  headings: itemObject(
    {
      h1: texts,
      h2: texts,
      h3: texts,
      h4: texts,
      h5: texts,
      h6: texts,
      order: Type.Array(Type.Integer(), { description: "Levels in document order." }),
    },
    { description: "Headings by level." },
  ),
  content: itemObject(
    {
      wordCount: count(),
      textToHtmlRatio: Type.Number(),
      readability: numberField("Flesch reading ease; only for English."),
    },
    { description: "Words, ratio of text to code, and the like." },
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
      emptyAnchor: count("Links without text."),
      unique: count("Number of distinct URLs."),
    },
    { description: "Links by kind." },
  ),
  images: itemObject(
    {
      total: count(),
      missingAlt: count(),
      emptyAlt: count(),
      missingSize: count("Without width or height."),
      lazy: count("Loaded later."),
    },
    { description: "Images, and those without a text." },
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
    { description: "Twitter card." },
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
      blockingScripts: count("Scripts in the head without async or defer."),
    },
    { description: "Scripts, styles and their sizes." },
  ),
  mixedContent: textsField("Resources that a secure page loads without encryption."),
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
    // A page that only scripts fill is a finding of the audit.
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
