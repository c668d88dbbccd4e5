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

/** Options of a page in the scraper's input format. */
export interface PageOptions {
  forms: Form[]
  /** An extracted object in addition to the formats. */
  object?: ObjectRequest | undefined
  input: Json
  waitMs: number | undefined
  /** Maximum age of a cached result in milliseconds. */
  maxAgeMs: number | undefined
  /** How the page is compared with its previous version. */
  changes?: ChangeOptions | undefined
  /** Whether an action returns a result in the document. */
  hasResults: boolean
  /** Options that were accepted but have no effect. */
  warning?: string
}

/** Options that are refused, because ignoring them would change the result or break a promise. */
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
/** Options in which clients describe themselves; they are ignored. */
export const ofClients = ["origin", "integration", "auditMetadata", "autoResume"]
/** Options with the value that Trawl always uses. */
const usual: Json = {
  blockAds: true,
  storeInCache: true,
  removeBase64Images: true,
  proxy: "auto",
}

const maxWaitMs = 300_000
const usualWaitMs = 60_000

/** Features that the caller may use. */
export interface Caller {
  /** A model. */
  model?: boolean
  /** Whether the caller has an account. */
  account?: boolean
}

/** Formats that are inputs of their own. */
const ofOwnInput = new Set<Form>([
  "markdown",
  "screenshot",
  "attributes",
  "branding",
  "changeTracking",
  "summary",
])

/**
 * The object whose fields are compared. It is returned only if the format "json" requests it too.
 */
function comparedObject(changes: ChangeOptions | undefined, model: boolean) {
  if (!changes?.extract) return undefined
  return { ...objectRequest("json", changes.extract, model), isHidden: true }
}

/** Reads the options of a page. @throws ApiError 400 for options that Trawl does not have */
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
      // The status of a page never decides whether the call succeeds.
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
    // A cached result does not show later changes.
    maxAgeMs: changes ? 0 : maxAgeOf(options.maxAge),
    changes,
    hasResults,
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  }
}

/** Refuses these options. @throws ApiError 400 for the first one that is set */
export function requireNone(options: Json, names: readonly string[], of = ""): void {
  const name = names.find((name) => isSet(options[name]) && !isEmpty(options[name]))
  if (name !== undefined) throw notOffered(`"${name}"${of}`)
}

const isEmpty = (value: unknown) => value === "" || (Array.isArray(value) && value.length === 0)

/** Refuses formats that the items of a job do not have. @throws ApiError 400 */
export function requireJobForms(forms: readonly Form[]): void {
  if (forms.includes("summary")) throw notOffered('The format "summary" in a job', noModel)
}

/** Names of unknown options, without those that have the value that Trawl always uses. */
export const unheard = (options: Json, known: Iterable<string>): string[] => {
  const names = new Set(known)
  return Object.keys(options).filter((name) => {
    const value = options[name] ?? null
    return value !== null && !names.has(name) && value !== (usual[name] ?? false)
  })
}

const maxName = 64

/** A warning for options that have no effect, shortened to a bounded length. */
export const withoutEffect = (names: readonly string[]) =>
  `Ignored options: ${names
    .slice(0, 20)
    .map((name) => name.slice(0, maxName))
    .join(", ")}.`

const isSet = (value: unknown) => value !== undefined && value !== null && value !== false

/** The requested formats of a page. */
interface PageForms {
  forms: Form[]
  screenshot?: Json
  object?: ObjectRequest
  attributes?: unknown[]
  changes?: ChangeOptions
}

/** Reads the formats of a page. @throws ApiError 400 for unknown formats */
function formsOf(options: Json, { model = false, account = false }: Caller): PageForms {
  const { formats: written } = options
  if (written === undefined || written === null) return { forms: ["markdown"] }
  if (!Array.isArray(written)) throw new ApiError(400, '"formats" must be a list.')
  const wanted = new Set<Form>()
  const requested: Omit<PageForms, "forms"> = {}
  for (const entry of written as unknown[]) {
    const own = (typeof entry === "string" ? { type: entry } : (entry ?? {})) as Json
    if (typeof own.type !== "string") {
      throw new ApiError(400, 'Each of "formats" must be a string, or an object with a "type".')
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
          `"${requested.object.form}" and "${own.type}" of the same page`,
          "Request one of them per call.",
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

/**
 * Reads the parser options. Only the PDF parser exists, and it is always used. @throws ApiError 400
 */
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
      throw new ApiError(400, '"maxPages" of a parser must be a whole number greater than 0.')
    } else if (maxPages !== undefined) pages = Math.min(Number(maxPages), maxPdfPages)
    if (mode === "ocr") ignored.push('the PDF mode "ocr"')
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
  throw new ApiError(400, '"timeout" must be a number of milliseconds greater than 0.')
}

const maxCacheAgeMs = 86_400_000

function maxAgeOf(written: unknown): number | undefined {
  if (written === undefined || written === null) return undefined
  if (typeof written === "number" && written >= 0) return Math.min(written, maxCacheAgeMs)
  throw new ApiError(400, '"maxAge" must be a number of milliseconds.')
}

const ownSummary =
  "No model is set up on this server: the summary is the page's description or its first sentences."

/** The request options of a page: headers, country and language. */
function requestOptions({ headers, location }: Json): Json {
  if (isSet(headers) && !isTexts(headers)) {
    throw new ApiError(400, '"headers" must be an object with string values.')
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
