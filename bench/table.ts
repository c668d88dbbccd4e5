import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { compareFigures } from "./compare.ts"
import type { Figure } from "./figures.ts"

const page = join(import.meta.dir, "../docs/internals/performance.md")
const marks = ["<!-- figures -->", "<!-- /figures -->"] as const

/** A figure of a benchmark: its name and unit. */
type Name = readonly [benchmark: string, name: string, unit: string]

interface Row {
  title: string
  ours: Name
  /** The rival's figure of the same run, and its name in the table. */
  rival?: { figure: Name; title: string }
  /**
   * Whether the ratio is the rival's figure divided by Trawl's: for times, where less is better.
   */
  inverse?: boolean
  aim?: string
  /** Measured on 23 November 2026, at commit 371dc046. */
  november?: string
}

const elysia = { figure: ["mcp", "bare Elysia route", "requests/s"] as const, title: "bare Elysia" }
const cluster = (unit: string) => ({
  figure: ["browser", "puppeteer-cluster", unit] as const,
  title: "puppeteer-cluster",
})
const crawler = (name: string, title = name) => ({
  figure: ["crawl", name, "pages/s"] as const,
  title,
})
const crawled = ["crawl", "Trawl", "pages/s"] as const

const rows: readonly Row[] = [
  {
    title: "status of a run",
    ours: ["api", "a run's status (wanted 40,000/s)", "requests/s"],
    rival: { figure: ["api", "bare Elysia, GET", "requests/s"], title: "bare Elysia" },
    aim: "0.35",
    november: "0.22",
  },
  {
    title: "start of a run, stored on disk",
    ours: ["api", "a run started, on disk (wanted 5,000/s)", "requests/s"],
    rival: { figure: ["api", "bare Elysia, POST", "requests/s"], title: "bare Elysia" },
    aim: "0.20",
    november: "0.09",
  },
  {
    title: "MCP, list of all tools",
    ours: ["mcp", "tools/list, all tools", "requests/s"],
    rival: elysia,
    aim: "0.30",
    november: "0.15",
  },
  {
    title: "the same, to a route with as many bytes",
    ours: ["mcp", "tools/list, all tools", "requests/s"],
    rival: {
      figure: ["mcp", "bare Elysia route with the list's bytes", "requests/s"],
      title: "bare Elysia",
    },
  },
  {
    title: "MCP, call of a tool",
    ours: ["mcp", "tools/call", "requests/s"],
    rival: elysia,
    aim: "0.10",
    november: "0.02",
  },
  {
    title: "its p99, to its p50",
    ours: ["mcp", "tools/call", "ms p99"],
    rival: { figure: ["mcp", "tools/call", "ms p50"], title: "p50" },
    aim: "3",
  },
  {
    title: "crawl",
    ours: crawled,
    rival: crawler("bare loop"),
    aim: "0.75",
    november: "0.61",
  },
  {
    title: "crawl",
    ours: crawled,
    rival: crawler("Crawlee, persistent", "Crawlee with a persistent queue"),
    aim: "8",
    november: "16.5",
  },
  { title: "crawl", ours: crawled, rival: crawler("Scrapy"), aim: "5", november: "16.5" },
  { title: "memory of the crawl", ours: ["crawl", "Trawl", "MB"], aim: "180 MB", november: "204" },
  {
    title: "rendered page",
    ours: ["browser", "trawl render", "pages/s"],
    rival: cluster("pages/s"),
    aim: "3",
    november: "2.4",
  },
  {
    title: "rendered page, processor time",
    ours: ["browser", "trawl render", "ms"],
    rival: cluster("ms"),
    inverse: true,
    aim: "2.5",
  },
  {
    title: "rendered page, messages with Chrome",
    ours: ["browser", "trawl render", "messages"],
    rival: cluster("messages"),
    inverse: true,
  },
  {
    title: "page over Chrome's network stack",
    ours: ["browser", "browser-http pages", "pages/s"],
    rival: cluster("pages/s"),
    november: "40",
  },
  {
    title: "page to Markdown of its main content",
    ours: ["markdown", "Trawl", "pages/s"],
    rival: {
      figure: ["markdown", "jsdom + Readability + turndown", "pages/s"],
      title: "jsdom, Readability and turndown",
    },
    november: "10.5",
  },
  {
    title: "HTML to Markdown, parsing included",
    ours: ["markdown", "Trawl, parsing included", "MB/s"],
    rival: { figure: ["markdown", "node-html-markdown", "MB/s"], title: "node-html-markdown" },
  },
  {
    title: "size of the executable",
    ours: ["start", "the executable", "MB"],
    rival: { figure: ["start", "the executable, bare", "MB"], title: "bare Bun" },
    aim: "1.35",
    november: "1.20",
  },
  {
    title: "from the start to the first response",
    ours: ["start", "from the start to the first response", "ms"],
    rival: {
      figure: ["start", "from the start to the first response, bare", "ms"],
      title: "bare Bun",
    },
    november: "50 ms",
  },
  {
    title: "memory at rest",
    ours: ["start", "memory at rest", "MB"],
    rival: { figure: ["start", "memory at rest, bare", "MB"], title: "bare Bun" },
    november: "64 MB",
  },
  {
    title: "memory after a call",
    ours: ["start", "memory after a call", "MB"],
    rival: { figure: ["start", "memory after a call, bare", "MB"], title: "bare Bun" },
    aim: "95 MB",
    november: "113 MB",
  },
]

