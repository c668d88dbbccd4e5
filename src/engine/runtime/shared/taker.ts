import { BoundedMap } from "../../../base/bounded-map.ts"
import { oldestOneIn } from "../../../store/runs/priority.ts"
import type { Taking } from "../../../store/shared/take.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"

/** Runs that can start now. */
interface FreeSlots {
  slots: number
  keyless: number
}

export interface TakerParts {
  store: Store
  /** ID of this process for the others. */
  processId(): string
  room(): FreeSlots
  limits(): Pick<Taking, "perAccount" | "limits">
  /** Called with the runs that now belong to this process. */
  onTaken(runs: readonly RunRow[]): void
  onError(error: unknown): void
}

/** Maximum remembered anonymous callers by run ID. */
const maxTenants = 10_000
/** Pause after a failure. */
const againMs = 1_000

/** Takes runs from the shared queue while slots are free. */
export class Taker {
  readonly tenants = new BoundedMap<string, string>(maxTenants)
  private taking?: Promise<void> | undefined
  private wanted = false
  /** Whether runs may be waiting: seen while no slot was free, or announced since. */
  private mayBeMore = true
  private after = ""
  private claims = 0
  private stopped = false

  constructor(private readonly parts: TakerParts) {}

  /** Returns whether no run is known to be waiting. */
  get isIdle(): boolean {
    return !this.mayBeMore && this.taking === undefined
  }

  /** Called when a run is waiting. */
  wake(): void {
    this.mayBeMore = true
    this.look()
  }

  /** Called when a slot is free. */
  look(): void {
    if (!this.mayBeMore || this.stopped) return
    this.wanted = true
    this.taking ??= this.claimAll()
  }

  private async claimAll(): Promise<void> {
    // Waits for one turn of the event loop, so that runs that start at the same moment are taken
    // together.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.wanted && !this.stopped) {
      this.wanted = false
      try {
        if (await this.take()) this.wanted = true
      } catch (error) {
        this.parts.onError(error)
        await Bun.sleep(againMs)
      }
    }
    this.taking = undefined
  }

  /** Returns whether there may be more runs for free slots. */
  private async take(): Promise<boolean> {
    const { store, processId, room, limits, onTaken } = this.parts
    const { slots: places, keyless } = room()
    if (places <= 0) return false
    this.mayBeMore = false
    const { runs, after, isMore } = await store.write("runs.take", {
      id: processId(),
      ...{ max: places, maxKeyless: keyless, after: this.after },
      ...limits(),
      byAge: this.claims % oldestOneIn === oldestOneIn - 1,
      at: new Date().toISOString(),
    })
    const isBetween = this.after !== "" || after !== ""
    this.after = after
    this.mayBeMore ||= isMore
    if (runs.length > 0) {
      this.claims++
      onTaken(runs)
    }
    return runs.length > 0 || isBetween
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.taking
  }
}
