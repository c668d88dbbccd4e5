import { type CallToolResult, ErrorCode } from "@modelcontextprotocol/sdk/types.js"
import type { Static, TObject } from "@sinclair/typebox"
import type { ClaimStatus } from "../../accounts/claims.ts"
import { BoundedMap } from "../../base/bounded-map.ts"
import { minuteMs } from "../../base/time.ts"
import { findSlug } from "../../catalogue/find.ts"
import {
  type AnyScraper,
  briefText,
  briefValue,
  categories,
  checkInput,
  coerced,
  inputObject,
  ownFieldsOf,
  schemaOfTypes,
  schemaWithOwn,
  topField,
} from "../../catalogue/kit/index.ts"
import { ApiError } from "../http/errors.ts"
import { requireFields } from "../items/item-fields.ts"
import { exampleOf } from "../keyless/card.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import { conditionsIn } from "../v1/item-choice.ts"
import { requireExpression, withinLimits } from "../v1/item-transform.ts"
import { elicitKey } from "./elicit-key.ts"
import { found } from "./find.ts"
import type { PageRequest } from "./item-page.ts"
import { isManageTool, type ManageTool, manageInputs } from "./manage-inputs.ts"
import { searchResult, statusLine, toolResult } from "./result.ts"
import { RpcError } from "./rpc-error.ts"
import { inputs, readingTools, responseOptions } from "./tool-inputs.ts"
import type { ToolResponse, ToolRuns, Waiting } from "./tool-runs.ts"
import type { ToolSet } from "./tool-set.ts"

/** Maximum runs in a list. */
const lastRuns = 10

interface RunOptions {
  /** Seconds. */
  maxAge?: number | undefined
  /** Name of the session of the account. */
  session?: string | undefined
  /** The tool's names of the scraper's inputs. */
  names?: Record<string, string>
}

/** Names of inputs of the tools that read a page. */
const readingNames = { urls: "url", extract: "schema" }

/** An error that a model can correct. */
class Refused extends Error {
  constructor(
    message: string,
    readonly details?: unknown,
  ) {
    super(message)
  }
}

/** A call of a tool. */
export class ToolCall {
  constructor(
    private readonly tools: ToolSet,
    private readonly runs: ToolRuns,
    private readonly waiting: Waiting,
  ) {}

  async response(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    try {
      return await this.tool(name, args)
    } catch (error) {
      if (error instanceof Refused) return this.invalid(error.message, error.details)
      if (error instanceof ApiError) return this.invalid(wordsOf(error), error.details)
      throw error
    }
  }

  private tool(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    const { tools } = this
    if (!tools.filter.meta && tools.scraper(name)) return this.runTool(tools.scraper(name)!, args)
    if (!tools.names.includes(name)) throw unknownTool(name, tools.names)
    switch (name) {
      case "read_page": {
        const { url, maxTokens } = checked(name, args)
        return this.run(
          tools.known(readingTools.read_page)!,
          { urls: [url] },
          readingPage(maxTokens),
          { names: readingNames },
        )
      }
      case "search_web":
        return this.searchWeb(checked(name, args))
      case "extract": {
        requireSchema(args)
        const { url, schema } = checked(name, args)
        const input = {
          urls: [url],
          fields: [],
          extract: { schema: schemaOfTypes(schema) ?? schema },
        }
        const page = { fields: ["url", "extracted"] }
        return this.run(tools.known(readingTools.extract)!, input, page, { names: readingNames })
      }
      case "find_scrapers": {
        const request = checked(name, args)
        requireCategory(request.category)
        return Promise.resolve(found(tools, request))
      }
      case "run_scraper": {
        const provided = withInput(inputs.run_scraper, args)
        this.requireInput(provided)
        const { scraper, input, maxAge, session, ...page } = checked(name, provided)
        return this.runNamed(scraper, input, page, { maxAge, session })
      }
      case "start_run": {
        const provided = withInput(inputs.start_run, args)
        this.requireInput(provided)
        return this.start(checked(name, provided))
      }
      case "get_run":
        return this.getRun(checked(name, args))
      case "get_items":
        return this.getItems(checked(name, args))
      case "watch":
        requireWatched(args)
        return this.watch(checked(name, args))
      case "list_destinations":
        checked(name, args)
        return this.destinations()
      case "claim_key":
        return this.claim(checked(name, args).claimStatusUrl)
      case "abort_run": {
        const { run } = checked(name, args)
        return this.runs.abort(run).then((response) => this.reported(response, run))
      }
      default:
        if (isManageTool(name)) return this.manage(name, args)
        throw unknownTool(name, tools.names)
    }
  }

