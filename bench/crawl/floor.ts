/**
 * The upper limit: fetch, linkedom and SQLite in a bare loop, without anything that makes a crawl
 * safe.
 */
import { Database } from "bun:sqlite"
import { parseHTML } from "linkedom"
import { peakMemory, processorTime } from "./peak.ts"

const width = 64
const batch = 200

const database = new Database(":memory:")
database.run("CREATE TABLE items (url TEXT PRIMARY KEY, title TEXT, description TEXT)")
const insert = database.query("INSERT INTO items VALUES (?, ?, ?)")
const start = process.argv[2]!
const known = new Set([start])
const queue = [start]
let rows: [string, string, string | null][] = []
let pages = 0

function flush(): void {
  database.transaction(() => {
    for (const row of rows) insert.run(...row)
  })()
  rows = []
}

async function visit(url: string): Promise<void> {
  const { document } = parseHTML(await (await fetch(url)).text())
  for (const anchor of document.querySelectorAll("a[href]")) {
    const link = new URL(anchor.getAttribute("href")!, url).href
    if (known.has(link)) continue
    known.add(link)
    queue.push(link)
  }
  const description = document.querySelector("meta[name=description]")?.getAttribute("content")
  rows.push([url, document.title, description ?? null])
  pages++
  if (rows.length >= batch) flush()
}

const started = performance.now()
const processor = processorTime()
const working = new Set<Promise<void>>()
while (queue.length > 0 || working.size > 0) {
  while (queue.length > 0 && working.size < width) {
    const visiting: Promise<void> = visit(queue.shift()!).finally(() => working.delete(visiting))
    working.add(visiting)
  }
  await Promise.race(working)
}
flush()
const seconds = (performance.now() - started) / 1000
console.log(JSON.stringify({ pages, seconds, processorMs: processor(), megabytes: peakMemory() }))
