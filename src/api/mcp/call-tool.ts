import { type CallToolResult, ErrorCode } from "@modelcontextprotocol/sdk/types.js"
import type { Static, TObject } from "@sinclair/typebox"
import { findSlug } from "../../catalogue/find.ts"
import { type AnyScraper, briefText, checkInput } from "../../catalogue/kit/index.ts"
import { ApiError } from "../http/errors.ts"
import { requireFields } from "../v1/item-fields.ts"
import { requireExpression, withinLimits } from "../v1/item-transform.ts"
import { checkRunInput } from "../v1/run-input.ts"
import { elicitKey } from "./elicitation.ts"
import { found } from "./find.ts"
import type { PageAsked } from "./item-page.ts"
import { standing, toolResult } from "./result.ts"
import { RpcFault } from "./rpc-fault.ts"
import { inputs, maxTokens } from "./tool-inputs.ts"
import type { ToolAnswer, ToolRuns, Waiting } from "./tool-runs.ts"
import type { ToolSet } from "./tool-set.ts"

/** Runs that a list without a name shows. */
const lastRuns = 10

/** What was asked for cannot be done, and a model can mend it. */
class Refused extends Error {
  constructor(
    message: string,
    readonly details?: unknown,
  ) {
    super(message)
  }
}

/** One call of a tool. */
export class ToolCall {
  constructor(
    private readonly tools: ToolSet,
    private readonly runs: ToolRuns,
    private readonly waiting: Waiting,
  ) {}

  async answer(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    try {
      return await this.tool(name, args)
    } catch (error) {
      if (error instanceof Refused) return this.invalid(error.message, error.details)
      if (error instanceof ApiError) return this.invalid(error.message, error.details)
      throw error
    }
  }

  private tool(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    const { tools } = this
    if (tools.filter.meta) {
      if (name === "find_scrapers") return Promise.resolve(found(tools, checked(name, args)))
      if (name === "run_scraper") {
        const { scraper, input, ...page } = checked(name, args)
        return this.runNamed(scraper, input, page)
      }
    } else if (tools.scraper(name)) {
      return this.runTool(tools.scraper(name)!, args)
    }
    switch (name) {
      case "start_run":
        return this.start(checked(name, args))
      case "get_run":
        return this.getRun(checked(name, args))
      case "get_items":
        return this.getItems(checked(name, args))
      case "abort_run": {
        const { run } = checked(name, args)
        return this.runs.abort(run).then((answer) => this.told(answer, run))
      }
      default:
        throw unknownTool(name, tools.names)
    }
  }

  /** A scraper's own tool also takes `maxTokens`, where its input has no such field. */
  private runTool(scraper: AnyScraper, args: Record<string, unknown>): Promise<CallToolResult> {
    if (args.maxTokens === undefined || Object.hasOwn(scraper.input.properties, "maxTokens")) {
      return this.run(scraper, args, {})
    }
    const { maxTokens: most, ...input } = args
    if (
      !Number.isInteger(most) ||
      Number(most) < maxTokens.minimum! ||
      Number(most) > maxTokens.maximum!
    ) {
      throw new Refused(
        `"maxTokens" must be an integer from ${maxTokens.minimum} to ${maxTokens.maximum}.`,
      )
    }
    return this.run(scraper, input, { maxTokens: Number(most) })
  }

  private runNamed(
    slug: string,
    input: unknown,
    page: { fields?: string[]; maxTokens?: number },
  ): Promise<CallToolResult> {
    const scraper = this.named(slug)
    if (page.fields) requireFields(scraper.item, page.fields)
    return this.run(scraper, input, page)
  }

  private async run(scraper: AnyScraper, raw: unknown, page: Partial<PageAsked>) {
    const answer = await this.runs.run(scraper, inputOf(scraper, raw), this.waiting)
    if (this.waiting.opensAddresses) elicitKey(answer)
    return toolResult(this.runs, answer, this.page(page))
  }

