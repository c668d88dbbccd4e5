import { Type } from "@sinclair/typebox"
import { distinct, objectList, textOrNull, unseen } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  once,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import { filingIndex, requestSec, secRateLimit } from "./sec.ts"

/** The facts of a large company have several megabytes. */
const factsBytes = 60 * 1024 * 1024

const usualConcepts = [
  "Revenues",
  "RevenueFromContractWithCustomerExcludingAssessedTax",
  "NetIncomeLoss",
  "EarningsPerShareDiluted",
  "Assets",
  "Liabilities",
  "StockholdersEquity",
  "CashAndCashEquivalentsAtCarryingValue",
  "NetCashProvidedByUsedInOperatingActivities",
  "EntityCommonStockSharesOutstanding",
]

type Point = { start?: string; end: string; val: number; accn: string; filed?: string }
type Concept = { units?: Record<string, Point[]> | null }
type CompanyFacts = { entityName?: string; facts?: Record<string, Record<string, Concept>> }

const meaning = record({
  label: field.text("label", "Label of the concept in plain words."),
  description: field.text("description", "Meaning of the concept."),
})

const fact = record({
  value: required(field.number("val", "Value of the fact, in its unit.")),
  periodStart: field.text(
    "start",
    "First day of the period (YYYY-MM-DD); null for a value at one date.",
  ),
  periodEnd: required(
    field.text("end", "Last day of the period, or the date of the value (YYYY-MM-DD)."),
  ),
  fiscalYear: field.integer("fy", "Fiscal year of the filing, not of the value."),
  fiscalPeriod: field.text("fp", "Fiscal period of the filing: Q1 to Q3, or FY."),
  form: field.text("form", "Form type of the filing."),
  filedDate: field.text("filed", "Day of the filing (YYYY-MM-DD)."),
  accessionNumber: required(field.text("accn", "Accession number of the filing.")),
  frame: field.text(
    "frame",
    "Calendar period to which the SEC assigns the value, for example CY2024Q1I.",
  ),
})

export default defineScraper({
  slug: "sec-company-facts-scraper",
  name: "SEC Company Facts",
  tagline: "XBRL financial facts of US listed companies from the SEC.",
  notServed: ["share price", "companies outside the US"],
  category: "finance",
  input: {
    identifiers: inputs.texts(
      "Tickers, for example AAPL, CIK numbers, for example 320193, or EDGAR URLs with CIK=.",
      { max: 500 },
    ),
    concepts: Type.Optional(
      inputs.texts(
        "Concept names, for example Assets or us-gaap:Revenues; * for all (default: ten common ones).",
        { min: 0, max: 500 },
      ),
    ),
    pointsPerConcept: inputs.count("Maximum values per concept and unit, newest first", {
      max: 500,
      or: 8,
    }),
    maxItems: inputs.count("Maximum values", { max: 100_000, or: 1000 }),
  },
  item: {
    input: items.requiredText("Company as written in the input."),
    ticker: items.text("Ticker of the company; null if the input is a CIK number."),
    cik: items.requiredText("CIK of the company, ten digits."),
    entityName: items.text("Name of the company."),
    taxonomy: items.requiredText("Taxonomy of the concept, for example us-gaap, dei or ifrs-full."),
    concept: items.requiredText("Name of the concept, for example Assets."),
    ...meaning.fields,
    unit: items.requiredText("USD, USD/shares, shares, pure …"),
    ...fact.fields,
    url: items.requiredText("URL of the filing's index page."),
  },
  example: { identifiers: ["AAPL"], concepts: ["NetIncomeLoss"], pointsPerConcept: 4 },
  probe: {
    expect: [
      "items.length gte 4",
      'items[0].cik matches "320193"',
      "items[*].value gte 1000000000",
      'items[*].unit equals "USD"',
      "items[*].periodEnd fresh 250",
    ],
  },
  rateLimit: secRateLimit,
  targets: ({ identifiers }) => distinct(identifiers),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(target, ctx) {
    const { concepts: requested = [], pointsPerConcept } = ctx.input
    const { cik, ticker } = await company(target, ctx)
    const { entityName, facts } = await companyFacts(cik, target, ctx)
    const wanted = requested.length > 0 ? requested : usualConcepts
    const matches = unseen(
      wanted.flatMap((name) => conceptsNamed(name, facts)),
      new Set(),
      ({ taxonomy, concept }) => `${taxonomy}:${concept}`,
    )
    if (matches.length === 0) {
      const names = wanted.join(", ")
      throw new NotFound(`The SEC has none of these concepts for "${target}": ${names}.`)
    }
    const series = matches.flatMap((named) =>
      Object.entries(named.units ?? {}).map(([unit, points]) => ({ named, unit, points })),
    )
    const read = (one: (typeof series)[0]) => ({ ...one, points: newestPoints(one.points) })
    for await (const { named, unit, points } of readRows(series, read, ctx)) {
      const { taxonomy, concept } = named
      for (const point of points.slice(0, pointsPerConcept)) {
        yield {
          input: target,
          ticker,
          cik,
          entityName: textOrNull(entityName),
          taxonomy,
          concept,
          ...meaning.read(named),
          unit,
          ...fact.read(point),
          url: filingIndex(cik, point.accn),
        }
      }
    }
  },
})

