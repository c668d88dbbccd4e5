import { numberOrNull, numberRecord, parseXml, type XmlElement } from "../../extract/core/index.ts"
import { Changed, type Context } from "../kit/index.ts"

/** Rates of one day: units of each currency for one unit of the base, which comes first. */
interface Day {
  /** `YYYY-MM-DD` */
  date: string
  rates: Map<string, number>
}

const files = "https://www.ecb.europa.eu/stats/eurofxref"
const mirror = "https://api.frankfurter.dev/v1"
/** The complete history since 1999 is several megabytes large. */
const historyBytes = 60 * 1024 * 1024

export interface Wanted {
  base: string
  /** Empty for all currencies. */
  targets: string[]
  /** 0 for the latest rates only, or else the number of calendar days up to the newest. */
  historyDays: number
}

/** Returns the bank's rates, newest day first, or those of its mirror Frankfurter if it fails. */
export async function referenceRates(ctx: Context, wanted: Wanted): Promise<Day[]> {
  const { historyDays } = wanted
  try {
    return newest(await fromBank(ctx, historyDays), historyDays)
  } catch (failure) {
    ctx.signal.throwIfAborted()
    ctx.log(`The bank's file could not be read: ${(failure as Error).message}`, "warning")
    try {
      return newest(await fromMirror(ctx, wanted), historyDays)
    } catch (error) {
      ctx.signal.throwIfAborted()
      // An outage of the bank is known to end; a changed mirror is not.
      throw error instanceof Changed ? error : failure
    }
  }
}

async function fromBank(ctx: Context, historyDays: number): Promise<Day[]> {
  const name = historyDays === 0 ? "daily" : historyDays <= 90 ? "hist-90d" : "hist"
  const response = await ctx.get(`${files}/eurofxref-${name}.xml`, { maxBytes: historyBytes })
  const cubes = parseXml(response.text())?.first("Cube")?.all("Cube") ?? []
  const days = cubes.flatMap((cube) => dayOf(cube) ?? [])
  if (days.length === 0) throw response.explainMissing("rates of any day")
  return days
}

function dayOf(cube: XmlElement): Day | undefined {
  const date = cube.attribute("time")
  if (!date) return
  const rates = new Map([["EUR", 1]])
  for (const row of cube.all("Cube")) {
    const currency = row.attribute("currency")
    const rate = numberOrNull(row.attribute("rate"))
    if (currency && rate) rates.set(currency, rate)
  }
  return rates.size > 1 ? { date, rates } : undefined
}

interface MirrorResponse {
  base?: string
  date?: string
  rates: Record<string, number> | Record<string, Record<string, number>>
}

async function fromMirror(ctx: Context, wanted: Wanted): Promise<Day[]> {
  const { base, targets, historyDays } = wanted
  const today = ctx.now().toISOString().slice(0, 10)
  const path = historyDays === 0 ? "latest" : `${dayBefore(today, historyDays + 7)}..${today}`
  const symbols = targets.length > 0 ? targets.join(",") : undefined
  const response = await ctx.json<MirrorResponse>(`${mirror}/${path}`, { query: { base, symbols } })
  if (!response?.rates) throw new Changed("Frankfurter's response has no rates.")
  requireCodes(response.rates)
  const byDay = response.date === undefined ? response.rates : { [response.date]: response.rates }
  return Object.entries(byDay as Record<string, Record<string, number>>).map(([date, rates]) => ({
    date,
    rates: new Map([[response.base ?? base, 1], ...Object.entries(numberRecord(rates))]),
  }))
}

/** @throws Changed if a currency has another name than a code of three letters */
function requireCodes(rates: MirrorResponse["rates"]): void {
  const tables = Object.entries(rates).map(([name, rate]) =>
    typeof rate === "object" ? Object.keys(rate ?? {}) : [name],
  )
  const odd = tables.flat().find((name) => !/^[A-Z]{3}$/.test(name))
  if (odd === undefined) return
  const message = `Frankfurter's response has a currency that is not a code: "${odd}".`
  throw new Changed(message, { field: "rate" })
}

function newest(days: Day[], historyDays: number): Day[] {
  const sorted = days.toSorted((a, b) => b.date.localeCompare(a.date))
  if (historyDays === 0) return sorted.slice(0, 1)
  const first = dayBefore(sorted[0]!.date, historyDays - 1)
  return sorted.filter((day) => day.date >= first)
}

function dayBefore(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() - days)
  return at.toISOString().slice(0, 10)
}
