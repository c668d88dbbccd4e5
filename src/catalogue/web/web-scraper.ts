import { type TSchema, Type } from "@sinclair/typebox"
import { pageMarkdown } from "../../extract/article/index.ts"
import { baseUrl, foldSpace, parseDocument, textOrNull } from "../../extract/core/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import {
  checkSelectors,
  documentTitle,
  type FieldData,
  type FieldDefinition,
  FieldError,
  metaContent,
  parseFields,
  readFields,
  readMeta,
  readRowFields,
} from "../../extract/page/index.ts"
import {
  actionsInput,
  actionsOf,
  BadInput,
  challengeOf,
  checkActions,
  checkShots,
  defineScraper,
  documentField,
  emptyWith,
  entriesOfObject,
  fileOf,
  identifyPage,
  inputObject,
  inputs,
  isReadable,
  itemObject,
  keepShots,
  nullable,
  type OwnField,
  openPage,
  pageAddresses,
  pageFields,
  readOnce,
  requireWhole,
  shotFields,
  shotFormats,
  shotInputs,
  shotsOf,
  textField,
  textsField,
  type UpstreamResponse,
} from "../kit/index.ts"
import { bySchema, extracted, extractedField, extractInput, extractionOf } from "./page-extract.ts"

/** A value of a row. */
const cell = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Null(),
  Type.Array(Type.Union([Type.String(), Type.Number()])),
])

const item = itemObject({
  ...pageFields,
  data: Type.Record(
    Type.String(),
    Type.Union([
      Type.String(),
      Type.Number(),
      Type.Null(),
      Type.Array(Type.Union([Type.String(), Type.Number()])),
      Type.Array(Type.Record(Type.String(), cell)),
    ]),
    {
      description: "Your fields, in their order: a text, a number, null, a list of them, or rows.",
    },
  ),
  missing: textsField("Single fields that nothing matched; of a row, as `rows[2].price`."),
  warnings: Type.Optional(textsField("What is doubtful about the fields.")),
  pageInfo: Type.Optional(
    itemObject(
      {
        title: textField("The page's title, as written."),
        description: textField("Its meta description."),
        language: textField("Its language, as declared."),
        canonicalUrl: textField("The address that it names as its own."),
        contentType: textField("Media type of the answer."),
        contentLength: Type.Integer({ description: "Bytes of the answer, unpacked." }),
        fetchedAt: Type.String({ description: "When it was read, ISO 8601." }),
      },
      { description: "With includePageInfo: facts on the page." },
    ),
  ),
  extracted: extractedField,
  document: documentField,
  html: Type.Optional(Type.String({ description: "The page's source, decoded." })),
  ...shotFields,
})

