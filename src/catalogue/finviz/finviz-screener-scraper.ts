import { Type } from "@sinclair/typebox"
import { numberOrNull, plainText } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  cursor,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  readRows,
  record,
  required,
  type UpstreamResponse,
} from "../kit/index.ts"
import signalCodesTable from "./signals.json"

const pageSize = 20

const signalCodes: Readonly<Record<string, string>> = signalCodesTable

const input = {
  filters: Type.Optional(
    inputs.text(
      "Comma-separated filter codes, for example cap_largeover,sec_technology, or a screener URL.",
    ),
  ),
  order: inputs.optionalText("Sort column, for example marketcap, or -change for descending.", {
    pattern: "^-?[A-Za-z0-9_]+$",
  }),
  signal: Type.Optional(
    inputs.text("Signal code, for example ta_topgainers, or its name, for example Top Gainers."),
  ),
  maxItems: inputs.count("Maximum stocks", { max: 10_000, or: 100 }),
}

/** Texts of a row, by the headings of their columns. */
type Cells = Record<string, string | null>

const numeric = (column: string) => (cells: Cells) => numberIn(cells[column])

const stock = record({
  position: field.integer(numeric("no."), "Position in the list, from 1."),
  ticker: required(field.text("ticker", "Ticker symbol.")),
  company: field.text("company", "Name of the company."),
  sector: field.text("sector", "Sector."),
  industry: field.text("industry", "Industry."),
  country: field.text("country", "Country."),
  marketCap: field.number(
    (cells: Cells) => scaled(cells["market cap"]),
    "Market capitalization in US dollars.",
  ),
  peRatio: field.number(
    numeric("p/e"),
    "Price-to-earnings ratio: price divided by the earnings per share.",
  ),
  price: field.number(numeric("price"), "Price, delayed by 15 minutes."),
  changePercent: field.number(numeric("change"), "Price change of the day, in percent."),
  volume: field.integer(numeric("volume"), "Volume of the day."),
  url: field.of(
    items.requiredText("URL of the stock."),
    ({ ticker }: Cells) => `https://finviz.com/quote.ashx?t=${encodeURIComponent(ticker!)}`,
  ),
  chartUrl: field.of(
    items.requiredText("URL of an image of the daily chart."),
    ({ ticker }: Cells) =>
      `https://charts2-node.finviz.com/chart.ashx?cs=m&t=${encodeURIComponent(ticker!)}&tf=d&s=linear&ct=candle_stick&tm=d`,
  ),
})

