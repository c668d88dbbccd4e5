import { Type } from "@sinclair/typebox"
import { absoluteUrl, textOf } from "../../extract/html.ts"
import { parseCount } from "../../extract/numbers.ts"
import type { Answer } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, nullable, oneOf, textField } from "../fields.ts"
import { NotFound } from "../outcome.ts"

const item = itemObject({
  rank: Type.Integer({ description: "Place on the page, from 1." }),
  fullName: Type.String({ description: "owner/name." }),
  owner: Type.String({ description: "Login of the owner." }),
  name: Type.String({ description: "Name without the owner." }),
  url: Type.String({ description: "The repository's page." }),
  description: textField("One line on the repository."),
  language: textField("Main programming language."),
  languageColor: textField("Colour that GitHub shows for the language."),
  stars: Type.Integer({ description: "Stars in all." }),
  forks: integerField("Forks."),
  starsInPeriod: integerField("Stars of the period."),
  builtBy: Type.Array(
    itemObject({
      login: Type.String(),
      url: nullable(Type.String()),
      avatarUrl: nullable(Type.String()),
    }),
    { description: "The contributors that the page shows." },
  ),
  sponsorable: Type.Boolean({ description: "The owner takes sponsors." }),
  period: oneOf(["daily", "weekly", "monthly"], { description: "Period of the ranking." }),
  languageFilter: textField("Language that was asked for."),
  spokenLanguage: textField("Spoken language that was asked for."),
  date: Type.String({ description: "Day of the ranking (YYYY-MM-DD, UTC)." }),
})

interface Input {
  language?: string
  since?: "daily" | "weekly" | "monthly"
  spokenLanguage?: string
}

export default defineScraper({
  slug: "github-trending-scraper",
  name: "GitHub Trending",
  tagline: "Today's, this week's or this month's trending GitHub repositories.",
  category: "developer",
  tier: "free",
  input: inputObject({
    language: Type.Optional(
      Type.String({
        description:
          'Programming language as GitHub writes it in addresses: "c++", "jupyter-notebook".',
      }),
    ),
    since: Type.Optional(
      oneOf(["daily", "weekly", "monthly"], { default: "daily", description: "Period." }),
    ),
    spokenLanguage: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z]{2}$",
        description: "Spoken language of the repository, two letters (ISO 639-1).",
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        default: 25,
        minimum: 1,
        maximum: 25,
        description: "Most repositories; the page lists up to 25.",
      }),
    ),
  }),
  item,
  example: { language: "rust", since: "weekly" },
  pace: { "github.com": { perSecond: 1, concurrency: 1 } },
  targets: (input) => [trendingUrl(input)],
  maxItems: (input) => input.limit,
  identify: (url, input) => ({ input: input.language ?? null, url }),

  async *scrape(url, ctx) {
    const { since = "daily", language, spokenLanguage } = ctx.input
    const answer = await ctx.html(url, { headers: { "accept-language": "en-US,en;q=0.9" } })
    const rows = [...answer.document.querySelectorAll("article.Box-row")]
    requireLanguage(answer, ctx.input)
    if (rows.length === 0 && !answer.document.querySelector(".blankslate")) {
      throw answer.lacks("the list of trending repositories")
    }
    for (const [index, row] of rows.entries()) {
      yield {
        rank: index + 1,
        ...repositoryOf(row, answer),
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

function trendingUrl({ language, since = "daily", spokenLanguage }: Input): string {
  const slug = slugOf(language)
  const spoken = spokenLanguage ? `&spoken_language_code=${spokenLanguage.toLowerCase()}` : ""
  const path = slug ? `/${encodeURIComponent(slug)}` : ""
  return `https://github.com/trending${path}?since=${since}${spoken}`
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

function repositoryOf(row: Element, answer: Answer) {
  const path = row.querySelector("h2 a[href], h1 a[href]")?.getAttribute("href")?.slice(1)
  const [owner, name] = path?.split("/") ?? []
  const stars = parseCount(textOf(row.querySelector('a[href$="/stargazers"]')))
  if (!path || !owner || !name || stars === null)
    throw answer.lacks("a repository's name and stars")
  const forks = row.querySelector('a[href$="/forks"], a[href*="/network/members"]')
  const colour = row.querySelector(".repo-language-color")?.getAttribute("style")
  const gained = /([\d,]+) stars? (?:today|this week|this month)/.exec(textOf(row) ?? "")
  return {
    fullName: `${owner}/${name}`,
    owner,
    name,
    url: `https://github.com/${owner}/${name}`,
    description: textOf(row.querySelector("p.col-9")),
    language: textOf(row.querySelector('[itemprop="programmingLanguage"]')),
    languageColor: /background-color:\s*([^;]+)/.exec(colour ?? "")?.[1]?.trim() ?? null,
    stars,
    forks: parseCount(textOf(forks)),
    starsInPeriod: parseCount(gained?.[1]),
    builtBy: [...row.querySelectorAll('a[data-hovercard-type="user"] img[alt^="@"]')].map(
      (image) => ({
        login: image.getAttribute("alt")!.slice(1),
        url: absoluteUrl(image.closest("a")?.getAttribute("href"), answer.url),
        avatarUrl: absoluteUrl(image.getAttribute("src"), answer.url),
      }),
    ),
    sponsorable: row.querySelector(`a[href="/sponsors/${owner}"]`) !== null,
  }
}
