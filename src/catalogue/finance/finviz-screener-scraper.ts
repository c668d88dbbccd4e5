import { Type } from "@sinclair/typebox"
import { textOf } from "../../extract/html.ts"
import { numberOrNull } from "../../extract/numbers.ts"
import type { Answer } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, numberField, textField } from "../fields.ts"
import { BadInput } from "../outcome.ts"

const screener = "https://finviz.com/screener.ashx"
const pageSize = 20

/** Signals by the names that the site shows. */
const signalCodes: Record<string, string> = {
  "top gainers": "ta_topgainers",
  "top losers": "ta_toplosers",
  "new high": "ta_newhigh",
  "new low": "ta_newlow",
  "most volatile": "ta_mostvolatile",
  "most active": "ta_mostactive",
  "unusual volume": "ta_unusualvolume",
  overbought: "ta_overbought",
  oversold: "ta_oversold",
  downgrades: "n_downgrades",
  upgrades: "n_upgrades",
  "earnings before": "n_earningsbefore",
  "earnings after": "n_earningsafter",
  "recent insider buying": "it_latestbuys",
  "recent insider selling": "it_latestsales",
  "major news": "n_majornews",
  "horizontal s/r": "ta_p_horizontal",
  "tl resistance": "ta_p_tlresistance",
  "tl support": "ta_p_tlsupport",
  "wedge up": "ta_p_wedgeup",
  "wedge down": "ta_p_wedgedown",
  "triangle ascending": "ta_p_wedgeresistance",
  "triangle descending": "ta_p_wedgesupport",
  wedge: "ta_p_wedge",
  "channel up": "ta_p_channelup",
  "channel down": "ta_p_channeldown",
  channel: "ta_p_channel",
  "double top": "ta_p_doubletop",
  "double bottom": "ta_p_doublebottom",
  "multiple top": "ta_p_multipletop",
  "multiple bottom": "ta_p_multiplebottom",
  "head & shoulders": "ta_p_headandshoulders",
  "head & shoulders inverse": "ta_p_headandshouldersinv",
}

export default defineScraper({
  slug: "finviz-screener-scraper",
  name: "Finviz Screener",
  tagline: "Stocks that match Finviz screener filters or signals.",
  category: "finance",
  tier: "free",
  input: inputObject({
    filters: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "Codes apart by commas, as in the site's address (cap_largeover,sec_technology), or a whole screener address.",
      }),
    ),
    order: Type.Optional(
      Type.String({
        pattern: "^-?[A-Za-z0-9_]+$",
        description: "Column to sort by, such as marketcap or -change (descending).",
      }),
    ),
    signal: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Code such as ta_topgainers, or the site's name such as Top Gainers.",
      }),
    ),
    maxItems: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: "Most stocks." }),
    ),
  }),
  item: itemObject({
    rank: integerField("Place in the list, from 1."),
    ticker: Type.String({ description: "Ticker." }),
    company: textField("Company."),
    sector: textField("Sector."),
    industry: textField("Industry."),
    country: textField("Country."),
    marketCap: numberField("Market capitalisation, in US dollars."),
    peRatio: numberField("Price to earnings."),
    price: numberField("Price, 15 minutes late."),
    changePercent: numberField("Change of the day, in percent."),
    volume: integerField("Volume of the day."),
    url: Type.String({ description: "The stock's page." }),
    chartUrl: Type.String({ description: "Picture of its daily chart." }),
    totalMatches: Type.Integer({ description: "How many stocks match." }),
    filters: textField("Filters as they were asked for."),
    signal: textField("Signal as it was asked for."),
    order: textField("Order as it was asked for."),
  }),
  example: { filters: "cap_largeover,sec_technology", order: "-marketcap", maxItems: 20 },
  pace: { "finviz.com": { perSecond: 1 / 1.5, concurrency: 1 } },
  targets: ({ filters, signal }) => [{ input: filters ?? signal ?? null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(_target, ctx) {
    const { maxItems = 100, filters = null, signal = null, order = null } = ctx.input
    const query = queryOf(ctx.input)
    let given = 0
    for (let first = 1; given < maxItems; first += pageSize) {
      const answer = await ctx.html(screener, {
        query: { v: 111, ...query, r: first > 1 ? first : undefined },
      })
      const { total, rows } = readPage(answer)
      if (first === 1) warnOfIgnored(query.f, answer, (line) => ctx.log(line, "warning"))
      // Beyond the end, the last page comes again.
      if (rows.length === 0 || (rows[0]!.rank ?? first) < first) return
      for (const row of rows) {
        yield { ...row, totalMatches: total, filters, signal, order }
        given++
      }
      if (first + pageSize > total) return
    }
  },
})

interface Query {
  f?: string | undefined
  s?: string | undefined
  o?: string | undefined
}