  private async manage(name: ManageTool, args: Record<string, unknown>): Promise<CallToolResult> {
    const input = checkedBy(manageInputs[name], args)
    const { text, data } = await this.runs.manage!(name, input, this.waiting.signal)
    return this.plain(text, data)
  }

  /** A scraper's own tool also accepts the response options that are not inputs of the scraper. */
  private runTool(scraper: AnyScraper, args: Record<string, unknown>): Promise<CallToolResult> {
    const options = responseOptions(scraper)
    const names = Object.keys(options)
    const provided = Object.entries(args)
    const page = checkedBy(
      inputObject(options),
      Object.fromEntries(provided.filter(([name]) => names.includes(name))),
    ) as { fields?: string[]; maxTokens?: number }
    if (page.fields) requireFields(scraper.item, page.fields)
    const input = Object.fromEntries(provided.filter(([name]) => !names.includes(name)))
    return this.run(scraper, input, page)
  }

  private runNamed(
    slug: string,
    input: unknown,
    page: { fields?: string[]; maxTokens?: number },
    options: RunOptions,
  ): Promise<CallToolResult> {
    const scraper = this.named(slug)
    const own = ownFieldsOf(scraper, inputOf(scraper, input))
    if (page.fields) requireFields(schemaWithOwn(scraper.item, own), page.fields)
    return this.run(scraper, input, { ...page, own }, options)
  }

  private async searchWeb(input: Static<(typeof inputs)["search_web"]>) {
    const page = this.page({})
    const request = { ...input, kind: "web" as const, maxTokens: page.maxTokens }
    const response = await this.runs.search(request, this.waiting)
    if (this.waiting.opensUrls) elicitKey(response)
    return searchResult(this.runs, response, page)
  }

  private async run(
    scraper: AnyScraper,
    raw: unknown,
    page: Partial<PageRequest>,
    { maxAge, session, names }: RunOptions = {},
  ): Promise<CallToolResult> {
    const waiting = {
      ...this.waiting,
      ...(maxAge === undefined ? {} : { maxAgeMs: maxAge * 1000 }),
      ...(session === undefined ? {} : { session }),
    }
    const input = names ? namedInputOf(scraper, raw, names) : inputOf(scraper, raw)
    const response = await this.runs.run(scraper, input, waiting)
    if (this.waiting.opensUrls) elicitKey(response)
    const issues = names && (response.error as { details?: unknown } | undefined)?.details
    const reported = Array.isArray(issues)
      ? { ...response, error: { ...(response.error as object), details: inNames(issues, names!) } }
      : response
    return toolResult(this.runs, reported, this.page(page))
  }

  private async start(requested: Static<(typeof inputs)["start_run"]>) {
    const { scraper: slug, input, destination, session } = requested
    const scraper = this.named(slug)
    const deliver = destination === undefined ? undefined : await this.deliveryTo(destination)
    const { onProgress: _, ...waiting } = this.waiting
    const named = session === undefined ? {} : { session }
    const started = { ...waiting, ...named, signal: new AbortController().signal, waitMs: 0 }
    const response = await this.runs.run(scraper, inputOf(scraper, input), started)
    if (response.run) await deliver?.(response.run.id)
    if (this.waiting.opensUrls) elicitKey(response)
    return toolResult(this.runs, response, this.page({}))
  }

  private deliveryTo(destination: string) {
    if (this.runs.deliveryTo) return this.runs.deliveryTo(destination)
    throw new Refused("There are no destinations here: they belong to accounts of a service.")
  }

  private async destinations(): Promise<CallToolResult> {
    const destinations = (await this.runs.destinations?.()) ?? []
    const lines = destinations.map(({ name, kind, target, enabled, deliveries, error }) => {
      const { waiting, failed } = deliveries
      const state = enabled ? `${waiting} waiting, ${failed} failed` : "off"
      return `${name} (${kind}) ${target}: ${state}${error ? `, ${error}` : ""}`
    })
    const text =
      lines.join("\n") ||
      "There are none. They are created in the console, by the API, or with ?set=manage."
    return this.plain(text, { destinations })
  }

