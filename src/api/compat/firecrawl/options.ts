import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"
import { readActions, screenshotOf } from "./actions.ts"
import { type ChangeOptions, readChangeOptions } from "./change-tracking.ts"
import { isObjectForm, noModel, type ObjectRequest, objectRequest } from "./extraction.ts"

export type Version = "v1" | "v2"
export type Json = Record<string, unknown>

const forms = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "screenshot",
  "attributes",
  "branding",
  "changeTracking",
  "summary",
] as const
export type Form = (typeof forms)[number]

/** What is wanted of a page, in the words of our scraper. */
export interface PageOptions {
  forms: Form[]
  /** An object that is requested in addition to them. */
  object?: ObjectRequest | undefined
  input: Json
  waitMs: number | undefined
  /** How old a run of the same call may be that answers in its place; milliseconds. */
  maxAgeMs: number | undefined
  /** What is compared with the page's last run, and how it is shown. */
  changes?: ChangeOptions | undefined
  /** The document has what actions returned. */
  hasResults: boolean
  /** What was asked for and changes nothing here. */
  warning?: string
}

/** Without them the answer would be another one, or a promise would not be kept. */
const refused = [
  "agent",
  "profile",
  "redactPII",
  "lockdown",
  "threatProtection",
  "zeroDataRetention",
]
const received = new Set([
  "formats",
  "onlyMainContent",
  "includeTags",
  "excludeTags",
  "waitFor",
  "extract",
  "jsonOptions",
  "timeout",
  "actions",
  "headers",
  "location",
  "maxAge",
  "parsers",
  "changeTrackingOptions",
  "url",
  "urls",
])
/** Said by clients of themselves. */
export const ofClients = ["origin", "integration", "auditMetadata", "autoResume"]
/** What is done here in any case. */
const usual: Json = {
  blockAds: true,
  storeInCache: true,
  removeBase64Images: true,
  proxy: "auto",
}

const maxWaitMs = 300_000
const usualWaitMs = 60_000

/** What the caller may use. */
export interface Caller {
  /** A model. */
  model?: boolean
  /** Options that only accounts have. */
  account?: boolean
}

/** Forms that are not among the formats of the scraper. */
const ofOwnInput = new Set<Form>([
  "markdown",
  "screenshot",
  "attributes",
  "branding",
  "changeTracking",
  "summary",
])

/** The object whose fields are compared; it is shown only if the format json asks for it, too. */
function comparedObject(changes: ChangeOptions | undefined, model: boolean) {
  if (!changes?.extract) return undefined
  return { ...objectRequest("json", changes.extract, model), isHidden: true }
}

/** @throws ApiError 400 naming what cannot be done */
export function pageOptions(
  options: Json,
  { apart = [], model = false, account = false }: Caller & { apart?: readonly string[] } = {},
): PageOptions {
  requireNone(options, refused)
  const caller = { model, account }
  const { forms: wanted, screenshot, attributes, changes, ...requested } = formsOf(options, caller)
  const object = requested.object ?? comparedObject(changes, model)
  const parsers = readParsers(options.parsers)
  const waits = Number(options.waitFor) > 0
  const { actions, hasResults, pdf } = readActions(options.actions, {
    waitMs: waits && account ? Number(options.waitFor) : 0,
  })
  const formats = [
    ...wanted.filter((form) => !ofOwnInput.has(form)),
    ...(screenshot ? ["screenshot"] : []),
    ...(pdf ? ["pdf"] : []),
  ]
  const without = [...unheard(options, [...received, ...ofClients, ...apart]), ...parsers.ignored]
  const warnings = [
    ...(without.length > 0 ? [withoutEffect(without)] : []),
    ...(object?.warning ? [object.warning] : []),
    ...(wanted.includes("summary") ? [ownSummary] : []),
  ]
  const includeSelectors = textsOf(options, "includeTags")
  const excludeSelectors = textsOf(options, "excludeTags")
  return {
    forms: wanted,
    object,
    input: {
      mainContentOnly: options.onlyMainContent !== false,
      // The status of a page never decides whether a call succeeds.
      errorPages: true,
      formats: [...formats, "metadata"],
      ...(screenshot && { screenshot }),
      ...(includeSelectors.length > 0 && { includeSelectors }),
      ...(excludeSelectors.length > 0 && { excludeSelectors }),
      ...(attributes && { attributes }),
      ...(wanted.includes("branding") && { includeBranding: true }),
      ...(changes && { changes: changes.changes }),
      ...(parsers.pages !== undefined && { documentPages: parsers.pages }),
      ...(pdf && { pdf }),
      ...(actions.length > 0 && { actions }),
      ...(waits && { renderScripts: true }),
      ...requestOptions(options),
      ...(object && { extract: object.input }),
    },
    waitMs: waitOf(options.timeout),
    // The result of an earlier call does not show what changed since.
    maxAgeMs: changes ? 0 : maxAgeOf(options.maxAge),
    changes,
    hasResults,
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  }
}

