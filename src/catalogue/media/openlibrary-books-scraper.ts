import { type Static, Type } from "@sinclair/typebox"
import { booleanOrNull, integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, textList, textOrNull, titleOrNull } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, busyIsRateLimit, Changed, UpstreamError } from "../outcome.ts"
import {
  coversOf,
  detailsOf,
  hitOf,
  noDetails,
  site,
  type Work,
  workRecord,
} from "./open-library.ts"

const pageSize = 100

const input = inputObject({
  queries: inputs.texts(
    "Words or Solr fields (title:, author:, subject:), ISBNs, or keys and addresses of works.",
    { max: 200 },
  ),
  resultsPerQuery: inputs.count("Most books a query.", { max: 1000, or: 20 }),
  includeWorkDetails: inputs.flag(
    "Adds description, links and excerpts; one more call for each book.",
  ),
})
type Input = Static<typeof input>

/** A work of a search answer. */
interface Hit {
  key: string
  author_name?: string[]
  author_key?: string[]
  [field: string]: unknown
}

interface SearchAnswer {
  numFound?: number
  num_found?: number
  docs?: Hit[]
}

export default defineScraper({
  slug: "openlibrary-books-scraper",
  name: "Open Library Books",
  tagline: "Books of Open Library by title, author, subject or ISBN.",
  category: "media",
  tier: "free",
  input,
  item: itemObject({
    query: Type.String({ description: "The query as it was asked for." }),
    workKey: Type.String({ description: "Key of the work, such as OL45804W." }),
    url: Type.String({ description: "The work's page." }),
    title: textField("Title."),
    subtitle: textField("Subtitle."),
    authors: Type.Array(
      itemObject({
        name: textField("Name; unknown where only the work's record was read."),
        key: textField("Key."),
        url: textField("The author's page."),
      }),
      { description: "Authors." },
    ),
    firstPublishYear: integerField("Year of the first edition."),
    firstPublishDate: textField("Date of the first edition, as it was written."),
    editionCount: integerField("Editions."),
    isbns: textsField("ISBNs of the editions, of 10 and 13 digits."),
    publishers: textsField("Publishers of the editions."),
    languages: textsField("Languages of the editions (MARC codes)."),
    subjects: textsField("Subjects."),
    places: textsField("Places in it."),
    people: textsField("People in it."),
    times: textsField("Times in it."),
    pagesMedian: integerField("Median of the editions' pages."),
    coverUrl: textField("Cover."),
    coverIds: Type.Array(Type.Integer(), { description: "Ids of the covers." }),
    coverEditionKey: textField("Edition whose cover it is."),
    ratingsAverage: numberField("Mean rating, of 5."),
    ratingsCount: integerField("Ratings."),
    wantToRead: integerField("Readers who want to read it."),
    currentlyReading: integerField("Readers who read it now."),
    alreadyRead: integerField("Readers who have read it."),
    ebookAccess: textField("no_ebook, printdisabled, borrowable or public."),
    hasFulltext: booleanField("The Internet Archive has its text."),
    archiveIds: textsField("Ids at the Internet Archive."),
    description: textField("Description."),
    links: Type.Array(itemObject({ title: textField("Title."), url: Type.String() }), {
      description: "Links elsewhere.",
    }),
    excerpts: textsField("Excerpts."),
    createdAt: textField("When the record was made (ISO 8601, UTC)."),
    updatedAt: textField("When the record was changed (ISO 8601, UTC)."),
  }),
  example: { queries: ["the left hand of darkness"], resultsPerQuery: 5 },
  pace: { "openlibrary.org": { perSecond: 1, concurrency: 1 } },
  targets: ({ queries }) => distinct(queries),
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const key = workKey(query)
    if (key) {
      const work = await workRecord(key, ctx)
      yield book(query, hitOf(work), work)
      return
    }
    for await (const hit of search(query, ctx)) {
      const id = hit.key.replace("/works/", "")
      const work = ctx.input.includeWorkDetails
        ? await orNull(ctx, `details of ${id}`, () => workRecord(id, ctx))
        : null
      yield book(query, hit, work)
    }
  },
})

