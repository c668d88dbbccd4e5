import { textOf } from "../../extract/core/index.ts"
import { documentTitle, metaContent, readMeta } from "../../extract/page/index.ts"
import {
  type Category,
  detectTechnologies,
  type Technology,
} from "../../extract/technologies/index.ts"
import {
  Blocked,
  defineScraper,
  EmptyShell,
  errorItem,
  Forbidden,
  field,
  items,
  pageUrls,
  RateLimited,
  record,
  required,
  type ScrapeError,
  UnsupportedContent,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { onePageEach, openUrl, pageFacts, pageFields } from "./page/open.ts"
import { isHtml } from "./page/readable.ts"

/** Networks that deliver single files of libraries. They do not deliver the site itself. */
const fileNetworks = /^(?:jsDelivr|cdnjs|unpkg|jQuery CDN|Google Hosted Libraries)$/

/** Returns a source: the most certain technology of some categories. */
const surest =
  (...kinds: Category[]) =>
  ({ technologies }: { technologies: Technology[] }) => {
    const own = technologies.filter(
      ({ name, categories }) =>
        categories.some((category) => kinds.includes(category)) && !fileNetworks.test(name),
    )
    const [first] = own.toSorted(
      (a, b) =>
        b.confidence - a.confidence || Number(a.impliedBy !== null) - Number(b.impliedBy !== null),
    )
    return first?.name
  }

const stack = record({
  title: items.text("Title of the page."),
  technologies: items.objects("Technologies of the page, by category and name.", {
    name: items.requiredText("Name of the technology."),
    categories: items.texts("Categories of the technology."),
    version: items.text("Version; null if no sign contains it."),
    confidence: items.requiredInteger("Confidence from 0 to 100."),
    evidence: items.texts("Signs by which the technology was detected."),
    impliedBy: items.text("Technology that requires this one, if only that was detected."),
    website: items.requiredText("URL of the technology's home page."),
  }),
  categories: items.listsByName("Names of technologies by category."),
  technologyCount: required(field.integer("technologies.length", "Number of technologies.")),
  server: items.text("Value of the header `server`."),
  poweredBy: items.text("Value of the header `x-powered-by`."),
  generator: items.text("Value of the meta tag `generator`."),
  cdn: field.text(surest("CDN"), "Most certain content delivery network."),
  cms: field.text(surest("CMS"), "Most certain content management system."),
  ecommerce: field.text(surest("E-commerce"), "Most certain shop system."),
  framework: field.text(surest("JavaScript framework", "Web framework"), "Most certain framework."),
  analytics: field.texts("categories.Analytics", "Names of the analytics services."),
})

export default defineScraper({
  slug: "tech-stack-detector",
  name: "Tech Stack Detector",
  tagline: "Which CMS, shop, framework, analytics, CDN and server a site uses.",
  category: "web",
  fetchMethods: ["http"],
  input: { urls: pageUrls(1000, "Page URLs or domains") },
  item: { ...pageFields, ...stack.fields },
  example: { urls: ["https://www.mkdocs.org/"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].technologyCount gte 1",
      "items[0].statusCode equals 200",
    ],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const { url, response } = await openUrl(target, ctx, { identity: "browser", accept: refusals })
    if (response.status < 400 && !isHtml(response)) {
      const message = `The response is ${response.contentType}, not an HTML page.`
      throw new UnsupportedContent(message, { response })
    }
    const page = pageFacts({ url, response })
    const described = describe(response)
    const scrapeError = response.explainMissing("a page of its own")
    const failure = scrapeError instanceof Blocked ? scrapeError : refusal(response)
    if (failure) {
      // The bot protection itself is a technology: its signs are returned in addition to the error.
      yield errorItem(failure, { input: target, ...page, ...described })
      return
    }
    if (described.technologyCount === 0 && scrapeError instanceof EmptyShell) throw scrapeError
    yield { ...page, ...described }
  },
})

/** Statuses of responses that are read like pages: challenges, too, name the site's networks. */
const refusals = [403, 429, 503]

function refusal({ status, url }: UpstreamResponse): ScrapeError | null {
  const details = { url, statusCode: status }
  if (status === 403) return new Forbidden(`${url} refuses access (status 403).`, details)
  if (status === 429) return new RateLimited(`${url} limits requests (status 429).`, null, details)
  return status >= 400 ? new UpstreamError(`${url} failed (status ${status}).`, details) : null
}

function describe(response: UpstreamResponse) {
  const { document, headers, url } = response
  const technologies = detectTechnologies({ document, headers, url, html: response.text() })
  const byCategory: Record<string, string[]> = {}
  for (const { name, categories } of technologies) {
    for (const category of categories) {
      byCategory[category] ??= []
      byCategory[category].push(name)
    }
  }
  return stack.read({
    title: documentTitle(document) ?? textOf(document.querySelector("h1")),
    technologies,
    categories: byCategory,
    server: headers.get("server"),
    poweredBy: headers.get("x-powered-by"),
    generator: metaContent(readMeta(document), "generator"),
  })
}