/** Returns the figures of several runs as lines of a Markdown table, each next to its rival of the same run. */
export function tableOf(runs: readonly (readonly Figure[])[]): string[] {
  return [
    ...runs.map(
      (figures, index) => `${runs.length > 1 ? `- Run ${index + 1}: ` : ""}${machineOf(figures)}`,
    ),
    "",
    "| | Trawl | rival | ratio | aim | 23 November |",
    "|---|---|---|---|---|---|",
    ...rows.map((row) => {
      const { title, ours, rival, aim = "", november = "" } = row
      const cell = (texts: (string | undefined)[]) => texts.map((text) => text ?? "–").join(", ")
      const values = runs.map((figures) => medianOf(figures, ours))
      const theirs = runs.map((figures) => rival && medianOf(figures, rival.figure))
      const ratios = values.map((value, index) => {
        const other = theirs[index]
        if (value === undefined || other === undefined) return undefined
        return plain(row.inverse ? other / value : value / other)
      })
      return `| ${[
        title,
        cell(values.map((value) => withUnit(value, ours[2]))),
        rival
          ? `${rival.title} ${cell(theirs.map((value) => withUnit(value, rival.figure[2])))}`
          : "",
        rival ? cell(ratios) : "",
        aim,
        november,
      ].join(" | ")} |`
    }),
  ]
}

/** Writes the table into the documentation of the performance. */
export function writeTable(runs: readonly (readonly Figure[])[]): void {
  const text = readFileSync(page, "utf8")
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number]
  if (start < 0 || end < start)
    throw new Error(`${page} has no marks for the table: ${marks.join(" … ")}.`)
  const table = tableOf(runs).join("\n")
  writeFileSync(page, `${text.slice(0, start + marks[0].length)}\n${table}\n${text.slice(end)}`)
}

/** Returns the median, as in comparisons; undefined if the run has no such figure. */
function medianOf(figures: readonly Figure[], [benchmark, name, unit]: Name): number | undefined {
  const same = figures.filter(
    (one) => one.benchmark === benchmark && one.name === name && one.unit === unit,
  )
  return compareFigures(same, same)[0]?.before
}

const plain = (value: number) =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

function withUnit(value: number | undefined, unit: string): string | undefined {
  if (value === undefined) return undefined
  const word = unit
    .replace("requests/s", "/s")
    .replace(/^(ms) p\d+$/, "$1")
    .replace("messages", "")
  return `${plain(value)}${word.startsWith("/") || word === "" ? word : ` ${word}`}`
}

function machineOf(figures: readonly Figure[]): string {
  const [first] = figures
  if (!first) return "no figures."
  const loads = figures.map(({ load }) => load)
  return `commit \`${first.commit}\`, ${first.date.slice(0, 16).replace("T", " ")} UTC, ${first.cpu}, load ${Math.min(...loads)} to ${Math.max(...loads)}.`
}
