import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull, numberOrNull, round } from "../../extract/numbers.ts"
import { textList, textOrNull } from "../../extract/text.ts"
import { type Context, defineScraper, inputObject, itemObject, nullable, oneOf } from "../define.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"

const endpoint = "https://marketplace.visualstudio.com/_apis/public/gallery/extensionquery"
const pageSize = 100

const sorts = {
  relevance: 0,
  installs: 4,
  rating: 12,
  updated: 1,
  published: 10,
  trending: 8,
  name: 2,
} as const

/** What a filter's criterion looks at, in the gallery's numbers. */
const filterBy = { extensionName: 7, target: 8, searchText: 10, excludeWithFlags: 12 } as const

/** 2 files, 4 categories and tags, 16 properties, 32 validated ones, 128 and 256 addresses and
 * statistics, 512 the latest version alone. */
const flags = 2 + 4 + 16 + 32 + 128 + 256 + 512

const text = (description: string) => nullable(Type.String({ description }))
const count = (description: string) => nullable(Type.Integer({ description }))
const number = (description: string) => nullable(Type.Number({ description }))
const texts = (description: string) => Type.Array(Type.String(), { description })

const item = itemObject({
  input: Type.String({ description: "The entry of queries as it was given." }),
  query: Type.String({ description: "The same." }),
  position: Type.Integer({ description: "Place among the query's results, from 1." }),
  totalCount: count("How many extensions the marketplace found in all."),
  id: Type.String({ description: "publisher.name." }),
  extensionId: Type.String({ description: "The marketplace's own identifier (GUID)." }),
  url: Type.String({ description: "The extension's page." }),
  name: Type.String({ description: "Name within the publisher." }),
  displayName: text("Name as it is shown."),
  description: text("One line on the extension."),
  publisher: Type.String({ description: "Publisher's name." }),
  publisherDisplayName: text("Publisher's name as it is shown."),
  publisherDomain: text("Publisher's web site."),
  isVerified: nullable(Type.Boolean({ description: "The publisher proved to own that site." })),
  version: text("Newest version."),
  engine: text("Versions of the editor that it runs on."),
  isPreRelease: Type.Boolean({ description: "That version is a pre-release." }),
  isPreview: Type.Boolean({ description: "The extension is marked as a preview." }),
  isPublic: Type.Boolean({ description: "The extension is public." }),
  repository: text("Source repository."),
  issueTracker: text("Issue tracker."),
  homepage: text("Home page."),
  license: text("Address of the licence."),
  dependencies: texts("Extensions that it needs."),
  extensionPack: texts("Extensions that it installs along."),
  extensionKind: texts("Where it runs: ui, workspace, web."),
  iconUrl: text("Icon."),
  vsixUrl: text("Address of the package."),
  readmeUrl: text("Address of the README."),
  changelogUrl: text("Address of the change log."),
  categories: texts("Categories."),
  tags: texts("Tags, without the editor's own."),
  installs: count("Installs."),
  downloads: count("Downloads outside the editor."),
  updates: count("Updates."),
  rating: number("Mean rating, 0 to 5; null without ratings."),
  ratingCount: count("Number of ratings."),
  weightedRating: number("Rating weighted by the number of ratings."),
  trendingDaily: number("Growth over the last day."),
  trendingWeekly: number("Growth over the last week."),
  trendingMonthly: number("Growth over the last month."),
  lastUpdated: text("When it last changed (ISO 8601, UTC)."),
  publishedDate: text("When it was published."),
  releaseDate: text("When it was released."),
})

interface Version {
  version?: string
  files?: { assetType?: string; source?: string }[]
  properties?: { key?: string; value?: string }[]
}

interface Extension {
  publisher?: Record<string, unknown>
  extensionId?: string
  extensionName?: string
  displayName?: string
  shortDescription?: string
  flags?: string
  versions?: Version[]
  categories?: string[]
  tags?: string[]
  statistics?: { statisticName?: string; value?: number }[]
  lastUpdated?: string
  publishedDate?: string
  releaseDate?: string
}

