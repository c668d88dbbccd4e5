/**
 * Reads pages of every hostile kind with scrapers, and prints those that take long, or more than
 * twice the time for twice the page: `bun bench/hostile/main.ts [--count=100000] [--bad=2000]
 * [--in=own] [slug …]`. With `--in=own` the hostile part is inside a recorded page of the site,
 * with `--in=answer` in a recorded JSON response. Times are processor time of the thread that
 * reads. Ratios compare two readings directly after each other. Durations are scaled to a quiet
 * machine by a fixed piece of work next to each, which takes `--quiet=12` ms there. With
 * `--look=0.1` a tenth is read first, and the rest only if that used a tenth of the limit, or grew
 * by more than its size.
 */
import { catalogue } from "../../src/catalogue/index.ts"
import { hostileAnswers, runs } from "../../test/hostile/own-response.ts"
import { hostilePages } from "../../test/hostile/pages.ts"
import { isSteep, ownBody, ratioOf, type Times } from "./limits.ts"

interface Line extends Times {
  kind: string
  start?: boolean
  size: number
  pages: number
  items: number
  error: { code: string; message: string } | null
}

const words = process.argv.slice(2)
const flag = (name: string) =>
  words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const count = flag("count") ?? "100000"
const bad = Number(flag("bad") ?? 2000)
const look = flag("look") ?? "1"
const quiet = flag("quiet") ?? ""
const where = flag("in") ?? "alone"
const wanted = flag("kinds")?.split(",")

const allKinds =
  where === "answer"
    ? [...Object.keys(hostileAnswers), ...runs.map((_, at) => `long texts ${at}`)]
    : [...Object.keys(hostilePages), ...(where === "own" ? [ownBody] : [])]

const slugs = words.filter((word) => !word.startsWith("--"))
for (const slug of slugs.length > 0 ? slugs : catalogue.map((scraper) => scraper.slug)) {
  let kinds = wanted ?? allKinds
  let worst = 0
  let read = 0
  let whole = 0
  while (kinds.length > 0) {
    let current: string | undefined
    const child = Bun.spawn(
      [
        process.execPath,
        `${import.meta.dir}/child.ts`,
        slug,
        count,
        where,
        String(bad),
        look,
        quiet,
        ...kinds,
      ],
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
        worst = Math.max(worst, Math.round((one.quietMs * Number(count)) / one.size))
        if (one.size >= Number(count)) whole++
        if (one.quietMs > bad || isSteep(one)) report(slug, one)
      }
    }
    await child.exited
    if (kinds.length === 0) break
    console.log(`${slug} | ${current ?? "start"} | ended by ${child.exitCode ?? child.signalCode}`)
    if (current === undefined) break
    kinds = kinds.filter((kind) => kind !== current)
  }
  console.log(
    `# ${slug}: read ${read} kinds (${whole} in full), the slowest in ${worst} ms of processor time`,
  )
}

function report(slug: string, line: Line): void {
  const { kind, size, halfMs, cpuMs, quietMs, error } = line
  const ratio = ratioOf(line).toFixed(2)
  const grown = `${halfMs.toFixed()} -> ${cpuMs.toFixed()} ms (x${ratio}), ${quietMs.toFixed()} quiet`
  console.log(`${slug} | ${kind} | ${size} | ${grown} ${error?.code ?? ""}`)
}
