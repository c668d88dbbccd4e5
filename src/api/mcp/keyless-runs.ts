import { scopesOf } from "../../accounts/keys.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { fileById } from "../../store/files/files.ts"
import { accountRun, accountRuns } from "../../store/runs/run-lists.ts"
import { isOver, runById } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { bearerOf } from "../http/access.ts"
import { withLinks } from "../http/item-files.ts"
import { type AnonymousCaller, identify } from "../keyless/caller.ts"
import { KeylessError } from "../keyless/error.ts"
import type { KeylessResponse } from "../keyless/response.ts"
import type { KeylessSurface, Requested } from "../keyless/surface.ts"
import { searchFor, searchTool } from "../search/call-search.ts"
import type { SearchItem } from "../search/search.ts"
import type { Call } from "../service.ts"
import { deliveryTo, destinationsOf } from "./destinations.ts"
import { manage } from "./manage.ts"
import type { ManageTool } from "./manage-inputs.ts"
import { followRun } from "./run-progress.ts"
import { sessionsOf } from "./sessions.ts"
import type { StoredPages } from "./stored-pages.ts"
import {
  clientWaitMs,
  progressOf,
  responseOf,
  type SearchToolResponse,
  type ToolResponse,
  type ToolRuns,
  type ToolSearch,
  unknownRun,
  type Waiting,
  type WatchRequest,
} from "./tool-runs.ts"
import { watch } from "./watch.ts"

/** Accounts use the run's ID; anonymous callers use a secret that only they received. */
const accountName = /^run_/

/** The runs of the caller of an MCP request, paid by the daily quota or an account, with claims. */
export class KeylessRuns implements ToolRuns {
  constructor(
    private readonly surface: KeylessSurface,
    private readonly call: Call,
    readonly pages?: StoredPages,
  ) {}

  get db() {
    return this.surface.service.store.db
  }

  linked(item: Record<string, unknown>, run: RunRow): Promise<Record<string, unknown>> {
    const root = this.surface.service.root(this.call)
    return withLinks(this.db, item, { root, accountId: run.account_id })
  }

  async contents(id: string, run: RunRow): Promise<Uint8Array | undefined> {
    const file = await fileById(this.db, id, new Date().toISOString())
    if (file?.run_n !== run.n) return undefined
    const contents = await this.surface.service.files.open(file)
    return contents && new Response(contents).bytes()
  }

  async run(
    scraper: AnyScraper,
    input: Record<string, unknown>,
    {
      signal,
      onProgress,
      maxAgeMs,
      session,
      waitMs = onProgress ? clientWaitMs : undefined,
    }: Waiting,
  ): Promise<ToolResponse> {
    const { surface, call } = this
    const inputText = JSON.stringify(input)
    const requested: Requested = { tool: scraper.slug, inputText, agentId: null, token: null }
    let run: RunRow | undefined
    let name: () => Promise<string> = () => Promise.resolve("")
    let unfollow: (() => void) | undefined
    const cancel = () => void (run && this.end(run.id))
    signal.addEventListener("abort", cancel, { once: true })
    try {
      const { response } = await surface.response(call, requested, (caller) =>
        surface.calls.scrape(call, caller, {
          scraper,
          input,
          tool: scraper.slug,
          inputText,
          surface: "mcp",
          plain: true,
          ...(waitMs === undefined ? {} : { waitMs }),
          ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
          ...(session === undefined ? {} : { session }),
          onRun: (started) => {
            run = started
            name = this.naming(caller, scraper.slug, inputText, started.id)
            if (signal.aborted) cancel()
            if (onProgress) unfollow = this.follow(started.id, name, onProgress)
          },
        }),
      )
      // A run that others started may have finished before.
      const current = run && !isOver(run.status) ? await runById(this.db, run.id) : run
      return toolResponse(response, current && { run: current, name })
    } finally {
      unfollow?.()
      signal.removeEventListener("abort", cancel)
    }
  }

  async search(request: ToolSearch, { signal }: Waiting): Promise<SearchToolResponse> {
    const { surface, call } = this
    const requested = { tool: searchTool, inputText: request.query, agentId: null, token: null }
    const { response } = await surface.response(call, requested, (caller) =>
      searchFor(surface, { call, caller, surface: "mcp", signal }, { request }),
    )
    const { engines } = response
    const items = response.items as unknown as SearchItem[]
    return { ...toolResponse(response, undefined), items, ...(engines && { engines }) }
  }

  find(name: string, { waitMs = 0, signal }: Waiting): Promise<ToolResponse> {
    return this.named(name, async (id) => {
      this.call.server?.timeout(this.call.request, 0)
      const run = await this.surface.service.runs.wait(id, waitMs, signal)
      return run ? responseOf(run, () => Promise.resolve(name)) : unknownRun(name)
    })
  }