  private async start({ scraper: slug, input }: Static<(typeof inputs)["start_run"]>) {
    const scraper = this.named(slug)
    const { onProgress: _, ...waiting } = this.waiting
    const begun = { ...waiting, signal: new AbortController().signal, waitMs: 0 }
    const answer = await this.runs.run(scraper, inputOf(scraper, input), begun)
    if (this.waiting.opensAddresses) elicitKey(answer)
    return toolResult(this.runs, answer, this.page({}))
  }

  private async getRun({ run, wait }: Static<(typeof inputs)["get_run"]>) {
    if (run !== undefined) {
      const answer = await this.runs.find(run, { ...this.waiting, waitMs: wait * 1000 })
      return this.told(answer, run)
    }
    const latest = await this.runs.latest(lastRuns)
    const lines = latest.map(({ name, run }) => `${name} ${standing(run)}, ${run.created_at}`)
    const text = lines.join("\n") || "There are no runs that could be listed; give the name of one."
    return this.plain(text, {
      runs: latest.map(({ name, run }) => ({ run: name, ...figures(run) })),
    })
  }

  private async getItems({ run, ...page }: Static<(typeof inputs)["get_items"]>) {
    const answer = await this.runs.find(run, this.waiting)
    const scraper = answer.run && this.tools.known(answer.run.slug)
    const transform = page.transform ?? answer.run?.transform ?? undefined
    if (transform) await requireExpression(transform)
    else if (scraper && page.fields) requireFields(scraper.item, page.fields)
    // That the run itself failed is no failure of this call, whose items are there.
    const readable = answer.run && answer.status === "ERROR"
    const given: ToolAnswer = readable
      ? { ...answer, status: "SUCCEEDED", notice: `${standing(answer.run!)}.` }
      : answer
    const asked = this.page({ ...page, transform, soFar: true })
    return withinLimits(toolResult(this.runs, given, asked))
  }

  /** A run's standing, without its items. */
  private told(answer: ToolAnswer, name: string): CallToolResult | Promise<CallToolResult> {
    const { run, error } = answer
    if (!run) return toolResult(this.runs, answer, this.page({}))
    const why = (error as { message?: string } | undefined)?.message
    const items = run.item_count + run.error_count
    const next = items > 0 ? ` Read its items: get_items ${JSON.stringify({ run: name })}.` : ""
    return this.plain(`${standing(run)}.${why ? ` ${why}` : ""}${next}`, {
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

  private page(asked: Partial<PageAsked>): PageAsked {
    const { outputSchema, maxTokens } = this.tools.filter
    return { maxTokens, ...asked, form: outputSchema ? "structured" : "text" }
  }

  /** @throws Refused */
  private named(name: string): AnyScraper {
    const found = findSlug(name, this.tools.slugs)
    if ("slug" in found) return this.tools.scraper(found.slug)!
    const near = found.near.map((slug) => `"${slug}"`).join(" or ")
    const hint = near === "" ? "" : ` Did you mean ${near}?`
    throw new Refused(`There is no scraper "${briefText(name)}".${hint}`)
  }

  private invalid(message: string, details?: unknown): Promise<CallToolResult> {
    const answer = { status: "INVALID_INPUT", error: { message, details } }
    return toolResult(this.runs, answer, this.page({}))
  }
}

/** Arguments as a tool takes them. @throws Refused */
function checked<Name extends keyof typeof inputs>(
  name: Name,
  args: Record<string, unknown>,
): Static<(typeof inputs)[Name]> {
  const result = checkInput(inputs[name] as TObject, args)
  if (result.ok) return result.input as Static<(typeof inputs)[Name]>
  throw faulty(result.faults)
}

/** @throws Refused */
function inputOf(scraper: AnyScraper, raw: unknown): Record<string, unknown> {
  const result = checkRunInput(scraper, raw)
  if (result.ok) return result.input
  throw faulty(result.faults)
}

function faulty(faults: { message: string }[]): Refused {
  return new Refused(faults.map((fault) => fault.message).join(" "), faults)
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

function unknownTool(name: string, known: readonly string[]): RpcFault {
  const found = findSlug(name, known)
  const near = "slug" in found ? found.slug : found.near[0]
  const hint = near ? ` Did you mean "${near}"?` : ""
  return new RpcFault(ErrorCode.InvalidParams, `There is no tool "${briefText(name)}".${hint}`)
}
