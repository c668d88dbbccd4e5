/**
 * A crawl of a local site of 5,000 pages, one durable item a page, 64 requests at once: Trawl's
 * pages a second beside Crawlee's (with persistence) and Scrapy's, and a bare loop as the ceiling.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rivals } from "../rivals.ts"
import { pageCount } from "./site.ts"

interface Figures {
  pages: number
  seconds: number
  megabytes: number
}

const here = (file: string) => join(import.meta.dir, file)

const site = Bun.spawn([process.execPath, here("site.ts")], { stdout: "pipe" })
const { value } = await site.stdout.getReader().read()
const url = new TextDecoder().decode(value).trim()

/** Runs one crawler in a process of its own; its last line tells its figures. */
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
    `${name.padEnd(24)} ${String(rate).padStart(6)} pages/s, ${figures.megabytes} MB at most`,
  )
  return figures
}

/** Several tries, since others may use the machine; the best one counts, for each alike. */
function best(name: string, command: string[], tries: number): Figures | undefined {
  const all = Array.from({ length: tries }, () => crawl(name, command))
  const done = all.filter((figures) => figures !== undefined)
  return done.sort((a, b) => a.seconds - b.seconds)[0]
}

const python = ["/usr/bin/python3", "python3"].find(
  (path) => Bun.which(path) && Bun.spawnSync([path, "-c", "import scrapy"]).exitCode === 0,
)
const folder = mkdtempSync(join(tmpdir(), "trawl-bench-scrapy-"))
const bun = process.execPath

const ours = best("Trawl", [bun, here("trawl.ts"), url], 3)
const ceiling = best("bare loop", [bun, here("floor.ts"), url], 2)
const crawlee = best("Crawlee, persistent", ["node", here("crawlee.mjs"), url, packages()], 1)
const scrapy = python
  ? best("Scrapy", [python, here("scrapy_spider.py"), url, folder], 1)
  : undefined
if (!python) console.log("Scrapy                   is not installed (Debian: python3-scrapy)")

function packages(): string {
  return rivals("crawl", ["crawlee@3.18.1"], { linkedom: "0.18.14" })
}

const ratio = (other: Figures | undefined, wanted: string) =>
  ours && other ? `${(other.seconds / ours.seconds).toFixed(1)} (wanted ${wanted})` : "not measured"
console.log(`Trawl to Crawlee         ${ratio(crawlee, "at least 8")}`)
console.log(`Trawl to Scrapy          ${ratio(scrapy, "at least 5")}`)
console.log(`Trawl to the bare loop   ${ratio(ceiling, "below 1, as it is the ceiling")}`)
if (ours) console.log(`Trawl's memory           ${ours.megabytes} MB (wanted below 250)`)
rmSync(folder, { recursive: true })
site.kill()
