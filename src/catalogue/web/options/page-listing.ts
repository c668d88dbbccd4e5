import { type TSchema, Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  baseUrl,
  checkSelector,
  Finder,
  parseDocument,
  SelectorError,
  sha256,
} from "../../../extract/core/index.ts"
import { completeUrl, normaliseUrl } from "../../../extract/links/index.ts"
import {
  checkSelectors,
  type FieldData,
  type FieldDefinition,
  FieldError,
  parseFields,
} from "../../../extract/page/index.ts"
import {
  BadInput,
  entriesOfObject,
  type InputOf,
  inputs,
  itemObject,
  items,
  namingInput,
  nullable,
  type OwnField,
  type UpstreamResponse,
} from "../../kit/index.ts"

/** A value of a field, or of a column of rows. */
export const cellSchema = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Null(),
  Type.Array(Type.Union([Type.String(), Type.Number()])),
])

const fieldSchemas = {
  text: Type.String(),
  number: Type.Number(),
  date: Type.String({ format: "date" }),
}

/** Returns the JSON Schema of a field's values. */
function fieldSchema({ isList, type, columns }: FieldDefinition): TSchema {
  if (columns) {
    const cells = columns.map((column) => [column.name, fieldSchema(column)])
    return Type.Array(itemObject(Object.fromEntries(cells)))
  }
  return isList ? Type.Array(fieldSchemas[type]) : nullable(fieldSchemas[type])
}

/**
 * Returns the fields that the lines define. If `mayBeEmpty` is set, there may be no lines. Throws
 * BadInput with the invalid line; `input` is the input's name.
 */
export function checkedFields(
  lines: readonly string[],
  { mayBeEmpty = false, input = "fields" } = {},
): FieldDefinition[] {
  if (mayBeEmpty && lines.length === 0) return []
  return namingFields(() => {
    const fields = parseFields(lines)
    checkSelectors(fields, parseDocument(""))
    return fields
  }, input)
}

export const namingFields = <R>(read: () => R, input = "fields") =>
  namingInput(input, read, FieldError)

export const isEmpty = (data: FieldData["data"]) =>
  Object.values(data).every(
    (value) => value === null || value === "0" || (typeof value !== "number" && value.length === 0),
  )

interface FieldsInput {
  fields: readonly string[]
  rows?: string
  detail?: { link: string; fields: readonly string[] }
}

/** Returns the fields of the pages of the input. Throws BadInput. */
export const fieldsOfList = ({ fields, rows, detail }: FieldsInput, hasExtraction: boolean) =>
  checkedFields(fields, { mayBeEmpty: hasExtraction && rows === undefined && !detail })

/** Returns a row without a link, with the fields of its detail page empty and listed as missing. */
export function withoutDetail({ data, missing, warnings }: FieldData, lines: readonly string[]) {
  const fields = checkedFields(lines, { mayBeEmpty: true, input: "detail.fields" })
  const empty = fields.map(({ name, isList }) => [name, isList ? [] : null] as const)
  const single = fields.filter(({ isList }) => !isList).map(({ name }) => name)
  return {
    data: { ...data, ...Object.fromEntries(empty) },
    missing: [...missing, ...single],
    warnings,
  }
}

/** Throws BadInput if `rows` is not a selector. */
export function checkRows(rows: string | undefined): void {
  if (rows === undefined) return
  namingFields(() => checkSelectors(parseFields([`rows: ${rows}`]), parseDocument("")))
}

