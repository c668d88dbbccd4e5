/**
 * Crawls a local site of 5,000 pages with one durable item a page and 64 concurrent requests.
 * Compares Trawl's pages a second with Crawlee's (with persistence) and Scrapy's, and with a bare
 * loop as the upper limit.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { record } from "../figures.ts"
import { profileFolderVariable } from "../profile.ts"
import { rivals } from "../rivals.ts"
import { pageCount } from "./site.ts"

interface Figures {
  pages: number
  seconds: number
  /** Maximum memory in MB of all its threads; absent if a rival does not report it. */
  processorMs?: number
  megabytes: number
}

/**
 * Other programs may use the machine, so the contestants take turns, and the better of their
 * attempts counts.
 */
const tries = 2

const here = (file: string) => join(import.meta.dir, file)
const bun = process.execPath

/** Runs one crawler as a separate process; its last line contains its figures. */
function crawl(name: string, command: string[]): Figures | undefined {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" })
  const last = stdout.toString().trim().split("\n").at(-1)
  if (exitCode !== 0 || !last) {
    console.log(`${name.padEnd(24)} failed: ${stderr.toString().trim().split("\n").at(-1)}`)
    return undefined
  }
  const figures = JSON.parse(last) as Figures
  if (figures.pages !== pageCount) {
    throw new Error(`${name} has ${figures.pages} items of ${pageCount}`)
  }
  const rate = Math.round(figures.pages / figures.seconds)
  console.log(
    `${name.padEnd(24)} ${String(rate).padStart(6)} pages/s, ${figures.megabytes} MB at most${processor(figures)}`,
  )
  return figures
}

/** On a machine with other work, processor time is more reliable than elapsed time. */
function processor({ pages, processorMs }: Figures): string {
  if (processorMs === undefined) return ""
  return `, ${Math.round((processorMs / pages) * 1000)} µs of the processor a page`
}

/** Returns each crawler's command, without those that are not installed on this machine. */
function contestants(url: string, folder: string): Map<string, string[]> {
  const all = new Map([
    ["Trawl", [bun, here("trawl.ts"), url]],
    ["bare loop", [bun, here("floor.ts"), url]],
  ])
  if (process.env[profileFolderVariable]) return new Map([...all].slice(0, 1))
  if (Bun.which("node")) {
    const packages = rivals("crawl", ["crawlee@3.18.1"], { linkedom: "0.18.14" })
    all.set("Crawlee, persistent", ["node", here("crawlee.mjs"), url, packages])
  } else console.log("Crawlee needs node on the PATH.")
  const python = ["/usr/bin/python3", "python3"].find(
    (path) => Bun.which(path) && Bun.spawnSync([path, "-c", "import scrapy"]).exitCode === 0,
  )
  if (python) all.set("Scrapy", [python, here("scrapy_spider.py"), url, folder])
  else console.log("Scrapy is not installed (Debian: python3-scrapy).")
  return all
}

function compare(url: string, folder: string): void {
  const best = new Map<string, Figures>()
  const all = contestants(url, folder)
  for (let turn = 0; turn < tries; turn++) {
    for (const [name, command] of all) {
      const figures = crawl(name, command)
      const before = best.get(name)
      if (figures && !(before && before.seconds < figures.seconds)) best.set(name, figures)
    }
  }
  for (const [name, { pages, seconds, megabytes, processorMs }] of best) {
    record(name, pages / seconds, "pages/s")
    record(name, megabytes, "MB")
    if (processorMs !== undefined) record(name, (processorMs / pages) * 1000, "µs")
  }
  const ours = best.get("Trawl")
  if (!ours) return
  const ratio = (name: string, wanted: string) => {
    const other = best.get(name)
    if (other) record(`Trawl to ${name}`, other.seconds / ours.seconds, "times")
    const text = other ? `${(other.seconds / ours.seconds).toFixed(2)} (${wanted})` : "not measured"
    console.log(`Trawl to ${name.padEnd(20)} ${text}`)
  }
  ratio("Crawlee, persistent", "wanted: at least 8")
  ratio("Scrapy", "wanted: at least 5")
  ratio("bare loop", "wanted: at least 0.75; the ceiling is 1")
  console.log(`Trawl's memory                ${ours.megabytes} MB (wanted: at most 200)`)
}

const site = Bun.spawn([bun, here("site.ts")], { stdout: "pipe" })
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-scrapy-"))
try {
  const { value } = await site.stdout.getReader().read()
  compare(new TextDecoder().decode(value).trim(), folder)
} finally {
  site.kill()
  rmSync(folder, { recursive: true })
}
