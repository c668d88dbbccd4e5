import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Environment variable with the folder that the threads of profiled programs write to. */
export const profileFolderVariable = "BENCH_PROFILE_FOLDER"

/** Sample counts of the functions of a thread. */
export interface ThreadProfile {
  /** The process's script. */
  program: string
  /** The thread's script; "main" for the first one. */
  script: string
  thread: number
  samples: number
  /** Samples by function and file, at the top of the stack. */
  self: Record<string, number>
  /** Samples by function and file, anywhere in the stack. */
  whole: Record<string, number>
  /** Samples by tier of the compiler. */
  tiers: Record<string, number>
}

/** Maximum number of functions in the list. */
const listed = 30
/** Threads with a smaller share of the busiest one's samples are left out. */
const minShare = 0.1

/** Not profiled: rivals and benchmarks, except the one that renders in its own process. */
const others =
  /bench\/(?:(?!browser)\w+\/main|api\/bare|mcp\/same|crawl\/(?:floor|site)|browser\/(?:site|chrome))\.ts$/

/** Returns the profiles of Trawl's threads in a folder as Markdown, by benchmark. */
export function profileText(folder: string): string[] {
  const threads = existsSync(folder)
    ? readdirSync(folder).map(
        (file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as ThreadProfile,
      )
    : []
  const all = joined(threads.filter(({ program }) => !others.test(program)))
  const most = Math.max(0, ...all.map(({ samples }) => samples))
  return all
    .filter(({ samples }) => samples >= minShare * most)
    .sort((a, b) => b.samples - a.samples)
    .flatMap(threadText)
}

/** Adds up the threads of the same script. */
function joined(threads: ThreadProfile[]): ThreadProfile[] {
  const groups = Map.groupBy(threads, ({ program, script }) => `${program} ${script}`)
  return [...groups.values()].map(([first, ...rest]) => {
    for (const one of rest) {
      first!.samples += one.samples
      for (const part of ["self", "whole", "tiers"] as const) {
        for (const [name, count] of Object.entries(one[part])) {
          first![part][name] = (first![part][name] ?? 0) + count
        }
      }
    }
    return first!
  })
}

function threadText({ program, script, samples, self, whole, tiers }: ThreadProfile): string[] {
  const share = (count: number) => `${((100 * count) / samples).toFixed(1)}`
  const byTier = Object.entries(tiers).sort(([, a], [, b]) => b - a)
  return [
    `### ${script === "main" ? `${program}, main thread` : script}`,
    "",
    `${samples.toLocaleString("en")} samples; ${byTier.map(([name, count]) => `${name} ${share(count)} %`).join(", ")}.`,
    "",
    "| % | % with calls | function |",
    "|---|---|---|",
    ...Object.entries(self)
      .sort(([, a], [, b]) => b - a)
      .slice(0, listed)
      .map(
        ([name, count]) =>
          `| ${share(count)} | ${share(whole[name] ?? 0)} | \`${name.replaceAll("|", "\\|")}\` |`,
      ),
    "",
  ]
}