  private async getRun({ run, wait }: Static<(typeof inputs)["get_run"]>) {
    if (run !== undefined) {
      const response = await this.runs.find(run, { ...this.waiting, waitMs: wait * 1000 })
      return this.reported(response, run)
    }
    const latest = await this.runs.latest(lastRuns)
    const lines = latest.map(({ name, run }) => `${name} ${statusLine(run)}, ${run.created_at}`)
    const text = lines.join("\n") || 'There are no runs to list; set "run" to a run ID.'
    return this.plain(text, {
      runs: latest.map(({ name, run }) => ({ run: name, ...figures(run) })),
    })
  }

  private async getItems({ run, filter, ...page }: Static<(typeof inputs)["get_items"]>) {
    const response = await this.runs.find(run, this.waiting)
    const scraper = response.run && this.tools.known(response.run.slug)
    const transform = page.transform ?? response.run?.transform ?? undefined
    if (transform) await requireExpression(transform)
    const own = scraper && response.run ? ownFieldsOf(scraper, JSON.parse(response.run.input)) : []
    const schema = scraper && schemaWithOwn(scraper.item, own)
    if (schema && page.fields && !transform) requireFields(schema, page.fields)
    const conditions = conditionsIn(filter ?? [], schema)
    // A failed run is not an error of this call: it returns the items.
    const readable = response.run && response.status === "ERROR"
    const provided: ToolResponse = readable
      ? { ...response, status: "SUCCEEDED", notice: `${statusLine(response.run!)}.` }
      : response
    const requested = this.page({ ...page, transform, own, conditions, soFar: true })
    return withinLimits(toolResult(this.runs, provided, requested))
  }

  private async watch(requested: Static<(typeof inputs)["watch"]>): Promise<CallToolResult> {
    const { slug } = this.named(requested.scraper)
    const watching = await this.runs.watch!({ ...requested, scraper: slug })
    const { scheduleId, nextFireTimes, webhookSecret } = watching
    const reported = requested.webhook
      ? ` ${requested.webhook} receives the changes, signed with ${webhookSecret}. This secret is shown only once.`
      : ""
    return this.plain(
      `Schedule ${scheduleId} runs ${slug} every ${requested.every}, first at ${nextFireTimes[0]}.${reported} Its runs: get_run.`,
      { ...watching },
    )
  }

  private async claim(claimStatusUrl: string): Promise<CallToolResult> {
    const claim = await this.runs.claim?.(claimStatusUrl)
    if (!claim) {
      throw new Refused(
        `There is no claim "${briefText(claimStatusUrl)}". Claims expire after 24 hours: call the tool again.`,
      )
    }
    return this.plain(claimWords(claim), { ...claim })
  }

  /** The status of a run without its items. */
  private reported(response: ToolResponse, name: string): CallToolResult | Promise<CallToolResult> {
    const { run, error } = response
    if (!run) return toolResult(this.runs, response, this.page({}))
    const why = (error as { message?: string } | undefined)?.message
    const items = run.item_count + run.error_count
    const next = items > 0 ? ` Read its items: get_items ${JSON.stringify({ run: name })}.` : ""
    return this.plain(`${statusLine(run)}.${why ? ` ${why}` : ""}${next}`, {
      run: name,
      ...figures(run),
      ...(error === undefined ? {} : { error }),
    })
  }

  private plain(text: string, structured: Record<string, unknown>): CallToolResult {
    const content = [{ type: "text" as const, text }]
    if (!this.tools.filter.outputSchema) return { content }
    return {
      content,
      structuredContent: { status: "SUCCEEDED", itemCount: 0, items: [], ...structured },
    }
  }

  private page(requested: Partial<PageRequest>): PageRequest {
    const { outputSchema, maxTokens } = this.tools.filter
    return { maxTokens, ...requested, form: outputSchema ? "structured" : "text" }
  }

