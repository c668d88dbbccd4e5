import { Type } from "@sinclair/typebox"
import { pageMarkdown } from "../../extract/article/index.ts"
import { baseUrl, foldSpace, parseDocument, textOrNull } from "../../extract/core/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import {
  checkSelectors,
  documentTitle,
  FieldError,
  metaContent,
  parseFields,
  readFields,
  readMeta,
} from "../../extract/page/index.ts"
import {
  type Answer,
  actionsInput,
  actionsOf,
  BadInput,
  checkActions,
  checkShots,
  defineScraper,
  documentField,
  fileOf,
  identifyPage,
  inputObject,
  inputs,
  isReadable,
  itemObject,
  keepShots,
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
  wallOf,
} from "../kit/index.ts"
import { bySchema, extracted, extractedField, extractInput, extractionOf } from "./page-extract.ts"

const item = itemObject({
  ...pageFields,
  data: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Null(), Type.Array(Type.String())]),
    { description: "Your fields, in their order: a text, null, or a list of texts." },
  ),
  missing: textsField("Single fields that nothing matched."),
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
  category: "web",
  tier: "free",
  access: ["http", "browser"],
  input: inputObject({
    urls: pageAddresses(1000),
    fields: Type.Array(Type.String(), {
      maxItems: 1000,
      description:
        "One field a line: `name: selector` for text, `name: selector @attr` for an attribute, `[]name:` for all matches. Also @html, @outerHtml, @ownText, @count. With extract, it may be empty.",
    }),
    extract: extractInput,
    actions: actionsInput,
    formats: shotFormats,
    ...shotInputs,
    includeHtml: inputs.flag("Adds the page's source."),
    includePageInfo: inputs.flag("Adds title, description, language and more."),
  }),
  item,
  deprecated: { "pageInfo.lang": "language" },
  example: {
    urls: ["https://example.com"],
    fields: ["title: h1", "[]links: a @href"],
  },
  canary: {
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
    checkedFields(input.fields, extraction !== null)
    checkShots(input)
    return input.urls
  },
  identify: identifyPage,

  async *scrape(target, ctx) {
    const extraction = extractionOf(ctx.input.extract)
    if (extraction?.byModel) ctx.requireModel()
    const fields = checkedFields(ctx.input.fields, extraction !== null)
    const read = readOnce(({ document, url }) =>
      namingInput(() => readFields(fields, document, baseUrl(document, url))),
    )
    const field = extraction?.byModel ? null : (extraction?.field ?? null)
    const typed = readOnce((answer) => field && bySchema(field, answer, false))
    const isNothing = (answer: Answer) =>
      isEmpty(read(answer).data) &&
      (!extraction || typed(answer)?.missing.length === field?.properties.length)
    const has = (answer: Answer) =>
      wallOf(answer) === null && (extraction?.byModel ? isReadable(answer) : !isNothing(answer))
    const shots = shotsOf(ctx.input)
    const { url, answer } = await openPage(target, ctx, {
      documents: "all",
      ...actionsOf(ctx.input),
      has,
      what: "any of the fields",
      ...shots,
    })
    const { data, missing } = read(answer)
    if (isEmpty(data) && !extraction) requireWhole(answer)
    const text = extraction?.byModel ? pageMarkdown(answer.document, answer.url, true).markdown : ""
    yield {
      url,
      finalUrl: answer.url,
      statusCode: answer.status,
      data,
      missing,
      ...(extraction ? { extracted: await extracted(extraction, answer, text, ctx) } : {}),
      ...fileOf(answer),
      ...(ctx.input.includePageInfo ? { pageInfo: pageInfo(answer, ctx.now()) } : {}),
      ...(ctx.input.includeHtml ? { html: answer.text() } : {}),
      ...(await keepShots(answer, shots, ctx)),
    }
  },
})

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

const isEmpty = (data: Record<string, string | null | string[]>) =>
  Object.values(data).every((value) => value === null || value === "0" || value.length === 0)

function pageInfo(answer: Answer, now: Date) {
  const { document } = answer
  const description = metaContent(readMeta(document), "description")
  return {
    title: documentTitle(document),
    description: description === null ? null : textOrNull(foldSpace(description)),
    language: textOrNull(document.documentElement.getAttribute("lang")),
    canonicalUrl: canonicalUrl(document, answer.url),
    contentType: textOrNull(answer.file?.contentType ?? answer.contentType),
    contentLength: answer.bytes.length,
    fetchedAt: now.toISOString(),
  }
}