/** Returns the fields that an input defines: by lines, and the properties of the schema. */
export function ownFields({ fields, detail }: FieldsInput, schema: unknown): OwnField[] {
  const ofList = checkedFields(fields, { mayBeEmpty: true }).map((field) =>
    field.name === detail?.link ? { ...field, isList: false } : field,
  )
  const ofDetail = checkedFields(detail?.fields ?? [], { mayBeEmpty: true, input: "detail.fields" })
  const properties = (schema as { properties?: Record<string, TSchema> } | undefined)?.properties
  return [
    ...[...ofList, ...ofDetail].map((field) => ({
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

/** Placeholder of the page number in a URL pattern. */
const pageMark = "{page}"
/** Maximum clicks. Each page is opened again and clicked once more than the one before. */
const maxClicks = 20

export const inputFields = {
  nextPage: inputs.optionalText(
    "CSS selector of the link or button to the next page, for example a.next, or a URL pattern with the page number, for example ?page={page}. A button is clicked in Chrome, at most 20 times, and requires an API key.",
    { minLength: 1, maxLength: 1000 },
  ),
  maxPages: inputs.count("Maximum pages per URL with nextPage, including the first", {
    max: 1000,
    or: 10,
  }),
  detail: Type.Optional(
    items.requiredObject(
      "Detail pages: each link of one field is followed, and its item has the fields of both pages.",
      {
        link: inputs.text("Name of the field with the URL to follow, for example url.", {
          maxLength: 100,
        }),
        fields: Type.Array(Type.String(), {
          maxItems: 200,
          [entriesOfObject]: true,
          description: "Fields of the page at that URL, written like fields.",
        }),
      },
    ),
  ),
}

type ListingInput = InputOf<typeof inputFields>

/** A page of a list after the first, found by `nextPage`. */
export type ListPage = {
  kind: "list"
  url: string
  /** The URL of the input from which the page was reached. */
  startUrl: string
  /** Number of the page; 1 is the page of the input's URL. */
  page: number
  /** Number of clicks on the button to the next page after the page was opened. */
  clicks: number
  /** The first row and the number of rows of the page before. */
  before: { first: string; all: string; rows: number }
}

/** A page to which a field of a list links. */
export type DetailPage = ReturnType<typeof detailPages>[number]

export type PageTarget = string | ListPage | DetailPage

/** Throws BadInput if `nextPage` or `detail` is not valid. `fields` are those of the list. */
export function check(
  { nextPage, detail, rows, urls }: ListingInput & { rows?: string; urls: readonly string[] },
  fields: readonly FieldDefinition[],
  hasExtraction: boolean,
): void {
  if (nextPage !== undefined && /[{}]/.test(nextPage)) {
    for (const url of urls) pageUrl(nextPage, url, 2)
  } else if (nextPage !== undefined) {
    try {
      checkSelector(nextPage, parseDocument(""))
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error
      throw new BadInput(
        `nextPage: ${error.message} Use a CSS selector, or a URL with ${pageMark}.`,
      )
    }
  }
  if (detail) checkDetail(detail, fields, { rows, hasExtraction })
}

function checkDetail(
  { link, fields: lines }: NonNullable<ListingInput["detail"]>,
  fields: readonly FieldDefinition[],
  { rows, hasExtraction }: { rows: string | undefined; hasExtraction: boolean },
): void {
  const own = checkedFields(lines, { mayBeEmpty: hasExtraction, input: "detail.fields" })
  const names = fields.map(({ name }) => name)
  const field = fields.find(({ name }) => name === link)
  if (!field) {
    const known = names.length > 0 ? `one of ${names.join(", ")}` : "a name in fields"
    throw new BadInput(`detail.link: there is no field "${link}". Use ${known}.`)
  }
  if (field.columns || field.type !== "text") {
    throw new BadInput(`detail.link: "${link}" is not a URL. Use a field such as "url: a @href".`)
  }
  if (field.isList && rows !== undefined) {
    throw new BadInput(`detail.link: "${link}" is a list. With rows, use a field with one URL.`)
  }
  const double = own.find(({ name }) => names.includes(name))
  if (double) {
    throw new BadInput(`detail.fields: the name "${double.name}" is also in fields. Rename one.`)
  }
}

/** Returns the URL of a page by its number. Throws BadInput if it is not a URL. */
function pageUrl(pattern: string, startUrl: string, page: number): string {
  const example = "Write it as ?page={page} or https://shop.example/list/{page}."
  const [before, ...others] = pattern.split(pageMark)
  if (others.length === 0 || `${before}${others.join("")}`.includes("{")) {
    throw new BadInput(`nextPage: a URL pattern has ${pageMark} and no other braces. ${example}`)
  }
  const start = URL.parse(startUrl) ?? URL.parse(`https://${startUrl}`)
  const mark = "page7number"
  const whole = start && URL.parse(pattern.replaceAll(pageMark, mark), start.href)
  if (!whole || !/^https?:$/.test(whole.protocol)) {
    throw new BadInput(`nextPage: "${pattern}" is not an http or https URL. ${example}`)
  }
  const offset = numberIn(whole.href.split(mark), start.href) ?? 1
  return whole.href.replaceAll(mark, String(offset + page - 1))
}

/**
 * Returns the page number in a URL that matches a pattern; null if it does not match. The pattern
 * is given by the parts around the number.
 */
function numberIn([head = "", ...tail]: string[], url: string): number | null {
  const digits = url.startsWith(head) ? /^\d{1,9}/.exec(url.slice(head.length))?.[0] : undefined
  return digits !== undefined && head + tail.map((part) => digits + part).join("") === url
    ? Number(digits)
    : null
}

export const isPattern = (nextPage: string | undefined) => nextPage?.includes(pageMark) === true

/** Returns the next page of a list; null after the last. Throws BadInput for a slow selector. */
export function nextListPage(
  { nextPage, maxPages }: ListingInput,
  target: string | ListPage,
  { response, rows }: { response: UpstreamResponse; rows: readonly FieldData[] },
): ListPage | null {
  const { page, clicks, startUrl } = pagePosition(target)
  if (nextPage === undefined || page >= maxPages) return null
  const next = { kind: "list" as const, startUrl, page: page + 1, before: beginning(rows) }
  if (isPattern(nextPage)) return { ...next, url: pageUrl(nextPage, startUrl, page + 1), clicks: 0 }
  const match = linkOrButton(nextPage, response)
  if (match === null) return null
  if (match !== "button") return isSame(match, startUrl) ? null : { ...next, url: match, clicks: 0 }
  const url = typeof target !== "string" && clicks > 0 ? target.url : response.url
  return clicks < maxClicks ? { ...next, url, clicks: clicks + 1 } : null
}

/** Returns the page number of a list page, its clicks, and the URL of the input. */
export const pagePosition = (target: string | ListPage) =>
  typeof target === "string" ? { page: 1, clicks: 0, startUrl: target } : target

const isSame = (url: string, startUrl: string) =>
  normaliseUrl(url) === normaliseUrl(completeUrl(startUrl) ?? startUrl)

/** Returns the key of a list page. A page with the same key is not read again. */
export const keyOf = ({ startUrl, url, clicks }: ListPage) =>
  `${startUrl} ${normaliseUrl(url)} ${clicks}`

function linkOrButton(selector: string, response: UpstreamResponse): string | "button" | null {
  const { document, url } = response
  const [element] = namingInput("nextPage", () => new Finder().find(document, selector, 1))
  if (!element || isDisabled(element)) return null
  const link =
    element.closest("a[href], area[href], link[href]") ?? element.querySelector("a[href]")
  const href = link?.getAttribute("href")?.trim() ?? ""
  if (/^(?:#|javascript:|$)/i.test(href)) return "button"
  const next = absoluteUrl(href, baseUrl(document, url))
  return next === null || normaliseUrl(next) === normaliseUrl(url) ? null : next
}

const isDisabled = (element: Element): boolean =>
  [element, element.parentElement].some(
    (one) =>
      one !== null &&
      (one.hasAttribute("disabled") ||
        one.getAttribute("aria-disabled") === "true" ||
        /(?:^|[\s_-])disabled(?:$|\s)/.test(one.getAttribute("class") ?? "")),
  )

function beginning(rows: readonly FieldData[]): ListPage["before"] {
  const digest = (part: readonly FieldData[]) =>
    sha256(JSON.stringify(part.map(({ data }) => data)))
  return { first: digest(rows.slice(0, 1)), all: digest(rows), rows: rows.length }
}

/** Returns the rows that the previous page did not have: "load more" buttons keep earlier rows. */
export function newRows(rows: FieldData[], target: string | ListPage): FieldData[] {
  if (typeof target === "string") return rows
  const { first, all, rows: count } = target.before
  const now = beginning(rows)
  if (now.all === all) return []
  return target.clicks > 0 && now.first === first && rows.length > count ? rows.slice(count) : rows
}

/** Returns the detail pages of a row; none if it has no link. */
export function detailPages(
  { data, missing }: FieldData,
  link: string,
  { startUrl, response }: { startUrl: string; response: UpstreamResponse },
) {
  const base = baseUrl(response.document, response.url)
  const common = { kind: "detail" as const, startUrl, listUrl: response.url, missing }
  return [data[link] ?? []].flat().flatMap((value) => {
    const url = typeof value === "string" ? absoluteUrl(value, base) : null
    if (url === null || !/^https?:/.test(url)) return []
    return [{ ...common, url, data: { ...data, [link]: url } }]
  })
}