  /** Refuses an input that is not an object, with an example. @throws Refused */
  private requireInput({ scraper, input }: Record<string, unknown>): void {
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input)
    const isJson = typeof input === "string" && input.trim().startsWith("{")
    if (isObject || isJson || typeof scraper !== "string") return
    const example = `an object, for example ${exampleOf(this.named(scraper))}`
    const not = input === undefined ? "" : `, not ${JSON.stringify(briefValue(input))}`
    const message = `"input" must be ${example}${not}.`
    throw new Refused(message, [{ field: "input", expected: example }])
  }

  /** @throws Refused */
  private named(name: string): AnyScraper {
    const found = findSlug(name, this.tools.slugs)
    if ("slug" in found) return this.tools.scraper(found.slug)!
    const near = found.near.map((slug) => `"${slug}"`).join(" or ")
    const hint = near === "" ? "" : ` Did you mean ${near}?`
    const other = this.tools.names.includes("find_scrapers")
      ? " find_scrapers finds scrapers by a task."
      : ""
    throw new Refused(`There is no scraper "${briefText(name)}".${hint}${other}`)
  }

  private invalid(message: string, details?: unknown): Promise<CallToolResult> {
    const response = { status: "INVALID_INPUT", error: { message, details } }
    return toolResult(this.runs, response, this.page({}))
  }
}

/** Validates the arguments of a tool. @throws Refused */
function checked<Name extends keyof typeof inputs>(
  name: Name,
  args: Record<string, unknown>,
): Static<(typeof inputs)[Name]> {
  return checkedBy(inputs[name] as TObject, args) as Static<(typeof inputs)[Name]>
}

/** Separates names of fields at commas, as the list of all tools describes them. */
function withFieldList(args: Record<string, unknown>): Record<string, unknown> {
  const { fields } = args
  if (typeof fields !== "string" || fields.startsWith("[")) return args
  const names = fields.split(",").map((name) => name.trim())
  return { ...args, fields: names.filter((name) => name !== "") }
}

/** Names of arguments in other APIs. */
const otherNames: Record<string, string> = {
  runId: "run",
  run_id: "run",
  slug: "scraper",
  q: "query",
  task: "query",
  need: "query",
  search: "query",
}

function inOwnNames(schema: TObject, args: Record<string, unknown>): Record<string, unknown> {
  const names = Object.entries(args).map(([name, value]) => {
    const other = Object.hasOwn(otherNames, name) ? otherNames[name]! : name
    const isMeant =
      !Object.hasOwn(schema.properties, name) && Object.hasOwn(schema.properties, other)
    return [isMeant && !Object.hasOwn(args, other) ? other : name, value]
  })
  return Object.fromEntries(names)
}

/** @throws Refused */
function checkedBy(schema: TObject, args: Record<string, unknown>): Record<string, unknown> {
  const result = checkInput(schema, coerced(schema, inOwnNames(schema, withFieldList(args))))
  if (result.ok) return result.input
  throw faulty(result.issues)
}

/** The part of a page that one response returns. */
const readingPage = (maxTokens: number | undefined) => ({
  fields: ["title", "url", "publishedAt", "markdown"],
  ...(maxTokens !== undefined && { maxTokens }),
})

/** Valid inputs of the last calls, by the scraper's number and their text: models repeat calls. */
const validInputs = new BoundedMap<string, { input: Record<string, unknown>; until: number }>(500)
/** Some scrapers refuse dates of the past. */
const validForMs = minuteMs
const maxStoredInput = 1_000
const numbers = new WeakMap<AnyScraper, number>()
let scrapers = 0

function numberOf(scraper: AnyScraper): number {
  const known = numbers.get(scraper) ?? ++scrapers
  numbers.set(scraper, known)
  return known
}

/** @throws Refused */
function inputOf(scraper: AnyScraper, raw: unknown): Record<string, unknown> {
  const key = `${numberOf(scraper)} ${JSON.stringify(raw)}`
  const known = validInputs.get(key)
  if (known && known.until > performance.now()) return { ...known.input }
  const result = checkRunInput(scraper, raw)
  if (!result.ok) throw faulty(result.issues)
  if (key.length <= maxStoredInput) {
    validInputs.set(key, { input: result.input, until: performance.now() + validForMs })
  }
  return { ...result.input }
}

/** Returns issues by the tool's own names of the inputs. */
function inNames(issues: unknown[], names: Record<string, string>): unknown[] {
  return issues.map((issue) => {
    const { field } = issue as { field?: unknown }
    const name = typeof field === "string" ? names[topField(field)] : undefined
    return name === undefined ? issue : { ...(issue as object), field: name }
  })
}

