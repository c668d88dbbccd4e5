import type { Item } from "./keyless.ts"

/** Rows of one call. */
const rowsAtOnce = 100
/** Rows that are loaded in advance, for steady scrolling. */
const rowsAhead = 50
/** Maximum cached pages, and maximum characters of a text in a table. */
const maxPages = 40
const maxCharacters = 300
/** Delay before the visible pages are requested, so that fast scrolling skips pages, in milliseconds. */
const lookMs = 60

type Load = (offset: number, limit: number, signal: AbortSignal) => Promise<Item[]>

/** The visible rows of a list of any length, loaded when they become visible. */
export class ItemPages {
  private readonly stored = new Map<number, Item[]>()
  private readonly running = new Map<number, AbortController>()
  private wanted: number[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private failed = false

  constructor(
    private readonly load: Load,
    private readonly onNews: (issue: string) => void,
  ) {}

  at(row: number): Item | undefined {
    return this.stored.get(Math.floor(row / rowsAtOnce))?.[row % rowsAtOnce]
  }

  /** Sets the visible rows. Requests for rows that are no longer visible are aborted. */
  want(first: number, last: number, total: number): void {
    const page = Math.floor(Math.max(0, first - rowsAhead) / rowsAtOnce)
    const pages = Math.floor(Math.min(total - 1, last + rowsAhead) / rowsAtOnce) - page + 1
    this.wanted = Array.from({ length: Math.max(0, pages) }, (_, index) => page + index)
    this.timer ??= setTimeout(() => this.look(), lookMs)
  }

  /** Reloads incomplete pages after the list has grown. */
  grown(): void {
    for (const [page, items] of this.stored) {
      if (items.length < rowsAtOnce) this.stored.delete(page)
    }
    this.timer ??= setTimeout(() => this.look(), lookMs)
  }

  tryAgain(): void {
    this.failed = false
    this.look()
  }

  end(): void {
    clearTimeout(this.timer)
    this.failed = true
    for (const call of this.running.values()) call.abort()
  }

  private look(): void {
    this.timer = undefined
    for (const [page, call] of this.running) {
      if (!this.wanted.includes(page)) call.abort()
    }
    for (const page of this.wanted) {
      const items = this.stored.get(page)
      // The most recently used pages are last.
      if (items && this.stored.delete(page)) this.stored.set(page, items)
      else if (!this.running.has(page) && !this.failed) void this.fetch(page)
    }
  }

  private async fetch(page: number): Promise<void> {
    const call = new AbortController()
    this.running.set(page, call)
    let issue = ""
    try {
      const items = await this.load(page * rowsAtOnce, rowsAtOnce, call.signal)
      this.stored.set(page, items.map(shortened))
      for (const oldest of this.stored.keys()) {
        if (this.stored.size <= maxPages) break
        this.stored.delete(oldest)
      }
    } catch (error) {
      if (!call.signal.aborted) {
        issue = (error as Error).message
        this.failed = true
      }
    }
    this.running.delete(page)
    if (!call.signal.aborted) this.onNews(issue)
    // The page may have become visible again while its request was aborted.
    else if (this.wanted.includes(page)) this.timer ??= setTimeout(() => this.look(), lookMs)
  }
}

/** Returns an item for a table, with shortened texts, because a cell shows only the beginning. */
function shortened(item: Item): Item {
  const short: Item = {}
  for (const [name, value] of Object.entries(item)) short[name] = shortValue(value)
  return short
}

function shortValue(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, maxCharacters)
  if (typeof value !== "object" || value === null) return value
  const text = JSON.stringify(value)
  if (text.length <= maxCharacters) return value
  if (!Array.isArray(value)) return text.slice(0, maxCharacters)
  // A table shows only the number of large entries.
  return value.map((entry) => (typeof entry === "object" ? {} : String(entry).slice(0, 60)))
}
