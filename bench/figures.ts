import { appendFileSync, readFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"

/** One measured value of a benchmark: a line of the file that `bun run bench` writes. */
export interface Figure {
  benchmark: string
  /** For example "Trawl" or "a run's status". */
  name: string
  value: number
  /** For example "pages/s", "ms" or "MB". */
  unit: string
  /** Commit of the checkout; "+" follows it if files differ from the commit. */
  commit: string
  /** ISO 8601, UTC. */
  date: string
  /** Model and number of the processors. */
  cpu: string
  /** The system's load average of the last minute, including this benchmark. */
  load: number
}

/** Environment variables by which `bench/main.ts` passes the file and the benchmark's name to a benchmark. */
export const figuresFileVariable = "BENCH_FIGURES"
export const benchmarkVariable = "BENCH_NAME"

const root = join(import.meta.dir, "..")

/** Returns the commit of this checkout as in `Figure.commit`, or "unknown" without Git. */
export function currentCommit(): string {
  const git = (...words: string[]) => Bun.spawnSync(["git", ...words], { cwd: root })
  const head = git("rev-parse", "--short=12", "HEAD")
  if (!head.success) return "unknown"
  const changes = git("status", "--porcelain", "--untracked-files=no").stdout
  return head.stdout.toString().trim() + (changes.length > 0 ? "+" : "")
}

const commit = process.env[figuresFileVariable] ? currentCommit() : "unknown"

/** Appends a figure to the file of this `bun run bench`. Does nothing in a benchmark that is run directly. */
export function record(name: string, value: number, unit: string): void {
  const path = process.env[figuresFileVariable]
  if (!path || !Number.isFinite(value)) return
  const [processor, ...others] = cpus()
  const figure: Figure = {
    ...{ benchmark: process.env[benchmarkVariable] ?? "unknown", name },
    ...{ value: Number(value.toPrecision(6)), unit, commit, date: new Date().toISOString() },
    cpu: `${processor?.model.trim() ?? "unknown"} × ${others.length + 1}`,
    load: Number(loadavg()[0]!.toFixed(2)),
  }
  appendFileSync(path, `${JSON.stringify(figure)}\n`)
}

/** @throws Error if a line of the file is not a figure. */
export function readFigures(path: string): Figure[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return []
      try {
        const figure = JSON.parse(line) as Figure
        if (typeof figure.value === "number" && figure.name && figure.benchmark) return [figure]
      } catch {
        // Reported below, as a line without the fields is.
      }
      throw new Error(
        `${path}:${index + 1} is not a figure: give a file that \`bun run bench\` wrote.`,
      )
    })
}
