import { BoundedMap } from "../../base/bounded-map.ts"
import type { RunRow } from "../../store/tables/schema.ts"

const sharedForMs = 60_000
const maxShared = 10_000

interface Started {
  id: Promise<string>
  at: number
}

/** Runs that identical calls share, for a minute or for the age that a call allows. */
export class SharedRuns {
  private readonly started = new BoundedMap<string, Started>(maxShared)
  private readonly calls = new BoundedMap<string, number>(maxShared)

  /** Runs or shares a run. A failed run is not shared: the next call starts another. */
  async run(
    key: string,
    {
      start,
      read,
      maxAgeMs = sharedForMs,
    }: {
      start(): Promise<RunRow>
      read(id: string): Promise<RunRow | undefined>
      maxAgeMs?: number
    },
  ): Promise<{ run: RunRow; isShared: boolean }> {
    const known = this.started.get(key)
    if (known && Date.now() - known.at < maxAgeMs) {
      const run = await this.current(known, read)
      if (run) {
        this.calls.set(run.id, this.callsOf(run.id) + 1)
        return { run, isShared: true }
      }
      // Another call may have started a run meanwhile.
      if (this.started.get(key) === known) this.started.delete(key)
      return this.run(key, { start, read, maxAgeMs })
    }
    const run = start()
    const id = run.then((started) => started.id)
    // Only the call that started it reports its failure.
    id.catch(() => {})
    this.started.set(key, { id, at: Date.now() })
    return { run: await run, isShared: false }
  }

  /** Number of calls that share this run; a run that is not registered has only its own. */
  callsOf(id: string): number {
    return this.calls.get(id) ?? 1
  }

  private async current(
    known: Started,
    read: (id: string) => Promise<RunRow | undefined>,
  ): Promise<RunRow | undefined> {
    const id = await known.id.catch(() => undefined)
    const run = id && (await read(id))
    return run && !["failed", "timed_out", "aborted", "aborting"].includes(run.status)
      ? run
      : undefined
  }
}

/** Inputs that make the result personal to the caller. */
const personalInputs = ["headers", "cookies", "session", "actions"]
const credentialsInUrl =
  /:\/\/[^/\s"?#]*@|[?&#](?:[\w-]*(?:token|key|secret|sig(?:nature)?|auth|session|password))=/i

/**
 * Whether the input contains headers, actions or credentials, so that its result is only for this
 * caller.
 */
export const isPersonal = (input: Record<string, unknown>, text: string) =>
  personalInputs.some((name) => input[name] !== undefined) || credentialsInUrl.test(text)
