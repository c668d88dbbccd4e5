import { absoluteUrl, plainText } from "../../extract/core/index.ts"
import {
  css,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  oneOf,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const site = "https://github.com"
const periods = ["daily", "weekly", "monthly"] as const
const languageWords =
  "Programming language, as written in GitHub URLs, for example c++ or jupyter-notebook."
const twoLetters = "^[A-Za-z]{2}$"
const spokenWords =
  "Two-letter code of the repository's spoken language (ISO 639-1), for example en."

const contributorsOf = (row: Element) => [
  ...row.querySelectorAll('a[data-hovercard-type="user"] img[alt^="@"]'),
]
const slugOf = (language = "") => language.trim().toLowerCase().replace(/\s+/g, "-")

const repository = record({
  description: field.text(css("p.col-9"), "One-line description of the repository."),
  language: field.text(css('[itemprop="programmingLanguage"]'), "Main programming language."),
  languageColor: field.text((row: Element) => {
    const style = css(".repo-language-color", "style")(row) ?? ""
    return /background-color:\s*([^;]+)/.exec(style)?.[1]?.trim()
  }, "Color that GitHub uses for the language (hex)."),
  stars: required(field.count(css('a[href$="/stargazers"]'), "Total number of stars.")),
  forks: field.count(css('a[href$="/forks"], a[href*="/network/members"]'), "Number of forks."),
  starsInPeriod: field.count((row: Element) => {
    const gained = /(?<![\d,])([\d,]+) stars? (?:today|this week|this month)/
    return gained.exec(plainText(row) ?? "")?.[1]
  }, "Number of stars gained in the period."),
  builtBy: field.objects(contributorsOf, "Contributors that the page lists.", {
    login: required(
      field.text(
        (image: Element) => image.getAttribute("alt")?.slice(1),
        "Login of the contributor.",
      ),
    ),
    url: field.text(
      (image) => absoluteUrl(image.closest("a")?.getAttribute("href"), site),
      "URL of the contributor's profile.",
    ),
    avatarUrl: field.text(
      (image) => absoluteUrl(image.getAttribute("src"), site),
      "URL of the contributor's image.",
    ),
  }),
})

export default defineScraper({
  slug: "github-trending-scraper",
  name: "GitHub Trending",
  tagline: "Today's, this week's or this month's trending GitHub repositories.",
  category: "developer",
  input: {
    language: inputs.optionalText(languageWords),
    since: inputs.choice(periods, "Period of the ranking.", "daily"),
    spokenLanguage: inputs.optionalText(spokenWords, { pattern: twoLetters }),
    limit: inputs.count("Maximum repositories; the page lists up to 25", { max: 25, or: 25 }),
  },
  item: {
    position: items.requiredInteger("Position on the page, from 1."),
    fullName: items.requiredText("owner/name."),
    owner: items.requiredText("Login of the owner."),
    name: items.requiredText("Name without the owner."),
    url: items.requiredText("URL of the repository."),
    ...repository.fields,
    sponsorable: items.requiredBoolean("Whether the owner accepts sponsors."),
    period: oneOf(periods, { description: "Period of the ranking." }),
    languageFilter: items.text("Requested language."),
    spokenLanguage: items.text("Requested spoken language."),
    date: items.requiredText("Day of the ranking (YYYY-MM-DD, UTC)."),
  },
  example: { language: "rust", since: "weekly" },
  probe: {
    input: { since: "weekly" },
    expect: [
      "items.length gte 8",
      "items[*].stars gte 1",
      "items[*].starsInPeriod share 0.9",
      "items[*].fullName share 1",
      "?items[*].builtBy share 0.8",
    ],
  },
  rateLimit: { "github.com": { perSecond: 1, concurrency: 1 } },
  pages: { ofTarget: 1 },
  targets: ({ language, since, spokenLanguage: spoken }) => {
    const slug = slugOf(language)
    const path = slug ? `/${encodeURIComponent(slug)}` : ""
    const query = spoken ? `&spoken_language_code=${spoken.toLowerCase()}` : ""
    return [`${site}/trending${path}?since=${since}${query}`]
  },
  maxItems: (input) => input.limit,
  identify: (url, input) => ({ input: input.language ?? null, url }),

  async *scrape(url, ctx) {
    const { since, language, spokenLanguage } = ctx.input
    const slug = slugOf(language)
    const list = { has: "article.Box-row, .blankslate", what: "the list of trending repositories" }
    const headers = { "accept-language": "en-US,en;q=0.9" }
    const response = await ctx.page(url, { ...list, headers })
    // For an unsupported language GitHub may return the page of all languages.
    if (slug && isOfAll(response.document)) {
      throw new NotFound(`GitHub has no trending page for the language "${slug}".`, { response })
    }
    if (!response.document.querySelector(list.has)) throw response.explainMissing(list.what)
    const rows = response.document.querySelectorAll("article.Box-row")
    const repositoryOf = ([index, row]: [number, Element]) => {
      const link = URL.parse(css("h2 a[href], h1 a[href]", "href")(row) ?? "", site)
      const [owner, name] = link?.pathname.slice(1).split("/") ?? []
      if (!owner || !name) throw response.explainMissing("a repository's name")
      return {
        position: index + 1,
        fullName: `${owner}/${name}`,
        owner,
        name,
        url: `${site}/${owner}/${name}`,
        ...repository.read(row),
        sponsorable: row.querySelector(`a[href$="/sponsors/${owner}"]`) !== null,
        period: since,
        languageFilter: slug || null,
        spokenLanguage: spokenLanguage?.toLowerCase() ?? null,
        date: ctx.now().toISOString().slice(0, 10),
      }
    }
    yield* readRows([...rows].entries(), repositoryOf, ctx)
  },
})

function isOfAll(page: Document): boolean {
  const reported = css('link[rel="canonical"]', "href")(page) ?? page.title
  return /\/trending\/?(?:\?.*)?$|^\s*trending\s+repositories\b/i.test(reported)
}
