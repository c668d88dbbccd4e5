import { integerOrNull, objectList } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import { BadInput, Changed, type Context, type Row } from "../kit/index.ts"

const endpoint = "https://marketplace.visualstudio.com/_apis/public/gallery/extensionquery"
/** The gallery truncates larger pages. */
export const maxPage = 100

/** Sort orders of a search, by the gallery's numbers. */
export const sorts = {
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

export interface Query {
  /** `publisher.name` for an exact lookup; null to search for the words. */
  id: string | null
  words: string
  page: number
  pageSize: number
  sortBy: keyof typeof sorts
}

/** Returns one page of results and the total number of results. @throws BadInput, Changed */
export async function queryGallery(query: Query, ctx: Context) {
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
