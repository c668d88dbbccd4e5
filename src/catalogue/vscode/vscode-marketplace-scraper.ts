import { integerOrNull, objectList, round, textList, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const endpoint = "https://marketplace.visualstudio.com/_apis/public/gallery/extensionquery"
/** The gallery truncates larger pages. */
const maxPage = 100

/** Sort orders of a search, by the gallery's numbers. */
const sorts = {
  relevance: 0,
  installs: 4,
  rating: 12,
  updated: 1,
  published: 10,
  trending: 8,
  name: 2,
} as const

/** Fields that a filter's criterion matches, by the gallery's numbers. */
const filterBy = { extensionName: 7, target: 8, searchText: 10, excludeWithFlags: 12 } as const

/**
 * 2 files, 4 categories and tags, 16 properties, 32 validated versions, 128 and 256 URLs and
 * statistics, 512 only the latest version.
 */
const flags = 2 + 4 + 16 + 32 + 128 + 256 + 512

interface Query {
  /** `publisher.name` for an exact lookup; null to search for the words. */
  id: string | null
  words: string
  page: number
  pageSize: number
  sortBy: keyof typeof sorts
}

/** Returns one page of results and the total number of results. @throws BadInput, Changed */
async function queryGallery(query: Query, ctx: Context) {
  const { id, words, page, pageSize, sortBy } = query
  const response = await ctx.post(endpoint, {
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
          pageSize,
          sortBy: sorts[sortBy],
          sortOrder: 0,
        },
      ],
      assetTypes: [],
      flags,
    },
    accept: [400],
  })
  const body = response.json<Row>()
  const { url, status } = response
  if (status === 400) {
    const reason = body.message ?? "status 400"
    throw new BadInput(`The marketplace rejects the request: ${reason}`, { statusCode: 400 })
  }
  const result = at<Row>(body, "results", 0)
  if (!Array.isArray(result?.extensions))
    throw new Changed("The marketplace's response is not a list of extensions.", { url })
  const counts = objectList(result.resultMetadata as Row[]).find(
    ({ metadataType }) => metadataType === "ResultCount",
  )
  const total = objectList(counts?.metadataItems as Row[]).find(
    ({ name }) => name === "TotalCount",
  )?.count
  return { extensions: result.extensions as Row[], total: integerOrNull(total) }
}

const naming = record({
  name: required(field.text("extensionName", "Name of the extension within its publisher.")),
  displayName: field.text("displayName", "Display name of the extension."),
  description: field.text("shortDescription", "Description of the extension in one line."),
  publisher: required(field.text("publisher.publisherName", "Name of the publisher in IDs.")),
  publisherDisplayName: field.text("publisher.displayName", "Display name of the publisher."),
  publisherDomain: field.text("publisher.domain", "URL of the publisher's site."),
  isVerified: field.boolean(
    "publisher.isDomainVerified",
    "Whether the publisher has proved to own that site.",
  ),
})

const rounded = (value: number) => round(value)

/** Statistics, by the gallery's names. */
const statistics = record({
  installs: field.integer("install", "Number of installs."),
  downloads: field.integer("downloadCount", "Number of downloads outside the editor."),
  updates: field.integer("updateCount", "Number of updates."),
  rating: field.number("averagerating", "Mean rating (0-5); null without ratings.", rounded),
  ratingCount: field.integer("ratingcount", "Number of ratings."),
  weightedRating: field.number(
    "weightedRating",
    "Rating weighted by the number of ratings.",
    rounded,
  ),
  trendingDaily: field.number("trendingdaily", "Trend score of the last day."),
  trendingWeekly: field.number("trendingweekly", "Trend score of the last week."),
  trendingMonthly: field.number("trendingmonthly", "Trend score of the last month."),
})