  abort(name: string): Promise<ToolResponse> {
    return this.named(name, async (id) => {
      const isOthers = !accountName.test(name) && this.surface.calls.isSharedRun(id)
      const run = isOthers ? undefined : await this.surface.service.runs.abort(id)
      if (run) return responseOf(run, () => Promise.resolve(name))
      if (!isOthers) return unknownRun(name)
      const message = "Other callers wait for the same run, so it continues."
      return { status: "ERROR", error: { message } }
    })
  }

  sessions() {
    return sessionsOf(this.surface.service, this.call)
  }

  destinations() {
    return destinationsOf(this.surface.service, this.call)
  }

  manage(name: ManageTool, input: Record<string, unknown>, signal: AbortSignal) {
    const { surface, call } = this
    return manage(surface.service, { call, signal }, name, input as never)
  }

  deliveryTo(name: string) {
    return deliveryTo(this.surface.service, this.call, name)
  }

  watch(requested: WatchRequest) {
    return watch(this.surface.service, this.call, requested)
  }

  claim(claimStatusUrl: string) {
    const status = claimStatusUrl.slice(claimStatusUrl.lastIndexOf("/") + 1)
    return this.surface.service.claims.poll(status, new Date())
  }

  async latest(limit: number) {
    const { call, surface } = this
    if (bearerOf(call.request) === undefined) return []
    const caller = await identify(surface.service, call, { agentId: null, token: null })
    if (caller.accountId === null) return []
    await this.requireRead()
    const page = { limit, offset: 0 }
    const runs = await Array.fromAsync(accountRuns(this.db, caller.accountId, {}, page))
    return runs.map((run) => ({ name: run.id, run: run as Omit<RunRow, "input"> }))
  }

  /** Finds a caller's run by its name. */
  private async named(
    name: string,
    work: (id: string) => Promise<ToolResponse>,
  ): Promise<ToolResponse> {
    const { call, surface } = this
    try {
      const caller = await identify(surface.service, call, { agentId: null, token: null })
      if (!accountName.test(name)) {
        const stored = await surface.calls.runOf(name)
        return stored ? await work(stored.id) : unknownRun(name)
      }
      const { accountId } = caller
      if (accountId === null) return unknownRun(name)
      await this.requireRead()
      const run = await accountRun(this.db, { id: name, accountId })
      return run ? await work(run.id) : unknownRun(name)
    } catch (error) {
      const { status, message, details } = surface.asIssue(call, error)
      return { status, error: { message, details } }
    }
  }

  /** @throws KeylessFault */
  private async requireRead(): Promise<void> {
    const owner = await this.surface.service.keys.owner(bearerOf(this.call.request) ?? "")
    if (owner && scopesOf(owner).includes("read")) return
    throw new KeylessError("ERROR", 'This API key lacks the scope "read".')
  }

  private naming(caller: AnonymousCaller, tool: string, inputText: string, runId: string) {
    if (caller.accountId !== null) return () => Promise.resolve(runId)
    let token: Promise<string> | undefined
    return () => {
      token ??= this.surface.calls.keep({ tool, inputText, caller }, runId)
      return token
    }
  }

  private follow(
    id: string,
    name: () => Promise<string>,
    onProgress: NonNullable<Waiting["onProgress"]>,
  ): () => void {
    const { runs } = this.surface.service
    return followRun(this.db, runs, id, async (run) => {
      if (!isOver(run.status)) onProgress(progressOf(run, await name()))
    })
  }

  private async end(id: string): Promise<void> {
    if (!this.surface.calls.isSharedRun(id)) await this.surface.service.runs.abort(id)
  }
}

function toolResponse(
  response: KeylessResponse,
  of: { run: RunRow; name: () => Promise<string> } | undefined,
): ToolResponse {
  const { status, error, notice, resultUrl, claimUrl, claimStatusUrl, agentGuidance } = response
  const token = resultUrl?.slice(resultUrl.lastIndexOf("/") + 1)
  return {
    status,
    ...(of && { ...of, ...(token && of.run.account_id === null && { name: async () => token }) }),
    ...(error === undefined ? {} : { error }),
    ...(notice ? { notice } : {}),
    ...(response.cached ? { cached: true, age: response.age ?? 0 } : {}),
    ...(resultUrl ? { resultUrl } : {}),
    ...(claimUrl && claimStatusUrl ? { claimUrl, claimStatusUrl } : {}),
    ...(agentGuidance ? { agentGuidance } : {}),
    agentId: response.agentId,
    free: response.free,
  }
}
