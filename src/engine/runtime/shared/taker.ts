import { BoundedMap } from "../../../base/bounded-map.ts"
import { oldestOneIn } from "../../../store/runs/priority.ts"
import type { Taking } from "../../../store/shared/take.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"

/** Runs that can be begun now. */
interface Room {
  places: number
  keyless: number
}

export interface TakerParts {
  store: Store
  /** Of this process, as the others know it. */
  processId(): string
  room(): Room
  limits(): Pick<Taking, "perAccount" | "limits">
  /** They are this process's from now on. */
  onTaken(runs: readonly RunRow[]): void
  onError(error: unknown): void
}

/** Anonymous callers whose runs were started here, by the ID of the run. */
const maxTenants = 10_000
/** After a failure. */
const againMs = 1_000

/** Takes runs from the queue that all processes share, as many as there is room for. */
export class Taker {
  readonly tenants = new BoundedMap<string, string>(maxTenants)
  private taking?: Promise<void> | undefined
  private wanted = false
  /** Whether runs may be waiting: found while no slot was free, or announced since. */
  private mayBeMore = true
  private after = ""
  private takes = 0
  private stopped = false

  constructor(private readonly parts: TakerParts) {}

  /** Returns whether no run waits, as far as is known. */
  get isIdle(): boolean {
    return !this.mayBeMore && this.taking === undefined
  }

  /** Something waits, as far as is known. */
  wake(): void {
    this.mayBeMore = true
    this.look()
  }

  /** There is room. */
  look(): void {
    if (!this.mayBeMore || this.stopped) return
    this.wanted = true
    this.taking ??= this.takeAll()
  }

  private async takeAll(): Promise<void> {
    // One turn of the event loop: what is started at the same moment is taken together.
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

  /** Whether there may be more for which there is room. */
  private async take(): Promise<boolean> {
    const { store, processId, room, limits, onTaken } = this.parts
    const { places, keyless } = room()
    if (places <= 0) return false
    this.mayBeMore = false
    const { runs, after, isMore } = await store.write("runs.take", {
      id: processId(),
      ...{ most: places, maxKeyless: keyless, after: this.after },
      ...limits(),
      byAge: this.takes % oldestOneIn === oldestOneIn - 1,
      at: new Date().toISOString(),
    })
    const isBetween = this.after !== "" || after !== ""
    this.after = after
    this.mayBeMore ||= isMore
    if (runs.length > 0) {
      this.takes++
      onTaken(runs)
    }
    return runs.length > 0 || isBetween
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.taking
  }
}
