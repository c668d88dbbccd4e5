import type { RunRow } from "../../store/runs.ts"

const sharedForMs = 60_000
const cleanAt = 1000

interface Started {
  run: Promise<RunRow>
  at: number
}

/** Runs that identical calls of a minute share. */
export class SharedRuns {
  private readonly started = new Map<string, Started>()

  /** A run that failed is not shared: the next call tries anew. */
  async run(
    key: string,
    { start, read }: { start(): Promise<RunRow>; read(id: string): Promise<RunRow | undefined> },
  ): Promise<{ run: RunRow; isShared: boolean }> {
    const known = this.started.get(key)
    if (known && Date.now() - known.at < sharedForMs) {
      const run = await this.standing(known, read)
      if (run) return { run, isShared: true }
      // Another call may have started anew meanwhile.
      if (this.started.get(key) === known) this.started.delete(key)
      return this.run(key, { start, read })
    }
    if (this.started.size >= cleanAt) this.clean()
    const run = start()
    this.started.set(key, { run, at: Date.now() })
    return { run: await run, isShared: false }
  }

  private async standing(
    known: Started,
    read: (id: string) => Promise<RunRow | undefined>,
  ): Promise<RunRow | undefined> {
    const started = await known.run.catch(() => undefined)
    const run = started && (await read(started.id))
    return run && !["failed", "timed_out", "aborted", "aborting"].includes(run.status)
      ? run
      : undefined
  }

  private clean(): void {
    for (const [key, { at }] of this.started) {
      if (Date.now() - at >= sharedForMs) this.started.delete(key)
    }
  }
}
