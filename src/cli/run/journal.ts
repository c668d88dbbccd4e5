import type { FileToKeep, StoredFile } from "../../catalogue/kit/index.ts"
import type {
  CheckpointStore,
  LogLine,
  Note,
  Progress,
  QueuedTarget,
  TargetResult,
} from "../../engine/runtime/run/checkpoints.ts"
import type { DatabaseCheckpoints } from "../../engine/runtime/run/database-checkpoints.ts"
import type { FilesFolder } from "./files.ts"
import type { Memory } from "./memory.ts"

/** What of a run is kept by itself on the command line. */
interface Own {
  memory: Memory
  files: FilesFolder
}

/**
 * The journal of a run on the command line: in a store, as the service's; its log goes to a screen,
 * its files and what scrapers remember to folders of the user's. It tells of targets in their order, each when
 * it and those before it are done.
 */
export class PrintedCheckpoints implements CheckpointStore {
  /** Under way or done, in the order in which they were taken; those told of are gone. */
  private readonly taken: { seq: number; isDone: boolean }[] = []

  /** @param onDone Told of targets whose items are stored; the next are done once it has resolved. */
  constructor(
    private readonly stored: DatabaseCheckpoints,
    private readonly own: Own,
    private readonly onLog: (line: LogLine) => void,
    private readonly onDone: (seqs: number[]) => void,
  ) {}

  async take(limit: number): Promise<QueuedTarget[]> {
    const targets = await this.stored.take(limit)
    for (const { seq } of targets) this.taken.push({ seq, isDone: false })
    return targets
  }

  async finish(seq: number, result: TargetResult): Promise<Progress> {
    const progress = await this.stored.finish(seq, result)
    this.own.memory.keep(result.remembered)
    const target = this.taken.find((target) => target.seq === seq)
    if (target) target.isDone = true
    const open = this.taken.findIndex(({ isDone }) => !isDone)
    const done = this.taken.splice(0, open < 0 ? this.taken.length : open)
    if (done.length > 0) this.onDone(done.map(({ seq }) => seq))
    return progress
  }

  begin(seq: number): void {
    this.stored.begin(seq)
  }

  stage(seq: number, items: Record<string, unknown>[]): Promise<void> {
    return this.stored.stage(seq, items)
  }

  discard(seq: number): Promise<void> {
    return this.stored.discard(seq)
  }

  note(note: Note): void {
    this.stored.note(note)
  }

  keepFile(seq: number, file: FileToKeep): Promise<StoredFile> {
    return this.own.files.keep(seq, file)
  }

  notes(seq: number): Promise<Note[]> {
    return this.stored.notes(seq)
  }

  progress(): Progress {
    return this.stored.progress()
  }

  errors(): Promise<{ code: string; message: string }[]> {
    return this.stored.errors()
  }

  log(line: LogLine): void {
    this.onLog(line)
  }

  get cookies() {
    return this.stored.cookies
  }

  async memoryGet(key: string): Promise<unknown> {
    return this.own.memory.get(key)
  }
}
