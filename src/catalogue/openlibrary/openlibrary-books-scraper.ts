import { Type } from "@sinclair/typebox"
import {
  distinct,
  integerOrNull,
  objectList,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  orNull,
  type Row,
  record,
  required,
  UpstreamError,
} from "../kit/index.ts"

const site = "https://openlibrary.org"
const maxRedirects = 5

/** A record of one work. It names its authors only by key. */
type Work = Row & { key: string; location?: string }

/** Returns the record of a work; for a merged work, the record of the work that replaced it. */
async function workRecord(key: string, ctx: Context): Promise<Work> {
  let path = `/works/${key}`
  for (let step = 0; step < maxRedirects; step++) {
    const work = await busyIsRateLimit(ctx.json<Work>(`${site}${path}.json`))
    if (at(work, "type", "key") === "/type/delete")
      throw new NotFound(`Open Library has deleted the work ${key}.`)
    if (at(work, "type", "key") !== "/type/redirect" || !work.location) {
      if (!/^\/works\/OL\d+W$/.test(work?.key ?? ""))
        throw new Changed("Open Library's response has no work.")
      return work
    }
    path = work.location
  }
  throw new Changed(`The work ${key} has too many redirects.`)
}

const excerptsOf = ({ excerpts }: Row): string[] =>
  objectList(excerpts as { excerpt?: { value?: unknown } }[]).flatMap(
    ({ excerpt }) => textOrNull(excerpt) ?? textOrNull(excerpt?.value) ?? [],
  )

const linksOf = ({ links }: Row): Row[] =>
  Array.isArray(links) ? links.filter((link) => link?.url) : []

/** Fields that only the record of a work has. */
const workDetails = record({
  firstPublishDate: field.text(
    "first_publish_date",
    "Date of the first edition, as written in the record.",
  ),
  // Old records have a string here, new ones an object.
  description: field.text("description|description.value", "Description of the work."),
  links: field.objects(linksOf, "Links to other sites about the work.", {
    title: field.title("title", "Title of the link."),
    url: required(field.text("url", "URL of the linked page.")),
  }),
  excerpts: field.texts(excerptsOf, "Excerpts from the work."),
  createdAt: field.time("created.value", "Time of the record's creation (ISO 8601, UTC)."),
  updatedAt: field.time("last_modified.value", "Time of the record's last change (ISO 8601, UTC)."),
})

/** Returns the IDs of the covers; some records contain -1 or null. */
const coversOf = (work: Work) =>
  [work.covers].flat().filter((id): id is number => typeof id === "number" && id > 0)

/** Returns the work in the form of a search hit, with fewer fields. */
function hitOf(work: Work) {
  const authors = objectList(work.authors as Row[]).flatMap(({ author, key }) => {
    const match = typeof author === "string" ? author : (at(author, "key") ?? key)
    return match ? [(match as string).replace("/authors/", "")] : []
  })
  return {
    key: work.key,
    title: work.title,
    subtitle: work.subtitle,
    author_key: authors,
    cover_i: coversOf(work)[0],
    subject: distinct(textList(work.subjects)),
    place: textList(work.subject_places),
    person: textList(work.subject_people),
    time: textList(work.subject_times),
  }
}

const pageSize = 100

/** A work in a search response. */
type Hit = Row & { key: string }

const naming = record({
  title: field.title("title", "Title of the book."),
  subtitle: field.title("subtitle", "Subtitle of the book."),
  authors: field.objects(authorsOf, "Authors of the book.", {
    name: field.title("name", "Name of the author; null if only the work's record was read."),
    key: field.text("key", "Key of the author, for example OL31353A."),
    url: field.text("key", "URL of the author's page.", (key) => `${site}/authors/${key}`),
  }),
  firstPublishYear: field.integer("first_publish_year", "Year of the first edition."),
})

const facts = record({
  editionCount: field.integer("edition_count", "Number of editions."),
  isbns: field.texts("isbn", "ISBNs of the editions, with 10 and 13 digits."),
  publishers: field.texts("publisher", "Publishers of the editions."),
  languages: field.texts("language", "Languages of the editions (MARC codes)."),
  subjects: field.texts("subject", "Subjects of the book."),
  places: field.texts("place", "Places in the book."),
  people: field.texts("person", "People in the book."),
  times: field.texts("time", "Times in which the book is set, for example 19th century."),
  pagesMedian: field.integer("number_of_pages_median", "Median number of pages of the editions."),
  coverUrl: field.text(
    "covers.0",
    "URL of the cover.",
    (id) => `https://covers.openlibrary.org/b/id/${id}-L.jpg`,
  ),
  coverIds: field.of(
    Type.Array(Type.Integer(), { description: "IDs of the covers." }),
    (row: { covers: number[] }) => row.covers,
  ),
  coverEditionKey: field.text("cover_edition_key", "Key of the edition with the cover."),
  rating: field.number("ratings_average", "Mean rating (0-5)."),
  ratingCount: field.integer("ratings_count", "Number of ratings."),
  wantToRead: field.integer("want_to_read_count", "Number of readers who want to read the book."),
  currentlyReading: field.integer(
    "currently_reading_count",
    "Number of readers who are reading the book.",
  ),
  alreadyRead: field.integer("already_read_count", "Number of readers who have read the book."),
  ebookAccess: field.text(
    "ebook_access",
    "Access to the e-book: no_ebook, printdisabled, borrowable or public.",
  ),
  hasFulltext: field.boolean("has_fulltext", "Whether the Internet Archive has the full text."),
  archiveIds: field.texts("ia", "Identifiers of the copies at the Internet Archive."),
})