async function company(target: string, ctx: Context) {
  const named = (/[?&]CIK=([^&#]+)/i.exec(target)?.[1] ?? target).trim()
  const number = /^(?:CIK)?0*(\d{1,10})$/i.exec(named)?.[1]
  if (number) return { cik: number.padStart(10, "0"), ticker: null }
  const ticker = named.toUpperCase().replaceAll(".", "-")
  if (!/^[A-Z0-9-]{1,12}$/.test(ticker))
    throw new BadInput(`"${target}" is neither a ticker nor a CIK number.`)
  const cik = (await once(ctx, "tickers", () => tickers(ctx))).get(ticker)
  if (!cik) throw new NotFound(`No company on the SEC's list has the ticker "${ticker}".`)
  return { cik, ticker }
}

/** Returns CIK numbers of ten digits, by ticker. */
async function tickers(ctx: Context): Promise<Map<string, string>> {
  const response = await requestSec(ctx, "https://www.sec.gov/files/company_tickers.json", {})
  const list = Object.values(response.json<Record<string, { cik_str?: number; ticker?: string }>>())
  const known = list.flatMap((entry): [string, string][] =>
    entry?.ticker && entry.cik_str
      ? [[String(entry.ticker).toUpperCase(), String(entry.cik_str).padStart(10, "0")]]
      : [],
  )
  if (known.length === 0) throw response.explainMissing("a list of tickers")
  return new Map(known)
}

async function companyFacts(cik: string, target: string, ctx: Context) {
  const url = `https://data.sec.gov/api/xbrl/companyfacts/CIK${cik}.json`
  const response = await requestSec(ctx, url, { maxBytes: factsBytes }).catch((error) => {
    if (!(error instanceof NotFound)) throw error
    throw new NotFound(`The SEC has no XBRL facts for "${target}".`, error)
  })
  const { entityName, facts } = response.json<CompanyFacts>()
  if (typeof facts !== "object" || facts === null)
    throw response.explainMissing("the facts of a company")
  return { entityName, facts }
}

type NamedConcept = Concept & { taxonomy: string; concept: string }

/**
 * Returns the concepts with a name in any letter case, in one taxonomy (`us-gaap:Assets`) or all;
 * `*` returns all concepts.
 */
function conceptsNamed(name: string, facts: NonNullable<CompanyFacts["facts"]>): NamedConcept[] {
  const [, prefix, local = ""] = /^(?:([^:]+):)?(.+)$/.exec(name.trim().toLowerCase()) ?? []
  return Object.entries(facts)
    .filter(([taxonomy]) => !prefix || taxonomy.toLowerCase() === prefix)
    .flatMap(([taxonomy, concepts]) =>
      Object.entries(concepts ?? {})
        .filter(([concept]) => local === "*" || concept.toLowerCase() === local)
        .map(([concept, data]) => ({ ...data, taxonomy, concept })),
    )
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/**
 * Sorts the newest periods first; of two periods with the same end, the shorter one. If several
 * filings repeat the value of a period, the last filing wins.
 */
function newestPoints(points: Point[] | null): Point[] {
  const byPeriod = new Map<string, Point>()
  for (const point of objectList(points)) {
    if (typeof point.val !== "number" || !isText(point.end) || !isText(point.accn)) continue
    const start = isText(point.start) ? point.start : undefined
    const filed = isText(point.filed) ? point.filed : undefined
    const key = `${start ?? ""} ${point.end}`
    const known = byPeriod.get(key)
    if (!known || (filed ?? "") >= (known.filed ?? ""))
      byPeriod.set(key, { ...point, start, filed })
  }
  if (byPeriod.size === 0 && (points?.length ?? 0) > 0)
    throw new Changed("The SEC's facts have values without a period or filing.")
  return [...byPeriod.values()].sort(
    (a, b) =>
      b.end.localeCompare(a.end) ||
      (b.start ?? "").localeCompare(a.start ?? "") ||
      (b.filed ?? "").localeCompare(a.filed ?? ""),
  )
}
