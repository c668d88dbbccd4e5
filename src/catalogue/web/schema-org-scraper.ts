import {
  allEntities,
  type Entity,
  readStructuredData,
  type StructuredData,
  textOfAny,
  typesOf,
} from "../../extract/structured/index.ts"
import {
  Changed,
  defineScraper,
  errorItem,
  items,
  nullable,
  pageUrls,
  readOnce,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { onePageEach, openPage, pageFacts, pageFields, requireWhole } from "./page/open.ts"

/** Maximum characters of an unreadable block in its error. */
const visibleCharacters = 300

const described = record({
  found: items.requiredBoolean(
    "Whether the page has structured data. A page without it returns one item with false.",
  ),
  format: items.text("Format: json-ld, microdata or rdfa."),
  type: items.text("First type without its vocabulary, for example Product."),
  types: items.texts("All types of the entity."),
  id: items.text("URL of the entity itself (@id, itemid, resource)."),
  name: items.text("Name, headline or title of the entity."),
  index: items.integer("Index among the page's entities, from 0."),
  data: nullable(
    items.valuesByName(
      "The entity: JSON-LD as written, microdata and RDFa as properties with one value or several.",
    ),
  ),
  valid: items.boolean("Whether the JSON was valid without a repair."),
  context: items.text("Host of the vocabulary, for example schema.org."),
})

export default defineScraper({
  slug: "schema-org-scraper",
  name: "Structured Data",
  tagline: "All structured data of a page: JSON-LD, microdata and RDFa as JSON.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input: { urls: pageUrls(1000) },
  item: { ...pageFields, ...described.fields },
  example: { urls: ["https://schema.org/Recipe"] },
  probe: {
    input: { urls: ["https://www.imdb.com/title/tt0133093/", "https://schema.org/Recipe"] },
    expect: ["items.length gte 1", "items[*].found equals true", "items[*].types share 0.5"],
  },
  ...onePageEach,

  async *scrape(target, ctx) {
    const { url, response } = await openPage(target, ctx, {
      has: (response) => hasAny(dataOf(response)),
      what: "structured data",
    })
    const data = dataOf(response)
    const page = pageFacts({ url, response })
    const entities = allEntities(data)
    if (!hasAny(data)) {
      requireWhole(response)
      yield { ...page, ...described.read({ found: false }) }
    }
    for (const [index, entity] of entities.entries()) {
      yield { ...page, ...described.read(rowOf(entity, index, data, response)) }
    }
    for (const block of data.unreadable) {
      const visible = block.slice(0, visibleCharacters)
      const scrapeError = new Changed(`A JSON-LD block is not JSON: ${visible}`, {
        code: "invalid_json_ld",
        statusCode: response.status,
      })
      yield errorItem(scrapeError, { input: target, ...page })
    }
  },
})

const dataOf = readOnce(({ document, url }) => readStructuredData(document, url))

const hasAny = (data: StructuredData) => data.unreadable.length > 0 || allEntities(data).length > 0

function rowOf(entity: Entity, index: number, data: StructuredData, response: UpstreamResponse) {
  const { data: node } = entity
  const types = typesOf(node)
  const id = node["@id"]
  return {
    ...entity,
    found: true,
    type: types[0],
    types,
    id: typeof id === "string" ? absoluteId(id, response.url) : null,
    name: textOfAny(data, node, "name", "headline", "title"),
    index,
  }
}

/** Returns an absolute ID. The ID of a blank node, such as `_:b0`, is not a URL. */
function absoluteId(id: string, base: string): string {
  return id.startsWith("_:") ? id : (URL.parse(id, base)?.href ?? id)
}