const dates = record({
  updatedAt: field.time("lastUpdated", "Time of the last change (ISO 8601, UTC)."),
  publishedAt: field.time("publishedDate", "Time of the first publication (ISO 8601, UTC)."),
  releaseDate: field.time("releaseDate", "Time of the release (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "vscode-marketplace-scraper",
  name: "VS Code Marketplace",
  tagline:
    "Visual Studio Code extensions by search words or exact ID: installs, ratings, versions, publisher.",
  notServed: ["Chrome extensions"],
  category: "developer",
  input: {
    queries: inputs.texts(
      "Search words, extension IDs, for example ms-python.python, or marketplace URLs.",
      { max: 50 },
    ),
    maxPerQuery: inputs.count("Maximum extensions per search", { max: 500, or: 20 }),
    sortBy: inputs.choice(sorts, "Sort order of a search, highest or newest first.", "relevance"),
  },
  item: {
    input: items.requiredText("Query as written in the input."),
    query: items.requiredText("Query as written in the input, the same as `input`."),
    position: items.requiredInteger("Position among the query's results, from 1."),
    totalCount: items.integer("Number of extensions that match the query in the marketplace."),
    id: items.requiredText("Extension ID, for example ms-python.python."),
    extensionId: items.requiredText("Identifier of the extension in the marketplace (GUID)."),
    url: items.requiredText("URL of the extension's page."),
    ...naming.fields,
    version: items.text("Newest version of the extension."),
    engine: items.text("Supported versions of the editor, for example ^1.90.0."),
    isPreRelease: items.requiredBoolean("Whether the newest version is a pre-release."),
    isPreview: items.requiredBoolean("Whether the extension is marked as a preview."),
    isPublic: items.requiredBoolean("Whether the extension is public."),
    repository: items.text("URL of the source repository."),
    issueTracker: items.text("URL of the issue tracker."),
    homepage: items.text("URL of the home page."),
    license: items.text("URL of the licence."),
    dependencies: items.texts("IDs of the extensions that this extension requires."),
    extensionPack: items.texts("IDs of the extensions that this extension also installs."),
    extensionKind: items.texts("Where the extension runs: ui, workspace or web."),
    iconUrl: items.text("URL of the icon."),
    vsixUrl: items.text("URL of the extension's package (VSIX)."),
    readmeUrl: items.text("URL of the README."),
    changelogUrl: items.text("URL of the change log."),
    categories: items.texts("Categories of the extension."),
    tags: items.texts("Tags of the extension, without the editor's own."),
    ...statistics.fields,
    ...dates.fields,
  },
  example: { queries: ["rust-lang.rust-analyzer", "markdown"], maxPerQuery: 10 },
  probe: {
    input: { queries: ["ms-python.python"], maxPerQuery: 1 },
    expect: [
      "items.length equals 1",
      'items[0].name equals "python"',
      'items[0].publisher equals "ms-python"',
      "items[0].installs gte 100000000",
      'items[0].version matches "^20\\\\d\\\\d\\\\."',
      "items[0].updatedAt fresh 90",
    ],
  },
  rateLimit: { "marketplace.visualstudio.com": { perSecond: 4, concurrency: 2 } },
  targets: (input) => input.queries,
  identify: (target) => ({ input: target, query: target }),

  async *scrape(target, ctx) {
    const id = extensionId(target)
    const { maxPerQuery, sortBy } = ctx.input
    const pageSize = Math.min(maxPage, maxPerQuery)
    const query = { id, words: target.trim(), pageSize, sortBy }
    const request = async (page = 1) => {
      const { extensions, total } = await queryGallery({ ...query, page }, ctx)
      if (id && extensions.length === 0) throw new NotFound(`Extension not found: ${id}`)
      if (page === 1 && extensions.length === 0 && total)
        throw new Changed("The marketplace's response counts extensions but lists none.")
      const isLast = total === null ? extensions.length < pageSize : page * pageSize >= total
      const rows = extensions.map((extension) => ({ extension, totalCount: total }))
      return { rows, next: id || isLast ? null : page + 1 }
    }
    let position = 0
    type Found = { extension: Row; totalCount: number | null }
    const keyOf = ({ extension }: Found) => textOrNull(extension?.extensionId)
    const read = ({ extension, totalCount }: Found) => {
      const facts = extensionItem(extension)
      return { input: target, query: target, position: ++position, totalCount, ...facts }
    }
    yield* readRows(cursor(request, { cap: maxPerQuery, keyOf }), read, ctx)
  },
})

/** Returns the exact ID in a target: `publisher.name`, or a URL with it; null for search words. */
function extensionId(target: string): string | null {
  const entry = target.trim()
  if (!/^https?:/i.test(entry)) return /^[\w-]+\.[\w.-]+$/.test(entry) ? entry : null
  const id = URL.canParse(entry) ? new URL(entry).searchParams.get("itemName") : null
  if (!id) throw new BadInput(`"${target}" is not the URL of an extension.`)
  return id
}

function extensionItem(extension: Row) {
  const extensionId = textOrNull(extension.extensionId)
  const name = textOrNull(extension.extensionName)
  const publisher = textOrNull(at(extension, "publisher", "publisherName"))
  if (extensionId === null || name === null || publisher === null)
    throw new Changed("The marketplace lists an entry that is not an extension.")
  const id = `${publisher}.${name}`
  const counts = objectList(extension.statistics as Row[]).map((one) => [
    one.statisticName,
    one.value,
  ])
  return {
    id,
    extensionId,
    url: `https://marketplace.visualstudio.com/items?itemName=${id}`,
    ...naming.read(extension),
    isPreview: /\bpreview\b/.test(String(extension.flags)),
    isPublic: /\bpublic\b/.test(String(extension.flags)),
    ...versionFields(objectList(extension.versions as Row[])[0]),
    categories: textList(extension.categories),
    // Tags with two underscores belong to the editor: file types, web extensions.
    tags: textList(extension.tags).filter((tag) => !tag.startsWith("__")),
    ...statistics.read(Object.fromEntries(counts)),
    ...dates.read(extension),
  }
}

function versionFields(version: Row | undefined) {
  const properties = new Map(
    objectList(version?.properties as Row[]).map(({ key, value }) => [key, value]),
  )
  const code = (key: string) => textOrNull(properties.get(`Microsoft.VisualStudio.Code.${key}`))
  const link = (key: string) => {
    const written = textOrNull(properties.get(`Microsoft.VisualStudio.Services.Links.${key}`))
    return written?.replace(/^git\+/, "") ?? null
  }
  const list = (key: string) =>
    code(key)
      ?.split(",")
      .map((entry) => entry.trim())
      .filter(Boolean) ?? []
  const files = new Map(
    objectList(version?.files as Row[]).map((file) => [file.assetType, file.source]),
  )
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
