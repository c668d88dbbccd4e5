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

/** The parts of a run that the command line stores outside the database. */
interface Own {
  memory: Memory
  files: FilesFolder
}

/**
 * The checkpoints of a run on the command line. They are in a database, as those of the service. The log is
 * printed, and files and memory go to folders of the user. Finished targets are reported in their order.
 */
export class PrintedCheckpoints implements CheckpointStore {
  /** Running and finished targets in their order, without those already reported. */
  private readonly entries: { seq: number; isDone: boolean }[] = []

  /** @param onDone Called with the positions of targets whose items are stored */
  constructor(
    private readonly stored: DatabaseCheckpoints,
    private readonly own: Own,
    private readonly onLog: (line: LogLine) => void,
    private readonly onDone: (seqs: number[]) => void,
  ) {}

  async take(limit: number): Promise<QueuedTarget[]> {
    const targets = await this.stored.take(limit)
    for (const { seq } of targets) this.entries.push({ seq, isDone: false })
    return targets
  }

  async finish(seq: number, result: TargetResult): Promise<Progress> {
    const progress = await this.stored.finish(seq, result)
    this.own.memory.keep(result.remembered)
    const target = this.entries.find((target) => target.seq === seq)
    if (target) target.isDone = true
    const open = this.entries.findIndex(({ isDone }) => !isDone)
    const done = this.entries.splice(0, open < 0 ? this.entries.length : open)
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