interface GalleryAnswer {
  message?: string
  results?: {
    extensions?: Extension[]
    resultMetadata?: {
      metadataType?: string
      metadataItems?: { name?: string; count?: number }[]
    }[]
  }[]
}

interface Input {
  maxPerQuery?: number
  sortBy?: keyof typeof sorts
}

export default defineScraper({
  slug: "vscode-marketplace-scraper",
  name: "VS Code Marketplace",
  tagline:
    "Visual Studio Code extensions by search words or exact id: installs, ratings, versions, publisher.",
  category: "developer",
  tier: "free",
  input: inputObject({
    queries: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 50,
      description: "Words to search for, exact ids (publisher.name), or marketplace addresses.",
    }),
    maxPerQuery: Type.Optional(
      Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 500,
        description: "Most extensions of each search.",
      }),
    ),
    sortBy: Type.Optional(
      oneOf(["relevance", "installs", "rating", "updated", "published", "trending", "name"], {
        default: "relevance",
        description: "Order of a search, the most or newest first.",
      }),
    ),
  }),
  item,
  example: { queries: ["rust-lang.rust-analyzer", "markdown"], maxPerQuery: 10 },
  pace: { "marketplace.visualstudio.com": { perSecond: 4, concurrency: 2 } },
  targets: (input) => input.queries,

  async *scrape(input, ctx) {
    const id = extensionId(input)
    const seen = new Set<string>()
    const { maxPerQuery = 20 } = ctx.input
    for (let page = 1; ; page++) {
      const { extensions, total } = await resultPage(id, input.trim(), page, ctx)
      if (id && extensions.length === 0) throw new NotFound(`Extension not found: ${id}`)
      if (seen.size === 0 && extensions.length === 0 && total) {
        throw new Changed("The marketplace found extensions, but lists none.")
      }
      const fresh = extensions.filter((extension) => !seen.has(String(extension.extensionId)))
      for (const extension of fresh) {
        seen.add(String(extension.extensionId))
        const position = seen.size
        yield { input, query: input, position, totalCount: total, ...extensionItem(extension) }
        if (seen.size >= maxPerQuery) return
      }
      if (id || fresh.length === 0 || (total !== null && seen.size >= total)) return
    }
  },
})

/** The exact id in an entry: `publisher.name`, or the address that holds it; null for words. */
function extensionId(input: string): string | null {
  const entry = input.trim()
  if (!/^https?:/i.test(entry)) return /^[\w-]+\.[\w.-]+$/.test(entry) ? entry : null
  const id = URL.canParse(entry) ? new URL(entry).searchParams.get("itemName") : null
  if (!id) throw new BadInput(`"${input}" is not the address of an extension.`)
  return id
}

async function resultPage(id: string | null, words: string, page: number, ctx: Context<Input>) {
  const { maxPerQuery = 20, sortBy = "relevance" } = ctx.input
  const answer = await ctx.post(endpoint, {
    headers: { accept: "application/json;api-version=3.0-preview.1" },
    json: {
      filters: [
        {
          criteria: [
            { filterType: filterBy.target, value: "Microsoft.VisualStudio.Code" },
            id
              ? { filterType: filterBy.extensionName, value: id }
              : { filterType: filterBy.searchText, value: words },
            { filterType: filterBy.excludeWithFlags, value: "4096" },
          ],
          pageNumber: page,
          pageSize: Math.min(pageSize, maxPerQuery),
          sortBy: sorts[sortBy],
          sortOrder: 0,
        },
      ],
      assetTypes: [],
      flags,
    },
    accept: [400],
  })
  const body = answer.json<GalleryAnswer>()
  if (answer.status === 400) {
    throw new BadInput(`The marketplace does not accept this: ${body.message ?? "status 400"}`, {
      statusCode: 400,
    })
  }
  const result = body.results?.[0]
  if (!Array.isArray(result?.extensions)) {
    throw new Changed("The marketplace's answer is no list of extensions.", { url: answer.url })
  }
  const total = (result.resultMetadata ?? [])
    .find((one) => one.metadataType === "ResultCount")
    ?.metadataItems?.find((one) => one.name === "TotalCount")?.count
  return { extensions: result.extensions, total: integerOrNull(total) }
}