/** @throws Refused in the tool's own names of the inputs. */
function namedInputOf(scraper: AnyScraper, raw: unknown, names: Record<string, string>) {
  try {
    return inputOf(scraper, raw)
  } catch (error) {
    if (!(error instanceof Refused) || !Array.isArray(error.details)) throw error
    const message = error.message.replace(/^extract: schema: it /, '"schema" ')
    throw new Refused(message, inNames(error.details, names))
  }
}

function claimWords(claim: ClaimStatus): string {
  if (claim.status === "pending") {
    return "pending: your user has not finished the sign-up. Call this again after about 10 seconds."
  }
  if (claim.status === "refused")
    return "refused: your user declined to provide a key. Do not ask again."
  if (claim.apiKey === undefined) return "ready: the key was already returned."
  return `ready. The API key, returned only once: ${claim.apiKey}\nYour user adds it to the client's configuration as the header Authorization: Bearer ${claim.apiKey}`
}

/** Moves the inputs of a scraper that are next to `scraper` into `input`, if that is missing. */
function withInput(schema: TObject, args: Record<string, unknown>): Record<string, unknown> {
  const isOwn = (name: string) =>
    Object.hasOwn(schema.properties, name) || Object.hasOwn(otherNames, name)
  const nextTo = Object.entries(args).filter(([name]) => !isOwn(name))
  if (args.input !== undefined || nextTo.length === 0) return args
  const own = Object.entries(args).filter(([name]) => isOwn(name))
  return { ...Object.fromEntries(own), input: Object.fromEntries(nextTo) }
}

/** @throws Refused */
function requireCategory(category: string | undefined): void {
  if (category === undefined || categories.some((one) => one === category)) return
  const expected = `one of ${categories.join(", ")}`
  const message = `"category" must be ${expected}, not "${briefText(category)}".`
  throw new Refused(message, [{ field: "category", expected }])
}

/** @throws Refused naming the short form of a schema. */
function requireSchema({ schema }: Record<string, unknown>): void {
  const isText = typeof schema === "string" && !schema.trim().startsWith("{")
  if (!isText && !Array.isArray(schema)) return
  const expected = 'a JSON Schema or the types of the fields, for example {"title":"string"}'
  const message = `"schema" must be ${expected}, not ${JSON.stringify(briefValue(schema))}.`
  throw new Refused(message, [{ field: "schema", expected }])
}

/** @throws Refused naming a call, if only a URL is given. */
function requireWatched({ scraper, url, urls }: Record<string, unknown>): void {
  const [page] = [url ?? urls].flat()
  if (scraper !== undefined || typeof page !== "string") return
  const call = { scraper: "page-change-monitor", input: { urls: [briefText(page)] }, every: "day" }
  const message = `"watch" takes a scraper and its input: ${JSON.stringify(call)} reports changes of a page, and "price-monitor" with "productUrls" those of a price.`
  throw new Refused(message, [
    { field: "scraper", expected: "page-change-monitor or price-monitor" },
  ])
}

/** Returns the message of an error without the part of a request, because tools have arguments. */
function wordsOf({ message, details }: ApiError): string {
  if (!Array.isArray(details)) return message
  const messages = (details as { message?: unknown }[]).map((issue) => issue.message)
  return messages.every((one) => typeof one === "string") ? messages.join(" ") : message
}

function faulty(issues: { message: string }[]): Refused {
  return new Refused(issues.map((issue) => issue.message).join(" "), issues)
}

function figures(run: NonNullable<Awaited<ReturnType<ToolRuns["latest"]>>[number]>["run"]) {
  const { slug, status, targets_done, targets_total, item_count, error_count } = run
  return {
    scraper: slug,
    runStatus: status,
    targetsDone: targets_done,
    targetsTotal: targets_total,
    total: item_count + error_count,
    errorCount: error_count,
  }
}

function unknownTool(name: string, known: readonly string[]): RpcError {
  const found = findSlug(name, known)
  const near = "slug" in found ? found.slug : found.near[0]
  const hint = near ? ` Did you mean "${near}"?` : " tools/list returns all tools."
  return new RpcError(ErrorCode.InvalidParams, `There is no tool "${briefText(name)}".${hint}`)
}
