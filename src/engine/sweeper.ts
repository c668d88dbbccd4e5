import type { Store } from "../store/store.ts"

const everyMs = 60_000
const day = 86_400_000

/** Removes in the background what was deleted, and what is over by its age. */
export class Sweeper {
  private timer?: ReturnType<typeof setTimeout>
  private sweeping: Promise<void> = Promise.resolve()
  private stopped = false

  constructor(
    private readonly store: Store,
    private readonly onTrouble: (message: string) => void,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep()
        .catch((error) => this.onTrouble(`Old rows could not be removed: ${error}`))
        .finally(() => {
          if (!this.stopped) this.start()
        })
    }, everyMs)
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    await this.sweeping
  }

  async sweep(now = new Date()): Promise<void> {
    const times = {
      now: now.toISOString(),
      dayAgo: new Date(now.getTime() - day).toISOString(),
    }
    while (!this.stopped && (await this.store.write("trash.sweep", times))) await Bun.sleep(1)
  }
}