function extensionItem(extension: Extension) {
  const { extensionId, extensionName: name } = extension
  const publisher = textOrNull(extension.publisher?.publisherName)
  if (typeof extensionId !== "string" || typeof name !== "string" || publisher === null) {
    throw new Changed("The marketplace lists something that is no extension.")
  }
  const id = `${publisher}.${name}`
  return {
    id,
    extensionId,
    url: `https://marketplace.visualstudio.com/items?itemName=${id}`,
    name,
    displayName: textOrNull(extension.displayName),
    description: textOrNull(extension.shortDescription),
    publisher,
    publisherDisplayName: textOrNull(extension.publisher?.displayName),
    publisherDomain: textOrNull(extension.publisher?.domain),
    isVerified: booleanOrNull(extension.publisher?.isDomainVerified),
    isPreview: /\bpreview\b/.test(String(extension.flags)),
    isPublic: /\bpublic\b/.test(String(extension.flags)),
    ...versionFields(extension.versions?.[0]),
    categories: textList(extension.categories),
    // Tags with two underscores are the editor's: file types, web extensions.
    tags: textList(extension.tags).filter((tag) => !tag.startsWith("__")),
    ...statisticFields(extension),
    lastUpdated: isoDate(extension.lastUpdated),
    publishedDate: isoDate(extension.publishedDate),
    releaseDate: isoDate(extension.releaseDate),
  }
}

function versionFields(version: Version | undefined) {
  const properties = new Map((version?.properties ?? []).map(({ key, value }) => [key, value]))
  const code = (key: string) => textOrNull(properties.get(`Microsoft.VisualStudio.Code.${key}`))
  const link = (key: string) => {
    const written = textOrNull(properties.get(`Microsoft.VisualStudio.Services.Links.${key}`))
    return written?.replace(/^git\+/, "") ?? null
  }
  const list = (key: string) =>
    code(key)
      ?.split(",")
      .map((one) => one.trim()) ?? []
  const files = new Map((version?.files ?? []).map((file) => [file.assetType, file.source]))
  const file = (type: string) => textOrNull(files.get(`Microsoft.VisualStudio.Services.${type}`))
  return {
    version: textOrNull(version?.version),
    engine: code("Engine"),
    isPreRelease: code("PreRelease") === "true",
    repository: link("Source") ?? link("GitHub"),
    issueTracker: link("Support"),
    homepage: link("Learn"),
    license: link("License"),
    dependencies: list("ExtensionDependencies"),
    extensionPack: list("ExtensionPack"),
    extensionKind: list("ExtensionKind"),
    iconUrl: file("Icons.Default") ?? file("Icons.Small"),
    vsixUrl: file("VSIXPackage"),
    readmeUrl: file("Content.Details"),
    changelogUrl: file("Content.Changelog"),
  }
}

function statisticFields(extension: Extension) {
  const values = new Map(
    (extension.statistics ?? []).map(({ statisticName, value }) => [statisticName, value]),
  )
  const rounded = (name: string) => {
    const value = numberOrNull(values.get(name))
    return value === null ? null : round(value)
  }
  return {
    installs: integerOrNull(values.get("install")),
    downloads: integerOrNull(values.get("downloadCount")),
    updates: integerOrNull(values.get("updateCount")),
    rating: rounded("averagerating"),
    ratingCount: integerOrNull(values.get("ratingcount")),
    weightedRating: rounded("weightedRating"),
    trendingDaily: numberOrNull(values.get("trendingdaily")),
    trendingWeekly: numberOrNull(values.get("trendingweekly")),
    trendingMonthly: numberOrNull(values.get("trendingmonthly")),
  }
}
