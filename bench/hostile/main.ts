/**
 * Reads pages of every hostile kind by scrapers, and prints those that take long, or more than twice
 * the time for twice the page: `bun bench/hostile/main.ts [--count=100000] [--bad=2000] [--in=own] [slug …]`.
 * With `--in=own` what is hostile stands within a recorded page of the site, with `--in=answer` in a
 * recorded JSON answer.
 */
import { catalogue } from "../../src/catalogue/index.ts"
import { hostileAnswers, runs } from "../../test/hostile/own-answer.ts"
import { hostilePages } from "../../test/hostile/pages.ts"

interface Line {
  kind: string
  start?: boolean
  halfMs: number
  cpuMs: number
  pages: number
  items: number
  error: { code: string; message: string } | null
}

const words = process.argv.slice(2)
const flag = (name: string) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const count = flag("count") ?? "100000"
const bad = Number(flag("bad") ?? 2000)
const place = flag("in") ?? "alone"
const wanted = flag("kinds")?.split(",")
/** Below this a ratio says more of the clock than of the scraper. */
const noticeableMs = 200
const linear = 2.2

const allKinds =
  place === "answer"
    ? [...Object.keys(hostileAnswers), ...runs.map((_, at) => `long texts ${at}`)]
    : Object.keys(hostilePages)

const slugs = words.filter((word) => !word.startsWith("--"))
for (const slug of slugs.length > 0 ? slugs : catalogue.map((scraper) => scraper.slug)) {
  let kinds = wanted ?? allKinds
  let worst = 0
  let read = 0
  while (kinds.length > 0) {
    let current: string | undefined
    const child = Bun.spawn(
      [process.execPath, `${import.meta.dir}/child.ts`, slug, count, place, ...kinds],
      { stdout: "pipe", stderr: "inherit" },
    )
    let text = ""
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const lines = text.split("\n")
      text = lines.pop()!
      for (const line of lines) {
        const one: Line = JSON.parse(line)
        current = one.start ? one.kind : undefined
        if (one.start) continue
        kinds = kinds.filter((kind) => kind !== one.kind)
        if (one.pages > 0) read++
        worst = Math.max(worst, one.cpuMs)
        const ratio = one.cpuMs / Math.max(1, one.halfMs)
        if (one.cpuMs > bad || (one.cpuMs > noticeableMs && ratio > linear)) report(slug, one)
      }
    }
    await child.exited
    if (kinds.length === 0) break
    console.log(`${slug} | ${current ?? "start"} | ended by ${child.exitCode ?? child.signalCode}`)
    if (current === undefined) break
    kinds = kinds.filter((kind) => kind !== current)
  }
  console.log(`# ${slug}: read ${read} kinds, the slowest in ${worst} ms`)
}

function report(slug: string, { kind, halfMs, cpuMs, error }: Line): void {
  const ratio = (cpuMs / Math.max(1, halfMs)).toFixed(1)
  console.log(`${slug} | ${kind} | ${halfMs} -> ${cpuMs} ms (x${ratio}) ${error?.code ?? ""}`)
}