function workKey(query: string): string | undefined {
  return /^(?:https?:\/\/(?:www\.)?openlibrary\.org)?(?:\/?works\/)?(OL\d+W)(?:[/?#.].*)?$/i
    .exec(query.trim())?.[1]
    ?.toUpperCase()
}

/** An ISBN of 10 or 13 digits, with or without dashes, is searched as such. */
function searchWords(query: string): string {
  const digits = query
    .trim()
    .replace(/^isbn:?\s*/i, "")
    .replace(/[\s-]/g, "")
  return /^(?:\d{9}[\dX]|97[89]\d{10})$/i.test(digits) ? `isbn:${digits.toUpperCase()}` : query
}

async function* search(query: string, ctx: Context<Input>): AsyncGenerator<Hit> {
  const { resultsPerQuery: wanted } = ctx.input
  const limit = Math.min(pageSize, wanted)
  const seen = new Set<string>()
  for (let page = 1; ; page++) {
    const call = ctx.get(`${site}/search.json`, {
      query: { q: searchWords(query), limit, page, fields: "*" },
      headers: { accept: "application/json" },
      accept: [422, 500],
    })
    const answer = await busyIsRateLimit(call)
    if (answer.status >= 400) throw refusal(answer.status, answer.text())
    const { docs, numFound, num_found } = answer.json<SearchAnswer>()
    if (!Array.isArray(docs)) throw answer.lacks("a list of books")
    const total = numFound ?? num_found
    if (page === 1 && docs.length === 0 && total !== 0) {
      throw new Changed("Open Library counts books and lists none of them.")
    }
    const known = seen.size
    for (const hit of docs) {
      if (!hit?.key) throw new Changed("Open Library's answer holds a book without key.")
      if (seen.has(hit.key)) continue
      seen.add(hit.key)
      yield hit
      if (seen.size === wanted) return
    }
    if (seen.size === known || page * limit >= (total ?? 0)) return
  }
}

/** Words that are too short and broken syntax are answered 422, or 500 by the search engine. */
function refusal(status: number, body: string) {
  const said = /"(?:error|detail|msg|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  const message = `Open Library says: ${said ?? `status ${status}`}`
  const caller = status === 422 || /solr|syntax|parse|query/i.test(body)
  return new (caller ? BadInput : UpstreamError)(message, { statusCode: status })
}

function book(query: string, hit: Hit, work: Work | null) {
  const workKey = hit.key.replace("/works/", "")
  const cover = integerOrNull(hit.cover_i)
  const covers = distinct([...(cover && cover > 0 ? [cover] : []), ...(work ? coversOf(work) : [])])
  const names = hit.author_name ?? []
  const keys = hit.author_key ?? []
  return {
    query,
    workKey,
    url: `${site}/works/${workKey}`,
    title: titleOrNull(hit.title),
    subtitle: titleOrNull(hit.subtitle),
    authors: (names.length > 0 ? names : keys).map((_, index) => ({
      name: titleOrNull(names[index]),
      key: keys[index] ?? null,
      url: keys[index] ? `${site}/authors/${keys[index]}` : null,
    })),
    firstPublishYear: integerOrNull(hit.first_publish_year),
    editionCount: integerOrNull(hit.edition_count),
    isbns: textList(hit.isbn),
    publishers: textList(hit.publisher),
    languages: textList(hit.language),
    subjects: distinct([...textList(hit.subject), ...textList(work?.subjects)]),
    places: textList(hit.place),
    people: textList(hit.person),
    times: textList(hit.time),
    pagesMedian: integerOrNull(hit.number_of_pages_median),
    coverUrl: covers[0] ? `https://covers.openlibrary.org/b/id/${covers[0]}-L.jpg` : null,
    coverIds: covers,
    coverEditionKey: textOrNull(hit.cover_edition_key),
    ratingsAverage: numberOrNull(hit.ratings_average),
    ratingsCount: integerOrNull(hit.ratings_count),
    wantToRead: integerOrNull(hit.want_to_read_count),
    currentlyReading: integerOrNull(hit.currently_reading_count),
    alreadyRead: integerOrNull(hit.already_read_count),
    ebookAccess: textOrNull(hit.ebook_access),
    hasFulltext: booleanOrNull(hit.has_fulltext),
    archiveIds: textList(hit.ia),
    ...(work ? detailsOf(work) : noDetails),
  }
}
