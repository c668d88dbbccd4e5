import type { FileToKeep, StoredFile, Target } from "../../../catalogue/kit/index.ts"
import {
  type CheckpointStore,
  isErrorItem,
  type LogLine,
  type Note,
  type Progress,
  type QueuedTarget,
  type TargetResult,
  targetKey,
} from "./checkpoints.ts"

/** Checkpoints in memory, for a run that is not stored: a health probe or a test. */
export class MemoryCheckpoints implements CheckpointStore {
  private readonly known = new Set<string>()
  private readonly targets: Target[] = []
  private readonly perTarget = new Map<number, Record<string, unknown>[]>()
  private readonly memory: Map<string, unknown>
  private readonly noted: Note[] = []
  private next = 0
  private readonly counts: Progress = {
    itemCount: 0,
    errorCount: 0,
    pageCount: 0,
    targetsDone: 0,
    targetsTotal: 0,
    targetsFailed: 0,
    outOfCredit: false,
  }

  constructor(
    targets: Target[],
    private readonly onLog: (line: LogLine) => void = () => {},
    remembered: Readonly<Record<string, unknown>> = {},
  ) {
    this.memory = new Map(Object.entries(remembered))
    for (const target of targets) this.add(targetKey(target), target)
  }

  private add(key: string, target: Target): void {
    if (this.known.has(key)) return
    this.known.add(key)
    this.targets.push(target)
    this.counts.targetsTotal++
  }

  async take(limit: number): Promise<QueuedTarget[]> {
    const from = this.next
    this.next = Math.min(this.targets.length, from + limit)
    return this.targets
      .slice(from, this.next)
      .map((target, index) => ({ seq: from + index, target }))
  }

  begin(): void {}

  async stage(seq: number, items: Record<string, unknown>[]): Promise<void> {
    const stored = this.perTarget.get(seq) ?? []
    stored.push(...items)
    this.perTarget.set(seq, stored)
  }

  async discard(seq: number): Promise<void> {
    this.perTarget.delete(seq)
  }

  note({ value, ...note }: Note): void {
    this.noted.push({ ...note, value: structuredClone(value) })
  }

  /** Returns only the file's description, because no client can request the file of such a run. */
  async keepFile(seq: number, { name, contentType, bytes }: FileToKeep): Promise<StoredFile> {
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
    return { url: `memory:${seq}/${name}`, contentType, bytes: bytes.length, sha256 }
  }

  /** A target runs only once and has access to all notes. */
  async notes(): Promise<Note[]> {
    return structuredClone(this.noted)
  }

  async finish(seq: number, result: TargetResult): Promise<Progress> {
    await this.stage(seq, result.items)
    for (const { key, target } of result.followed) this.add(key, target)
    this.counts.targetsDone++
    if (result.failed) this.counts.targetsFailed++
    this.counts.pageCount += result.pages
    this.count(this.perTarget.get(seq)!)
    this.remember(result.remembered)
    return this.progress()
  }

  private count(items: Record<string, unknown>[]): void {
    const errors = items.filter(isErrorItem).length
    this.counts.errorCount += errors
    this.counts.itemCount += items.length - errors
  }

  progress(): Progress {
    return { ...this.counts }
  }

  async errors(): Promise<{ code: string; message: string }[]> {
    return []
  }

  /** Yields all items in the order of their targets. */
  async *items(): AsyncIterable<Record<string, unknown>> {
    for (const seq of [...this.perTarget.keys()].sort((a, b) => a - b)) {
      yield* this.perTarget.get(seq)!
    }
  }

  log(line: LogLine): void {
    this.onLog(line)
  }

  async memoryGet(key: string): Promise<unknown> {
    return structuredClone(this.memory.get(key))
  }

  private remember(values: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(values)) this.memory.set(key, structuredClone(value))
  }
}
