import type { CheckpointStore } from "./checkpoints.ts"

/** Pages that a target fetched, and how many of them by the unlocker. */
interface Spent {
  pages: number
  unlockerPages: number
}

/** Notes of an attempt at a target and of earlier ones. */
export class Notes {
  /** Pages that earlier attempts fetched for results that this one reused. */
  readonly before: Spent = { pages: 0, unlockerPages: 0 }
  private noted: Spent = { pages: 0, unlockerPages: 0 }

  constructor(
    private readonly checkpoint: CheckpointStore,
    private readonly seq: number,
    private readonly spent: () => Spent,
  ) {}

  async read<T>(): Promise<T[]> {
    const notes = await this.checkpoint.notes(this.seq)
    const own = notes.filter(({ seq }) => seq === this.seq)
    this.before.pages = own.reduce((sum, { pages }) => sum + pages, 0)
    this.before.unlockerPages = own.reduce((sum, note) => sum + note.unlockerPages, 0)
    return notes.map(({ value }) => value as T)
  }

  add(value: unknown): void {
    const { pages, unlockerPages } = this.spent()
    this.checkpoint.note({
      seq: this.seq,
      pages: pages - this.noted.pages,
      unlockerPages: unlockerPages - this.noted.unlockerPages,
      value,
    })
    this.noted = { pages, unlockerPages }
  }
}
