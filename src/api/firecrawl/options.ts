import { notOffered } from "../dropin/refusal.ts"
import { ApiError } from "../http/errors.ts"
import { actionsAsked, screenshotOf, type TailForm } from "./actions.ts"
import { isObjectForm, type ObjectAsked, objectAsked } from "./extraction.ts"

export type Version = "v1" | "v2"
export type Json = Record<string, unknown>

const forms = ["markdown", "html", "rawHtml", "links", "images", "screenshot"] as const
export type Form = (typeof forms)[number]

/** What is wanted of a page, in the words of our scraper. */
export interface PageOptions {
  forms: Form[]
  /** An object that is asked for beside them. */
  object?: ObjectAsked | undefined
  input: Json
  waitMs: number | undefined
  /** How old a run of the same call may be that answers in its place; milliseconds. */
  maxAgeMs: number | undefined
  /** What actions ask for of the page as they leave it, in their order. */
  tail: TailForm[]
  /** What was asked for and changes nothing here. */
  warning?: string
}

/** Without them the answer would be another one. */
const refused: Record<string, string> = {
  agent: "agent",
  changeTrackingOptions: "changeTrackingOptions",
  profile: "profile",
  redactPII: "redactPII",
  lockdown: "lockdown",
}
const heard = new Set([
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
])
/** Said by clients of themselves, or of what a cache keeps. */
const silent = new Set([
  "url",
  "urls",
  "origin",
  "integration",
  "minAge",
  "storeInCache",
  "blockAds",
  "removeBase64Images",
  "fastMode",
  "toolDetail",
  "domainTools",
  "auditMetadata",
  "autoResume",
])

const longestWaitMs = 300_000
const usualWaitMs = 60_000

/** What is there for whoever calls. */
export interface Caller {
  /** A model. */
  model?: boolean
  /** What is for accounts alone. */
  account?: boolean
}

/** @throws ApiError 400 naming what cannot be done */
export function pageOptions(
  options: Json,
  { apart = [], model = false, account = false }: Caller & { apart?: readonly string[] } = {},
): PageOptions {
  for (const [name, what] of Object.entries(refused)) {
    if (isSet(options[name])) throw notOffered(`"${what}"`)
  }
  const { forms: wanted, screenshot: pictured, object } = formsOf(options, model)
  const waits = Number(options.waitFor) > 0
  const {
    actions,
    tail,
    screenshot = pictured,
    pdf,
  } = actionsAsked(options.actions, {
    waitMs: waits && account ? Number(options.waitFor) : 0,
  })
  const formats = [
    ...wanted.filter((form) => form !== "markdown" && form !== "screenshot"),
    ...(tail.includes("scrape") && !wanted.includes("html") ? ["html"] : []),
    ...(screenshot ? ["screenshot"] : []),
    ...(pdf ? ["pdf"] : []),
  ]
  const without = Object.keys(options).filter(
    (name) =>
      isSet(options[name]) && !heard.has(name) && !silent.has(name) && !apart.includes(name),
  )
  const warnings = [
    ...(without.length > 0 ? [withoutEffect(without)] : []),
    ...(object?.warning ? [object.warning] : []),
  ]
  const includeSelectors = textsOf(options, "includeTags")
  const excludeSelectors = textsOf(options, "excludeTags")
  return {
    forms: wanted,
    object,
    input: {
      mainContentOnly: options.onlyMainContent !== false,
      formats: [...formats, "metadata"],
      ...(screenshot && { screenshot }),
      ...(includeSelectors.length > 0 && { includeSelectors }),
      ...(excludeSelectors.length > 0 && { excludeSelectors }),
      ...(pdf && { pdf }),
      ...(actions.length > 0 && { actions }),
      ...(waits && { renderScripts: true }),
      ...requestAsked(options),
      ...(object && { extract: object.input }),
    },
    waitMs: waitOf(options.timeout),
    maxAgeMs: maxAgeOf(options.maxAge),
    tail,
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  }
}

const longestName = 64

/** What was asked for and changes nothing, in few words whatever it is called. */
export const withoutEffect = (names: readonly string[]) =>
  `Without effect here: ${names
    .slice(0, 20)
    .map((name) => name.slice(0, longestName))
    .join(", ")}.`

const isSet = (value: unknown) => value !== undefined && value !== null && value !== false

/** What of `formats` is wanted. */
interface FormsAsked {
  forms: Form[]
  screenshot?: Json
  object?: ObjectAsked
}

/** @throws ApiError 400 naming a form that is not there */
function formsOf(options: Json, model: boolean): FormsAsked {
  const { formats: written } = options
  if (written === undefined || written === null) return { forms: ["markdown"] }
  if (!Array.isArray(written)) throw new ApiError(400, '"formats" must be a list.')
  const wanted = new Set<Form>()
  const asked: Omit<FormsAsked, "forms"> = {}
  for (const entry of written as unknown[]) {
    const own = (typeof entry === "string" ? { type: entry } : (entry ?? {})) as Json
    if (typeof own.type !== "string") {
      throw new ApiError(400, 'Each of "formats" must be a text, or an object with a "type".')
    }
    if (isObjectForm(own.type)) {
      if (asked.object) {
        throw notOffered(
          `"${asked.object.form}" and "${own.type}" of one page`,
          "Ask for them one by one.",
        )
      }
      const apart = (own.type === "extract" ? options.extract : options.jsonOptions) as
        | Json
        | undefined
      asked.object = objectAsked(own.type, { ...apart, ...own }, model)
      continue
    }
    const [name, variant] = own.type.split("@")
    const isVariant = variant === undefined || (name === "screenshot" && variant === "fullPage")
    if (!isVariant || !(forms as readonly unknown[]).includes(name)) {
      throw notOffered(
        `The format "${own.type.slice(0, 40)}"`,
        `There are ${[...forms, "json", "summary"].join(", ")}.`,
      )
    }
    if (name === "screenshot") {
      asked.screenshot = screenshotOf({ ...own, ...(variant && { fullPage: true }) })
    }
    wanted.add(name as Form)
  }
  return { forms: [...wanted], ...asked }
}

function textsOf(options: Json, name: string): string[] {
  const value = options[name]
  if (!isSet(value)) return []
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value
  throw new ApiError(400, `"${name}" must be a list of CSS selectors.`)
}

function waitOf(written: unknown): number {
  if (!isSet(written)) return usualWaitMs
  const milliseconds = Number(written)
  if (milliseconds > 0) return Math.min(milliseconds, longestWaitMs)
  throw new ApiError(400, '"timeout" must be a number of milliseconds above 0.')
}

const longestAgeMs = 86_400_000

function maxAgeOf(written: unknown): number | undefined {
  if (written === undefined || written === null) return undefined
  if (typeof written === "number" && written >= 0) return Math.min(written, longestAgeMs)
  throw new ApiError(400, '"maxAge" must be a number of milliseconds.')
}

/** How the page is asked for. */
function requestAsked({ headers, location }: Json): Json {
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
