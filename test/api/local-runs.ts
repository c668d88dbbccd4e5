import { Aborted, type AnyScraper, Timeout } from "../../src/catalogue/kit/index.ts"
import { systemClock } from "../../src/engine/environment/clock.ts"
import type { Environment } from "../../src/engine/environment/environment.ts"
import { executeRun } from "../../src/engine/run/execute.ts"
import { targetKey } from "../../src/engine/run/journal.ts"
import { StoreJournal } from "../../src/engine/run/store-journal.ts"
import { RunEvents } from "../../src/engine/workers/run-events.ts"
import type { RunEvent, RunService, StartRun } from "../../src/engine/workers/runs.ts"
import { Stopping } from "../../src/engine/workers/supervisor.ts"
import { newId } from "../../src/store/ids.ts"
import { isOver, runById } from "../../src/store/runs/runs.ts"
import type { Store } from "../../src/store/store.ts"
import type { RunRow } from "../../src/store/tables/schema.ts"

const now = () => new Date().toISOString()

/** A world in which each address answers one short page. */
const world: Environment = {
  clock: systemClock,
  http: {
    async send() {
      return {
        status: 200,
        headers: new Headers({ "content-type": "text/html" }),
        bytes: new TextEncoder().encode("<html><body>page</body></html>"),
        via: "http",
        firstByte: null,
      }
    },
  },
  dns: () => Promise.reject(new Error("no names here")),
  tls: () => Promise.reject(new Error("no connections here")),
  env: {},
}

/** Executes runs in this very thread, on the real store and journal. */
export class LocalRuns implements RunService {
  private readonly events = new RunEvents()
  private readonly controls = new Map<string, AbortController>()
  private readonly working = new Set<Promise<void>>()
  private stopped = false

  constructor(
    private readonly store: Store,
    private readonly scrapers: ReadonlyMap<string, AnyScraper>,
  ) {}

  async start(request: StartRun): Promise<RunRow> {
    if (this.stopped) throw new Stopping()
    const { scraper, input } = request
    const targets = [...new Set(scraper.targets(input))].map((target) => ({
      key: targetKey(target),
      target: JSON.stringify(target),
    }))
    const run = await this.store.write("runs.create", {
      id: request.id ?? newId("run"),
      datasetId: newId("ds"),
      slug: scraper.slug,
      input,
      accountId: request.accountId,
      origin: request.origin,
      maxItems: request.maxItems ?? null,
      maxPages: request.maxPages ?? null,
      timeoutSeconds: request.timeoutSeconds ?? 3600,
      createdAt: now(),
      targets,
    })
    this.launch(run.id)
    return run
  }

  private launch(id: string): void {
    const work: Promise<void> = this.execute(id).finally(() => this.working.delete(work))
    this.working.add(work)
  }

  private async execute(id: string): Promise<void> {
    const run = await this.store.write("runs.claim", { id, at: now() })
    if (!run) return
    this.events.status(run)
    const scraper = this.scrapers.get(run.slug)!
    const control = new AbortController()
    this.controls.set(id, control)
    const deadline = setTimeout(
      () => control.abort(new Timeout("The run took too long.")),
      run.timeout_seconds * 1000,
    )
    const journal = new StoreJournal({
      store: this.store,
      run,
      tier: scraper.tier,
      onProgress: () => this.events.progress(run),
      onLog: (lines) => this.events.log(id, lines),
    })
    const end = await executeRun({
      scraper,
      input: JSON.parse(run.input),
      journal,
      environment: world,
      signal: control.signal,
      ...(run.max_items === null ? {} : { maxItems: run.max_items }),
      ...(run.max_pages === null ? {} : { maxPages: run.max_pages }),
    })
    await journal.settle()
    clearTimeout(deadline)
    this.controls.delete(id)
    if (end.status === "halted") throw new Error("Nothing halts here.")
    const { status, error, capped } = end
    const over = await this.store.write("runs.finish", {
      id,
      attempt: run.attempt,
      status,
      error,
      capped,
      at: now(),
    })
    if (over) this.events.status(over)
  }

  async wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined> {
    const done = new AbortController()
    const over = this.events.untilOver(id, milliseconds, [done.signal, ...(signal ? [signal] : [])])
    const run = await runById(this.store.db, id)
    if (!run || isOver(run.status)) {
      done.abort()
      return run
    }
    await over
    return runById(this.store.db, id)
  }

  async abort(id: string): Promise<RunRow | undefined> {
    const before = await runById(this.store.db, id)
    if (!before || isOver(before.status)) return before
    const run = await this.store.write("runs.abort", { id, at: now() })
    this.controls.get(id)?.abort(new Aborted())
    if (run) this.events.status(run)
    return run
  }

  async resume(id: string): Promise<RunRow | undefined> {
    if (this.stopped) throw new Stopping()
    const run = await this.store.write("runs.resume", { id })
    if (run?.status === "queued") this.launch(id)
    return run
  }

  subscribe(id: string, listener: (event: RunEvent) => void): () => void {
    return this.events.subscribe(id, listener)
  }

  async stop(): Promise<void> {
    this.stopped = true
    for (const control of this.controls.values()) control.abort(new Aborted())
    while (this.working.size > 0) await Promise.all(this.working)
  }
}
