import { integerOrNull, textOrNull, unseen } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import {
  categoriesField,
  dockerHub,
  dockerHubRateLimit,
  type HubPage,
  hubDetails,
  hubRepository,
  hubUrl,
} from "./docker-hub.ts"

const pageSize = 100
const descriptionLength = 2000

const result = record({
  name: required(field.text("name", "Name.")),
  fullName: required(
    field.text(
      "repo_name",
      "Full name in the form namespace/name; for official images only the name.",
    ),
  ),
  namespace: required(
    field.text("namespace", "User or organization; library for official images."),
  ),
  url: required(field.text("url", "URL of the repository.")),
  description: field.text("short_description", "One-line description of the repository."),
  stars: field.integer("star_count", "Number of stars."),
  pulls: field.integer("pull_count", "Total number of pulls."),
  isOfficial: field.boolean("is_official", "Whether it is an official image."),
  isAutomated: field.boolean(
    "is_automated",
    "Whether Docker Hub builds the image from its source.",
  ),
  owner: field.text("repo_owner", "Owner; Docker Hub seldom returns one."),
})

const details = record({
  ...hubDetails,
  categories: nullable(items.texts("Categories; null without details.")),
})
const noDetails = details.read({})

export default defineScraper({
  slug: "docker-hub-search-scraper",
  name: "Docker Hub Search",
  tagline: "Search Docker Hub for images by keywords, with pulls and stars.",
  category: "developer",
  input: {
    queries: inputs.texts("Search words of at least two letters, for example redis.", {
      max: 50,
      minLength: 2,
    }),
    maxPerQuery: inputs.count("Maximum results per search", { max: 1000, or: 25 }),
    includeDetails: inputs.flag(
      "Whether to include dates, categories and the long description; costs one more request per image.",
    ),
  },
  item: {
    query: items.requiredText("Search as written in the input."),
    position: items.requiredInteger("Position among the query's results, from 1."),
    totalCount: items.requiredInteger("Number of repositories that Docker Hub found."),
    ...result.fields,
    ...details.fields,
  },
  example: { queries: ["postgres"], maxPerQuery: 10 },
  probe: {
    expect: [
      "items.length equals 10",
      'items[*].name contains "postgres"',
      "items[0].totalCount gte 1000",
      "items[*].pulls share 0.8",
      "?items[*].isOfficial equals true",
    ],
  },
  rateLimit: dockerHubRateLimit,
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { maxPerQuery, includeDetails } = ctx.input
    const seen = new Set<string>()
    let position = 0
    for (let page = 1; position < maxPerQuery; page++) {
      const { rows, total, last } = await resultPage(query, page, maxPerQuery, ctx)
      if (page === 1 && rows.length === 0 && total > 0) {
        throw new Changed("Docker Hub's response counts repositories but lists none.")
      }
      // Results move between pages during the search.
      const results = await Array.fromAsync(readRows(rows, resultOf, ctx))
      const fresh = unseen(results, seen, ({ fullName }) => fullName)
      const stored = fresh.slice(0, maxPerQuery - position)
      const details = includeDetails
        ? await Promise.all(stored.map((row) => detailsOf(row, ctx)))
        : stored.map(() => noDetails)
      for (const [index, row] of stored.entries()) {
        yield { query, position: ++position, totalCount: total, ...row, ...details[index]! }
      }
      if (last || fresh.length === 0) return
    }
  },
})

async function resultPage(query: string, page: number, wanted: number, ctx: Context) {
  const parameters = new URLSearchParams({
    query: query.trim(),
    page_size: String(Math.min(pageSize, wanted)),
    page: String(page),
  })
  const response = await dockerHub<HubPage>(`/v2/search/repositories/?${parameters}`, ctx)
  const total = integerOrNull(response.count)
  const rows = response.results ?? []
  if (total === null || !Array.isArray(rows)) {
    throw new Changed("Docker Hub's response is not a list of search results.")
  }
  return { rows, total, last: rows.length === 0 || !response.next }
}

function resultOf(row: Row) {
  const fullName = textOrNull(row.repo_name)
  if (fullName === null) throw new Changed("Docker Hub's response has a result without a name.")
  const slash = fullName.indexOf("/")
  const namespace = slash < 0 ? "library" : fullName.slice(0, slash)
  const name = fullName.slice(slash + 1)
  return result.read({ ...row, name, namespace, url: hubUrl(namespace, name) })
}

async function detailsOf({ namespace, name }: { namespace: string; name: string }, ctx: Context) {
  const request = () => hubRepository(namespace, name, ctx)
  const repo = await orNull(ctx, `details of ${namespace}/${name}`, request)
  if (repo === null) return noDetails
  const known = details.read({ ...repo, categories: categoriesField.read(repo, "categories") })
  return {
    ...known,
    fullDescription: known.fullDescription?.slice(0, descriptionLength) ?? null,
  }
}
