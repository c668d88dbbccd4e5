import type { NewLogLine } from "../../store/runs/run-log.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { RunEvent } from "./runs.ts"

type Listener = (event: RunEvent) => void

interface Channel {
  lastId: number
  listeners: Set<Listener>
}

type WithoutId<E> = E extends unknown ? Omit<E, "id"> : never

/** Who is told what happens to a run. A run that nobody listens to costs nothing. */
export class RunEvents {
  private readonly channels = new Map<string, Channel>()

  subscribe(id: string, listener: Listener): () => void {
    const channel = this.channels.get(id) ?? { lastId: 0, listeners: new Set() }
    this.channels.set(id, channel)
    channel.listeners.add(listener)
    return () => {
      channel.listeners.delete(listener)
      if (channel.listeners.size === 0 && this.channels.get(id) === channel) {
        this.channels.delete(id)
      }
    }
  }

  heard(id: string): boolean {
    return this.channels.has(id)
  }

  status(run: RunRow): void {
    this.emit(run.id, { type: "status", run })
  }

  progress(run: RunRow): void {
    this.emit(run.id, { type: "progress", run })
  }

  log(id: string, lines: NewLogLine[]): void {
    for (const line of lines) this.emit(id, { type: "log", ...line })
  }

  private emit(id: string, event: WithoutId<RunEvent>): void {
    const channel = this.channels.get(id)
    if (!channel) return
    const whole = { ...event, id: ++channel.lastId } as RunEvent
    for (const listener of [...channel.listeners]) listener(whole)
  }

  /** Resolves when the run is over, the time has passed, or the signal is aborted. */
  async untilOver(id: string, milliseconds: number, signals: AbortSignal[]): Promise<void> {
    let stop = () => {}
    const signal = AbortSignal.any(signals)
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      const unsubscribe = this.subscribe(id, (event) => {
        if (event.type === "status" && isOver(event.run.status)) resolve()
      })
      const leave = () => resolve()
      signal.addEventListener("abort", leave, { once: true })
      stop = () => {
        clearTimeout(timer)
        unsubscribe()
        signal.removeEventListener("abort", leave)
      }
      if (signal.aborted) resolve()
    })
    stop()
  }
}