export default defineScraper({
  slug: "finviz-screener-scraper",
  name: "Finviz Screener",
  tagline: "Stocks that match Finviz screener filters or signals.",
  notServed: ["one stock's price"],
  category: "finance",
  input,
  item: {
    ...stock.fields,
    totalMatches: items.requiredInteger("Number of matching stocks."),
    filters: items.text("Requested filters."),
    signal: items.text("Requested signal."),
    order: items.text("Requested order."),
  },
  example: { filters: "cap_largeover,sec_technology", order: "-marketcap", maxItems: 20 },
  probe: {
    input: { filters: "cap_largeover,sec_technology", order: "-marketcap", maxItems: 5 },
    expect: [
      "items.length equals 5",
      'items[*].ticker matches "^[A-Z.-]+$"',
      "items[*].company share 1",
      "items[*].price share 1",
      "items[*].marketCap share 1",
      "items[0].totalMatches gte 50",
    ],
  },
  rateLimit: { "finviz.com": { perSecond: 1 / 1.5, concurrency: 1 } },
  pages: { rows: 20 },
  targets: ({ filters, signal }) => [{ input: filters ?? signal ?? null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(_target, ctx) {
    const { maxItems, filters = null, signal = null, order = null } = ctx.input
    const query = queryOf(ctx.input)
    const page = async (before = 0) => {
      const response = await ctx.page("https://finviz.com/screener.ashx", {
        has: (response) => totalIn(response) !== null,
        what: "the number of matches",
        // Finviz refuses clients that do not look like browsers.
        refusal: { statuses: [403] },
        query: { v: 111, ...query, r: before > 0 ? before + 1 : undefined },
      })
      const { total, rows } = await readPage(response, ctx)
      if (before === 0) warnOfIgnored(query.f, response, ctx)
      const next = before + pageSize
      return {
        rows: rows.map((row) => ({ ...row, totalMatches: total, filters, signal, order })),
        next: next < total ? next : null,
      }
    }
    // After the end, Finviz returns the last page again.
    yield* cursor(page, { cap: maxItems, keyOf: ({ ticker }) => ticker })
  },
})

/** Returns the site's parameters: those of a screener URL, overridden by the other fields. */
function queryOf({ filters, signal, order }: InputOf<typeof input>) {
  const text = filters?.trim() ?? ""
  const url = /^(?:https?:\/\/)?((?:[a-z]+\.)?finviz\.com\/.*)$/i.exec(text)?.[1]
  const provided = url ? new URL(`https://${url}`).searchParams : null
  const codes = provided
    ? provided.get("f")
    : text.replace(/(?<!\s)\s*,\s*/g, ",").replace(/^,|,$/g, "")
  if (codes && !/^[\w.,|-]+$/.test(codes)) {
    throw new BadInput(
      `"${filters}" is not a list of filter codes. Use codes such as cap_largeover,fa_pe_u20.`,
    )
  }
  return {
    f: codes || undefined,
    s: signal ? signalCode(signal) : (provided?.get("s") ?? undefined),
    o: order ?? provided?.get("o") ?? undefined,
  }
}

function signalCode(signal: string): string {
  const name = signal.trim().toLowerCase()
  const code = signalCodes[name] ?? name
  if (/^[a-z]+_[a-z0-9_]+$/.test(code)) return code
  throw new BadInput(
    `"${signal}" is not a signal. Use a signal such as ta_topgainers or Top Gainers.`,
  )
}

const tableOf = ({ document }: UpstreamResponse) =>
  document.querySelector("table.screener_table") ?? document

const stockRows = "tr.styled-row, tr.table-dark-row-cp, tr.table-light-row-cp"

/** A row with a single cell is an advertisement. */
const rowsIn = (response: UpstreamResponse) =>
  [...tableOf(response).querySelectorAll(stockRows)].filter((row) => row.childElementCount > 1)

/** Returns the number of matching stocks, or null if the page does not state it. */
function totalIn(response: UpstreamResponse): number | null {
  const { document } = response
  const content = document.querySelector("#screener-content")
  // The page has a list for other programs, `<!-- TS … TE -->`.
  const listsNone = content !== null && /<!--\s*TS\s+TE\s*-->/.test(response.text())
  const isEmpty = /\bNo results\b/i.test(plainText(content) ?? "") || listsNone
  if (isEmpty && rowsIn(response).length === 0) return 0
  const counter = plainText(document.querySelector("#screener-total, .count-text"))
  const count = /(?<![\d,])([\d,]+)\s*Total|Total:\s*([\d,]+)/i.exec(counter ?? "")
  return numberIn(count?.[1] ?? count?.[2])
}

async function readPage(response: UpstreamResponse, ctx: Pick<Context, "log">) {
  const rows = rowsIn(response)
  const total = totalIn(response)
  if (total === null) throw response.explainMissing("the number of matches")
  if (rows.length === 0 && total > 0) throw response.explainMissing("rows of stocks")
  const heads = tableOf(response).querySelectorAll("th.table-header, td.table-top, td.table-top-s")
  const columns = [...heads].map((head) => plainText(head)?.toLowerCase() ?? "")
  const stocks = readRows(rows, (row) => stockOf(row, columns, response), ctx)
  return { total, rows: await Array.fromAsync(stocks) }
}

function stockOf(row: Element, columns: string[], response: UpstreamResponse) {
  const cells = [...row.children].filter((cell) => cell.localName === "td")
  const texts = columns.map((name, index) => {
    const text = plainText(cells[index])
    return [name, text === "-" ? null : text]
  })
  // The cell may also contain the link of a logo, which repeats the ticker.
  const cell = cells[columns.indexOf("ticker")]
  const ticker =
    cell?.getAttribute("data-boxover-ticker") ?? plainText(cell?.querySelector("a.tab-link"))
  const byColumn: Cells = Object.fromEntries([...texts, ...(ticker ? [["ticker", ticker]] : [])])
  if (!byColumn.ticker || cells.length < columns.length) {
    throw response.explainMissing("a whole row with a ticker")
  }
  return stock.read(byColumn)
}

const numberIn = (text: string | null | undefined): number | null =>
  numberOrNull(text?.replace(/[,%\s]/g, ""))

const scales: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }

/** Parses `7.27M` as 7270000, rounded because the product is not exact. */
function scaled(text: string | null | undefined): number | null {
  const [, number, unit] = /^([\d.,]+)([KMBT])?$/i.exec(text ?? "") ?? []
  const value = numberIn(number)
  return value === null ? null : Math.round(value * (scales[unit?.toUpperCase() ?? ""] ?? 1))
}

/** Warns of filter codes that the site does not support; it removes them from its own links. */
function warnOfIgnored(filters = "", response: UpstreamResponse, ctx: Pick<Context, "log">) {
  if (filters === "") return
  const stored = [...response.document.querySelectorAll("#screener-views-table a[href]")]
    .map((link) => new URL(link.getAttribute("href")!, response.url).searchParams)
    .filter((parameters) => parameters.has("v"))
    .map((parameters) => (parameters.get("f") ?? "").split(","))
  const ignored = filters
    .split(",")
    .filter((code) => stored.every((codes) => !codes.includes(code)))
  if (stored.length > 0 && ignored.length > 0) {
    ctx.log(`Finviz does not support these filters: ${ignored.join(", ")}.`, "warning")
  }
}