/** The site's own parameters; a whole address is taken apart, and single fields win over it. */
function queryOf(input: { filters?: string; signal?: string; order?: string }): Query {
  const text = input.filters?.trim() ?? ""
  const address = /^(?:https?:\/\/)?((?:[a-z]+\.)?finviz\.com\/.*)$/i.exec(text)?.[1]
  const given = address ? new URL(`https://${address}`).searchParams : null
  const codes = given ? given.get("f") : text.replace(/\s*,\s*/g, ",").replace(/^,|,$/g, "")
  if (codes && !/^[\w.,|-]+$/.test(codes)) {
    throw new BadInput(`"${input.filters}" are no filter codes such as cap_largeover,fa_pe_u20.`)
  }
  return {
    f: codes || undefined,
    s: input.signal ? signalCode(input.signal) : (given?.get("s") ?? undefined),
    o: input.order ?? given?.get("o") ?? undefined,
  }
}

function signalCode(signal: string): string {
  const name = signal.trim().toLowerCase()
  const code = signalCodes[name] ?? name
  if (/^[a-z]+_[a-z0-9_]+$/.test(code)) return code
  throw new BadInput(`"${signal}" is no signal such as ta_topgainers or Top Gainers.`)
}

function readPage(answer: Answer) {
  const { document } = answer
  const counter = textOf(document.querySelector("#screener-total, .count-text"))
  const count = /([\d,]+)\s*Total|Total:\s*([\d,]+)/i.exec(counter ?? "")
  const table = document.querySelector("table.screener_table") ?? document
  const rows = [
    ...table.querySelectorAll("tr.styled-row, tr.table-dark-row-cp, tr.table-light-row-cp"),
  ]
  const content = textOf(document.querySelector("#screener-content")) ?? ""
  const nothing = rows.length === 0 && /\bNo results\b/i.test(content)
  const total = nothing ? 0 : numberIn(count?.[1] ?? count?.[2])
  if (total === null) throw answer.lacks("the number of matches")
  if (rows.length === 0 && total > 0) throw answer.lacks("rows of stocks")
  const heads = [...table.querySelectorAll("th.table-header, td.table-top, td.table-top-s")]
  const columns = heads.map((head) => textOf(head)?.toLowerCase() ?? "")
  return { total, rows: rows.map((row) => stockOf(row, columns, answer)) }
}

function stockOf(row: Element, columns: string[], answer: Answer) {
  const cells = [...row.children].filter((cell) => cell.localName === "td")
  const cell = (name: string) => cells[columns.indexOf(name)]
  const text = (name: string) => {
    const value = textOf(cell(name))
    return value === "-" ? null : value
  }
  // The cell may hold a logo's link too, so its text is the ticker twice.
  const ticker =
    cell("ticker")?.getAttribute("data-boxover-ticker") ??
    textOf(cell("ticker")?.querySelector("a.tab-link")) ??
    text("ticker")
  if (!ticker || cells.length < columns.length) throw answer.lacks("a whole row with a ticker")
  return {
    rank: numberIn(text("no.")),
    ticker,
    company: text("company"),
    sector: text("sector"),
    industry: text("industry"),
    country: text("country"),
    marketCap: scaled(text("market cap")),
    peRatio: numberIn(text("p/e")),
    price: numberIn(text("price")),
    changePercent: numberIn(text("change")),
    volume: numberIn(text("volume")),
    url: `https://finviz.com/quote.ashx?t=${encodeURIComponent(ticker)}`,
    chartUrl: `https://charts2-node.finviz.com/chart.ashx?cs=m&t=${encodeURIComponent(ticker)}&tf=d&s=linear&ct=candle_stick&tm=d`,
  }
}

function numberIn(text: string | null | undefined): number | null {
  return numberOrNull(text?.replace(/[,%\s]/g, ""))
}

const scales: Record<string, number> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }

/** `7.27M` is 7270000: exact only after rounding. */
function scaled(text: string | null): number | null {
  const [, number, unit] = /^([\d.,]+)([KMBT])?$/i.exec(text ?? "") ?? []
  const value = numberIn(number)
  return value === null ? null : Math.round(value * (scales[unit?.toUpperCase() ?? ""] ?? 1))
}

/** The site drops codes that it does not know, also from its own links. */
function warnOfIgnored(filters: string | undefined, answer: Answer, warn: (line: string) => void) {
  if (!filters) return
  const links = [...answer.document.querySelectorAll("#screener-views-table a[href]")]
  const kept = links
    .map((link) => new URL(link.getAttribute("href")!, answer.url).searchParams)
    .filter((parameters) => parameters.has("v"))
    .map((parameters) => (parameters.get("f") ?? "").split(","))
  const ignored = filters.split(",").filter((code) => kept.every((codes) => !codes.includes(code)))
  if (kept.length > 0 && ignored.length > 0) {
    warn(`Finviz does not know these filters: ${ignored.join(", ")}.`)
  }
}
