import { type Static, Type } from "@sinclair/typebox"
import { absoluteUrl, textOf } from "../../extract/core/index.ts"
import {
  type Answer,
  css,
  defineScraper,
  field,
  inputObject,
  inputs,
  itemObject,
  NotFound,
  oneOf,
  record,
  required,
  textField,
} from "../kit/index.ts"

const site = "https://github.com"
const periods = ["daily", "weekly", "monthly"] as const

const input = inputObject({
  language: Type.Optional(
    Type.String({
      description:
        'Programming language as GitHub writes it in addresses: "c++", "jupyter-notebook".',
    }),
  ),
  since: inputs.choice(periods, "Period.", "daily"),
  spokenLanguage: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description: "Spoken language of the repository, two letters (ISO 639-1).",
    }),
  ),
  limit: inputs.count("Most repositories; the page lists up to 25.", { max: 25, or: 25 }),
})
type Input = Static<typeof input>

const repository = record({
  description: field.text(css("p.col-9"), "One line on the repository."),
  language: field.text(css('[itemprop="programmingLanguage"]'), "Main programming language."),
  languageColor: field.text(languageColor, "Colour that GitHub shows for the language."),
  stars: required(field.count(css('a[href$="/stargazers"]'), "Stars in all.")),
  forks: field.count(css('a[href$="/forks"], a[href*="/network/members"]'), "Forks."),
  starsInPeriod: field.count(starsGained, "Stars of the period."),
  builtBy: field.objects(contributors, "The contributors that the page shows.", {
    login: required(field.text("login")),
    url: field.text("url"),
    avatarUrl: field.text("avatarUrl"),
  }),
})

export default defineScraper({
  slug: "github-trending-scraper",
  name: "GitHub Trending",
  tagline: "Today's, this week's or this month's trending GitHub repositories.",
  category: "developer",
  tier: "free",
  input,
  item: itemObject({
    rank: Type.Integer({ description: "Place on the page, from 1." }),
    fullName: Type.String({ description: "owner/name." }),
    owner: Type.String({ description: "Login of the owner." }),
    name: Type.String({ description: "Name without the owner." }),
    url: Type.String({ description: "The repository's page." }),
    ...repository.fields,
    sponsorable: Type.Boolean({ description: "The owner takes sponsors." }),
    period: oneOf(periods, { description: "Period of the ranking." }),
    languageFilter: textField("Language that was asked for."),
    spokenLanguage: textField("Spoken language that was asked for."),
    date: Type.String({ description: "Day of the ranking (YYYY-MM-DD, UTC)." }),
  }),
  example: { language: "rust", since: "weekly" },
  pace: { "github.com": { perSecond: 1, concurrency: 1 } },
  targets: (input) => [trendingUrl(input)],
  maxItems: (input) => input.limit,
  identify: (url, input) => ({ input: input.language ?? null, url }),

  async *scrape(url, ctx) {
    const { since, language, spokenLanguage } = ctx.input
    const answer = await ctx.html(url, { headers: { "accept-language": "en-US,en;q=0.9" } })
    const rows = [...answer.document.querySelectorAll("article.Box-row")]
    requireLanguage(answer, ctx.input)
    if (rows.length === 0 && !answer.document.querySelector(".blankslate")) {
      throw answer.lacks("the list of trending repositories")
    }
    for (const [index, row] of rows.entries()) {
      const [owner, name] = css("h2 a[href], h1 a[href]", "href")(row)?.slice(1).split("/") ?? []
      if (!owner || !name) throw answer.lacks("a repository's name")
      yield {
        rank: index + 1,
        fullName: `${owner}/${name}`,
        owner,
        name,
        url: `${site}/${owner}/${name}`,
        ...repository.read(row),
        sponsorable: row.querySelector(`a[href="/sponsors/${owner}"]`) !== null,
        period: since,
        languageFilter: slugOf(language) || null,
        spokenLanguage: spokenLanguage?.toLowerCase() ?? null,
        date: ctx.now().toISOString().slice(0, 10),
      }
    }
  },
})

function slugOf(language = ""): string {
  return language.trim().toLowerCase().replace(/\s+/g, "-")
}

function trendingUrl({ language, since, spokenLanguage }: Input): string {
  const slug = slugOf(language)
  const spoken = spokenLanguage ? `&spoken_language_code=${spokenLanguage.toLowerCase()}` : ""
  const path = slug ? `/${encodeURIComponent(slug)}` : ""
  return `${site}/trending${path}?since=${since}${spoken}`
}

/** For a language that it does not know GitHub may show the page of all languages. */
function requireLanguage(answer: Answer, input: Input): void {
  const slug = slugOf(input.language)
  const canonical = answer.document.querySelector('link[rel="canonical"]')?.getAttribute("href")
  const isOfAll = canonical
    ? /\/trending\/?(?:\?.*)?$/.test(canonical)
    : /^\s*trending\s+repositories\b/i.test(answer.document.title)
  if (slug && isOfAll) {
    throw new NotFound(`GitHub has no trending page for the language "${slug}".`, {
      url: answer.url,
      statusCode: answer.status,
    })
  }
}

function languageColor(row: Element): string | undefined {
  const style = row.querySelector(".repo-language-color")?.getAttribute("style")
  return /background-color:\s*([^;]+)/.exec(style ?? "")?.[1]?.trim()
}

function starsGained(row: Element): string | undefined {
  return /([\d,]+) stars? (?:today|this week|this month)/.exec(textOf(row) ?? "")?.[1]
}

function contributors(row: Element) {
  return [...row.querySelectorAll('a[data-hovercard-type="user"] img[alt^="@"]')].map((image) => ({
    login: image.getAttribute("alt")?.slice(1),
    url: absoluteUrl(image.closest("a")?.getAttribute("href"), site),
    avatarUrl: absoluteUrl(image.getAttribute("src"), site),
  }))
}