/** @throws ApiError 400 naming the first of these that is asked for */
export function requireNone(options: Json, names: readonly string[], of = ""): void {
  const name = names.find((name) => isSet(options[name]) && !isEmpty(options[name]))
  if (name !== undefined) throw notOffered(`"${name}"${of}`)
}

const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0)

/** Refuses formats that the items of a job do not have. @throws ApiError 400 */
export function requireJobForms(forms: readonly Form[]): void {
  if (forms.includes("summary")) throw notOffered('The format "summary" of a job', noModel)
}

/** Names of what is asked for and not known here; what is done in any case is none. */
export const unheard = (options: Json, known: Iterable<string>): string[] => {
  const names = new Set(known)
  return Object.keys(options).filter((name) => {
    const value = options[name] ?? null
    return value !== null && !names.has(name) && value !== (usual[name] ?? false)
  })
}

const maxName = 64

/** What was asked for and changes nothing, in few words whatever it is called. */
export const withoutEffect = (names: readonly string[]) =>
  `Without effect here: ${names
    .slice(0, 20)
    .map((name) => name.slice(0, maxName))
    .join(", ")}.`

const isSet = (value: unknown) => value !== undefined && value !== null && value !== false

/** What of `formats` is wanted. */
interface PageForms {
  forms: Form[]
  screenshot?: Json
  object?: ObjectRequest
  attributes?: unknown[]
  changes?: ChangeOptions
}

/** @throws ApiError 400 naming a form that is not there */
function formsOf(options: Json, { model = false, account = false }: Caller): PageForms {
  const { formats: written } = options
  if (written === undefined || written === null) return { forms: ["markdown"] }
  if (!Array.isArray(written)) throw new ApiError(400, '"formats" must be a list.')
  const wanted = new Set<Form>()
  const requested: Omit<PageForms, "forms"> = {}
  for (const entry of written as unknown[]) {
    const own = (typeof entry === "string" ? { type: entry } : (entry ?? {})) as Json
    if (typeof own.type !== "string") {
      throw new ApiError(400, 'Each of "formats" must be a text, or an object with a "type".')
    }
    if (own.type === "changeTracking") {
      requested.changes = readChangeOptions(
        { ...(options.changeTrackingOptions as Json), ...own },
        account,
      )
    }
    if (own.type === "attributes") requested.attributes = readAttributes(own.selectors)
    const isOwnSummary = own.type === "summary" && !model
    if (isObjectForm(own.type) && !isOwnSummary) {
      if (requested.object) {
        throw notOffered(
          `"${requested.object.form}" and "${own.type}" of one page`,
          "Ask for them one by one.",
        )
      }
      const apart = (own.type === "extract" ? options.extract : options.jsonOptions) as
        | Json
        | undefined
      requested.object = objectRequest(own.type, { ...apart, ...own }, model)
      continue
    }
    const [name, variant] = own.type.split("@")
    const isVariant = variant === undefined || (name === "screenshot" && variant === "fullPage")
    if (!isVariant || !(forms as readonly unknown[]).includes(name)) {
      throw notOffered(
        `The format "${own.type.slice(0, 40)}"`,
        `There are ${[...forms, "json"].join(", ")}.`,
      )
    }
    if (name === "screenshot") {
      requested.screenshot = screenshotOf({ ...own, ...(variant && { fullPage: true }) })
    }
    wanted.add(name as Form)
  }
  return { forms: [...wanted], ...requested }
}