export default defineScraper({
  slug: "web-scraper",
  name: "Web Scraper",
  tagline: "Pull your own fields from any page with CSS selectors.",
  serves: [
    "extract fields from a page by CSS selectors",
    "table from a page to rows",
    "turn a list of cards into data with name and price",
    "scrape any website",
    "structured data from any page by a schema",
    "custom extraction",
    "price list from an HTML page into rows",
    "scrape any page for which nothing is made",
    "make a table of a page",
    "extract names and prices from a list page",
    "pick single elements of a page by selector",
    "table of a web page as CSV",
    "data from a site for which there is no ready scraper",
    "get rows of a table from a web page",
    "scrape title, price and stock of each card on a page",
  ],
  category: "web",
  tier: "free",
  fetchMethods: ["http", "browser-http", "browser"],
  input: inputObject({
    urls: pageAddresses(1000),
    fields: Type.Array(Type.String(), {
      maxItems: 1000,
      [entriesOfObject]: true,
      [emptyWith]: "extract",
      description:
        "One field per entry: `name: selector` for text, `name: selector @attr` for an attribute, `[]name:` for all matches, `rows: .card { name: h3, price: .cost }` for rows that belong together. Also @html, @outerHtml, @ownText, @count; a final @number or @date parses one. Omit it if you use extract.",
    }),
    rows: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          "CSS selector of rows; each row becomes an item, in which the fields are looked up.",
      }),
    ),
    extract: extractInput,
    actions: actionsInput,
    formats: shotFormats,
    ...shotInputs,
    includeHtml: inputs.flag("Add the page's source."),
    includePageInfo: inputs.flag("Add title, description, language and more."),
  }),
  item,
  example: {
    urls: ["https://example.com"],
    fields: ["title: h1", "[]links: a @href"],
  },
  probe: {
    input: { urls: ["https://example.com"], fields: ["title: h1", "[]links: a @href"] },
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].data.title equals "Example Domain"',
      "items[0].data.links.length gte 1",
      "items[0].missing.length equals 0",
    ],
  },
  targets: (input) => {
    checkActions(input.actions)
    const extraction = extractionOf(input.extract)
    checkedFields(input.fields, extraction !== null && input.rows === undefined)
    checkRows(input.rows)
    checkShots(input)
    return input.urls
  },
  identify: identifyPage,
  ownFields: ({ fields = [], extract, rows }) =>
    ownFields(fields, rows ? undefined : extract?.schema),

  async *scrape(target, ctx) {
    const extraction = extractionOf(ctx.input.extract)
    if (extraction?.byModel) ctx.requireModel()
    const { rows } = ctx.input
    const fields = checkedFields(ctx.input.fields, extraction !== null && rows === undefined)
    const read = readOnce(({ document, url }) =>
      namingInput(() => {
        const base = baseUrl(document, url)
        return rows === undefined
          ? [readFields(fields, document, base)]
          : readRowFields(rows, fields, document, base)
      }),
    )
    const field = extraction?.byModel ? null : (extraction?.field ?? null)
    const typed = readOnce((response) => field && bySchema(field, response, false))
    const isNothing = (response: UpstreamResponse) =>
      read(response).every(({ data }) => isEmpty(data)) &&
      (!extraction || typed(response)?.missing.length === field?.properties.length)
    const has = (response: UpstreamResponse) =>
      challengeOf(response) === null &&
      (extraction?.byModel ? isReadable(response) : !isNothing(response))
    const shots = shotsOf(ctx.input)
    const { url, response } = await openPage(target, ctx, {
      documents: "all",
      ...actionsOf(ctx.input),
      has,
      what: "any of the fields",
      ...shots,
    })
    const found = read(response)
    if (!extraction && found.every(({ data }) => isEmpty(data))) {
      requireWhole(response)
      if (rows !== undefined) throw response.explainMissing(`a row that "${rows}" finds`)
    }
    const text = extraction?.byModel
      ? pageMarkdown(response.document, response.url, true).markdown
      : ""
    const page = { url, finalUrl: response.url, statusCode: response.status }
    const [first = { data: {}, missing: [], warnings: [] }, ...others] = found
    // What is of the whole page stands in the first item of several.
    yield {
      ...page,
      ...visible(first),
      ...(extraction ? { extracted: await extracted(extraction, response, text, ctx) } : {}),
      ...fileOf(response),
      ...(ctx.input.includePageInfo ? { pageInfo: pageInfo(response, ctx.now()) } : {}),
      ...(ctx.input.includeHtml ? { html: response.text() } : {}),
      ...(await keepShots(response, shots, ctx)),
    }
    for (const row of others) yield { ...page, ...visible(row) }
  },
})

const visible = ({ warnings, ...data }: FieldData) => ({
  ...data,
  ...(warnings.length > 0 && { warnings }),
})

/** @throws BadInput */
function checkRows(rows: string | undefined): void {
  if (rows === undefined) return
  namingInput(() => checkSelectors(parseFields([`rows: ${rows}`]), parseDocument("")))
}

const fieldSchemas = {
  text: Type.String(),
  number: Type.Number(),
  date: Type.String({ format: "date" }),
}

function fieldSchema({ isList, type, columns }: FieldDefinition): TSchema {
  if (columns) {
    const cells = columns.map((column) => [column.name, fieldSchema(column)])
    return Type.Array(itemObject(Object.fromEntries(cells)))
  }
  return isList ? Type.Array(fieldSchemas[type]) : nullable(fieldSchemas[type])
}

/** The lines of `fields`, and the properties of the schema. */
function ownFields(lines: readonly string[], schema: unknown): OwnField[] {
  const fields = lines.length === 0 ? [] : checkedFields(lines, true)
  const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties
  return [
    ...fields.map((field) => ({
      name: field.name,
      at: ["data", field.name],
      schema: fieldSchema(field),
    })),
    ...Object.entries(properties ?? {}).map(([name, property]) => ({
      name,
      at: ["extracted", "data", name],
      schema: property,
    })),
  ]
}

/** @throws BadInput naming the line that is no field. */
function checkedFields(lines: readonly string[], mayLack: boolean) {
  if (mayLack && lines.length === 0) return []
  return namingInput(() => {
    const fields = parseFields(lines)
    checkSelectors(fields, parseDocument(""))
    return fields
  })
}

function namingInput<R>(read: () => R): R {
  try {
    return read()
  } catch (error) {
    if (error instanceof FieldError) throw new BadInput(`fields: ${error.message}`)
    throw error
  }
}

const isEmpty = (data: FieldData["data"]) =>
  Object.values(data).every(
    (value) => value === null || value === "0" || (typeof value !== "number" && value.length === 0),
  )

function pageInfo(response: UpstreamResponse, now: Date) {
  const { document } = response
  const description = metaContent(readMeta(document), "description")
  return {
    title: documentTitle(document),
    description: description === null ? null : textOrNull(foldSpace(description)),
    language: textOrNull(document.documentElement.getAttribute("lang")),
    canonicalUrl: canonicalUrl(document, response.url),
    contentType: textOrNull(response.file?.contentType ?? response.contentType),
    contentLength: response.bytes.length,
    fetchedAt: now.toISOString(),
  }
}
