import { Type } from "@sinclair/typebox"
import { integerOrNull, objectList } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  provided,
  type Row,
  readRows,
  record,
  UpstreamError,
} from "../kit/index.ts"
import { github, githubScraper, nextPage } from "./github.ts"
import { repositoryFields } from "./repository.ts"

/** GitHub returns the first 1,000 results of a search, 100 per page. */
const pageSize = 100
const maxPages = 10

const sorts = {
  "best-match": undefined,
  stars: "stars",
  forks: "forks",
  updated: "updated",
  "help-wanted": "help-wanted-issues",
} as const

const result = record({
  query: items.requiredText("Search as written in the input."),
  position: items.requiredInteger("Position among the results, from 1."),
  totalCount: items.requiredInteger("Number of repositories that GitHub found."),
  searchScore: field.number("score", "GitHub's relevance score; 1 for all results since 2020."),
  ...repositoryFields,
})

const input = {
  query: inputs.text(
    "Search words, with GitHub qualifiers if needed, for example topic:cli or user:denoland.",
    { maxLength: 256 },
  ),
  language: inputs.optionalText("Programming language, for example rust."),
  minStars: provided(
    Type.Integer({ minimum: 0, description: "Minimum stars (default 0, no minimum)." }),
    0,
  ),
  sort: inputs.choice(sorts, "Sort order, highest or newest first.", "best-match"),
  maxItems: inputs.count("Maximum results", { max: 1000, or: 100 }),
}

export default defineScraper({
  slug: "github-repo-search-scraper",
  name: "GitHub Repository Search",
  tagline: "Search GitHub repositories by keywords, language and stars.",
  notServed: ["search in code"],
  ...githubScraper,
  input,
  item: result,
  example: { query: "topic:cli", language: "Go", minStars: 1000, maxItems: 20 },
  probe: {
    input: { query: "topic:cli", language: "Go", minStars: 1000, maxItems: 5 },
    expect: [
      "items.length equals 5",
      "items[*].stars gte 1000",
      "items[*].language share 1",
      "items[0].totalCount gte 50",
      'items[*].url matches "^https://github.com/"',
    ],
  },
  pages: { rows: 100 },
  targets: (input) => [input.query],
  maxItems: (input) => input.maxItems,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxItems } = ctx.input
    const seen = new Set<unknown>()
    let url = searchUrl(ctx.input, 1)
    for (let page = 1; ; page++) {
      const { repositories, total, response } = await resultPage(url, ctx)
      const fresh = repositories.filter((repo) => !seen.has(repo.id))
      const read = (repo: Row) => {
        const position = seen.size + 1
        const item = result.read({ ...repo, query, position, totalCount: total })
        seen.add(repo.id)
        return item
      }
      for await (const item of readRows(fresh, read, ctx)) {
        yield item
        if (seen.size >= maxItems) return
      }
      if (seen.size === 0 && total > 0) throw response.explainMissing("search results")
      if (fresh.length === 0 || seen.size >= total || page >= maxPages) return
      url = nextPage(response) ?? searchUrl(ctx.input, page + 1)
    }
  },
})

function searchUrl(wanted: InputOf<typeof input>, page: number): string {
  const words = [wanted.query.trim()]
  const language = wanted.language?.trim()
  if (language) words.push(`language:${/\s/.test(language) ? `"${language}"` : language}`)
  if (wanted.minStars) words.push(`stars:>=${wanted.minStars}`)
  const query = new URLSearchParams({ q: words.join(" ") })
  const sort = sorts[wanted.sort]
  if (sort) {
    query.set("sort", sort)
    query.set("order", "desc")
  }
  query.set("per_page", String(pageSize))
  query.set("page", String(page))
  return `/search/repositories?${query}`
}

/** Returns one page. Requests it again once if GitHub's search timed out. */
async function resultPage(url: string, ctx: Context) {
  for (let attempt = 0; ; attempt++) {
    const response = await github(url, ctx)
    const { total_count, items, incomplete_results: isPart } = response.json<Row>()
    const total = integerOrNull(total_count)
    if (total === null || !Array.isArray(items)) {
      throw new Changed("GitHub's response is not a list of search results.", { url: response.url })
    }
    if (isPart && attempt === 0) continue
    if (isPart) {
      const message = "GitHub's search timed out; its results are incomplete."
      if (items.length === 0) throw new UpstreamError(message, { url: response.url })
      ctx.log(message, "warning")
    }
    return { repositories: objectList<Row>(items), total, response }
  }
}