/** @throws ApiError 400 */
function readAttributes(selectors: unknown): unknown[] {
  const isEach = (one: unknown) => {
    const { selector, attribute } = (one ?? {}) as Json
    return typeof selector === "string" && typeof attribute === "string"
  }
  if (Array.isArray(selectors) && selectors.length > 0 && selectors.every(isEach)) {
    return selectors.map(({ selector, attribute }) => ({ selector, attribute }))
  }
  throw new ApiError(
    400,
    'The format "attributes" needs "selectors": a list of objects with "selector" and "attribute".',
  )
}

/** Of the parsers, there is that of PDFs, which is always used. @throws ApiError 400 */
function readParsers(written: unknown): { pages?: number; ignored: string[] } {
  if (written === undefined || written === null) return { ignored: [] }
  if (!Array.isArray(written)) throw new ApiError(400, '"parsers" must be a list.')
  if (written.length === 0) return { ignored: ["parsers: [] (documents are always read)"] }
  const ignored: string[] = []
  let pages: number | undefined
  for (const entry of written as unknown[]) {
    const { type, mode, maxPages, ...more } = (
      typeof entry === "string" ? { type: entry } : (entry ?? {})
    ) as Json
    if (type !== "pdf") ignored.push(`the parser "${String(type).slice(0, 40)}"`)
    else if (maxPages !== undefined && !(Number.isInteger(maxPages) && Number(maxPages) > 0)) {
      throw new ApiError(400, '"maxPages" of a parser must be a whole number above 0.')
    } else if (maxPages !== undefined) pages = Math.min(Number(maxPages), maxPdfPages)
    if (mode === "ocr") ignored.push('the mode "ocr" of PDFs')
    ignored.push(...unheard(more, []).map((name) => `"${name}" of a parser`))
  }
  return { ...(pages !== undefined && { pages }), ignored }
}

const maxPdfPages = 1000

function textsOf(options: Json, name: string): string[] {
  const value = options[name]
  if (!isSet(value)) return []
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value
  throw new ApiError(400, `"${name}" must be a list of CSS selectors.`)
}

/** Milliseconds. @throws ApiError 400 */
export function waitOf(written: unknown): number {
  if (!isSet(written)) return usualWaitMs
  const milliseconds = Number(written)
  if (milliseconds > 0) return Math.min(milliseconds, maxWaitMs)
  throw new ApiError(400, '"timeout" must be a number of milliseconds above 0.')
}

const maxCacheAgeMs = 86_400_000

function maxAgeOf(written: unknown): number | undefined {
  if (written === undefined || written === null) return undefined
  if (typeof written === "number" && written >= 0) return Math.min(written, maxCacheAgeMs)
  throw new ApiError(400, '"maxAge" must be a number of milliseconds.')
}

const ownSummary =
  "Without a model (TRAWL_LLM_URL), the summary is the page's own description or its first sentences."

/** How the page is asked for. */
function requestOptions({ headers, location }: Json): Json {
  if (isSet(headers) && !isTexts(headers)) {
    throw new ApiError(400, '"headers" must be an object of texts.')
  }
  const { country, languages } = (location ?? {}) as Json
  const spoken = Array.isArray(languages) ? languages.map(String).join(", ") : ""
  const all = {
    ...(spoken !== "" && { "Accept-Language": spoken }),
    ...(headers as Record<string, string> | undefined),
  }
  return {
    ...(Object.keys(all).length > 0 && { headers: all }),
    ...(typeof country === "string" && country !== "" && { country }),
  }
}

const isTexts = (value: unknown) =>
  typeof value === "object" &&
  !Array.isArray(value) &&
  Object.values(value as object).every((one) => typeof one === "string")