const { firstPublishDate, ...otherDetails } = workDetails.fields

export default defineScraper({
  slug: "openlibrary-books-scraper",
  name: "Open Library Books",
  tagline: "Books of Open Library by title, author, subject or ISBN.",
  notServed: ["reviews"],
  category: "media",
  input: {
    queries: inputs.texts(
      "Search words, Solr fields (title:, author:, subject:), ISBNs, or work keys or URLs.",
      { max: 200 },
    ),
    resultsPerQuery: inputs.count("Maximum books per search", { max: 1000, or: 20 }),
    includeWorkDetails: inputs.flag(
      "Whether to add description, links and excerpts; costs one more request per book.",
    ),
  },
  item: {
    query: items.requiredText("Query as written in the input."),
    workKey: items.requiredText("Key of the work, for example OL45804W."),
    url: items.requiredText("URL of the work's page."),
    ...naming.fields,
    firstPublishDate,
    ...facts.fields,
    ...otherDetails,
  },
  example: { queries: ["the left hand of darkness"], resultsPerQuery: 5 },
  probe: {
    expect: [
      "items.length equals 5",
      'items[*].title matches "left hand of darkness"',
      "items[*].firstPublishYear equals 1969",
      "items[*].authors share 0.8",
      "?items[*].editionCount share 0.8",
    ],
  },
  rateLimit: { "openlibrary.org": { perSecond: 1, concurrency: 1 } },
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

const workKey = (query: string): string | undefined =>
  /^(?:https?:\/\/(?:www\.)?openlibrary\.org)?(?:\/?works\/)?(OL\d+W)(?:[/?#.].*)?$/i
    .exec(query.trim())?.[1]
    ?.toUpperCase()

/** Returns an ISBN search for 10 or 13 digits, with or without dashes; else the query. */
function searchWords(query: string): string {
  const digits = query
    .trim()
    .replace(/^isbn:?\s*/i, "")
    .replace(/[\s-]/g, "")
  return /^(?:\d{9}[\dX]|97[89]\d{10})$/i.test(digits) ? `isbn:${digits.toUpperCase()}` : query
}

function search(query: string, ctx: Context<{ resultsPerQuery: number }>): AsyncGenerator<Hit> {
  const { resultsPerQuery: cap } = ctx.input
  const limit = Math.min(pageSize, cap)
  const ask = async (page = 1) => {
    const call = ctx.get(`${site}/search.json`, {
      query: { q: searchWords(query), limit, page, fields: "*" },
      headers: { accept: "application/json" },
      accept: [422, 500],
    })
    const response = await busyIsRateLimit(call)
    if (response.status >= 400) throw refusal(response.status, response.text())
    const { docs, numFound, num_found } = response.json<Row & { docs?: Hit[] }>()
    if (!Array.isArray(docs)) throw response.explainMissing("a list of books")
    const total = integerOrNull(numFound ?? num_found)
    if (page === 1 && docs.length === 0 && total !== 0)
      throw new Changed("Open Library's response counts books but lists none.")
    return { rows: docs, next: page * limit < (total ?? 0) ? page + 1 : null }
  }
  return cursor(ask, { cap, keyOf: ({ key }) => (typeof key === "string" ? key : null) })
}

/** Open Library rejects short words and broken syntax with 422, or 500 from its search engine. */
function refusal(status: number, body: string) {
  const stated = /"(?:error|detail|msg|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1]
  const message = `Open Library rejects the query: ${stated ?? `status ${status}`}`
  const caller = status === 422 || /solr|syntax|parse|query/i.test(body)
  return new (caller ? BadInput : UpstreamError)(message, { statusCode: status })
}

function book(query: string, hit: Hit, work: Work | null) {
  const workKey = hit.key.replace("/works/", "")
  const cover = integerOrNull(hit.cover_i)
  const covers = distinct([...(cover && cover > 0 ? [cover] : []), ...(work ? coversOf(work) : [])])
  const subject = distinct([...textList(hit.subject), ...textList(work?.subjects)])
  return {
    query,
    workKey,
    url: `${site}/works/${workKey}`,
    ...naming.read(hit),
    ...facts.read({ ...hit, subject, covers }),
    ...workDetails.read(work ?? {}),
  }
}

function authorsOf({ author_name, author_key }: Hit) {
  const names = textList(author_name)
  const keys = textList(author_key)
  const listed = names.length > 0 ? names : keys
  return listed.map((_, index) => ({ name: names[index], key: keys[index] }))
}
