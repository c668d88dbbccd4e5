import { distinct, numberOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  defineScraper,
  errorItem,
  inputs,
  items,
  NotFound,
  record,
} from "../kit/index.ts"
import { referenceRates } from "./reference-rates.ts"

const item = record({
  date: items.requiredText("Day of the rate (YYYY-MM-DD)."),
  baseCurrency: items.requiredText("Base currency (ISO 4217)."),
  targetCurrency: items.requiredText("Target currency (ISO 4217)."),
  rate: items.requiredNumber("Units of the target currency for one unit of the base currency."),
  inverseRate: items.requiredNumber(
    "Units of the base currency for one unit of the target currency.",
  ),
  source: items.requiredText("Publisher of the rate: ECB."),
  url: items.requiredText("URL of the bank's page on its rates."),
})

export default defineScraper({
  slug: "exchange-rates-scraper",
  name: "Exchange Rates",
  tagline:
    "Official reference exchange rates of the European Central Bank, latest or historical, in any base.",
  notServed: ["crypto"],
  category: "finance",
  input: {
    baseCurrency: inputs.textOr("Base currency of the rates (ISO 4217), for example EUR.", "EUR", {
      pattern: "^[A-Za-z]{3}$",
    }),
    targetCurrencies: inputs.optionalTexts(
      "Target currencies (ISO 4217), for example USD (default: all that the bank lists).",
      { max: 200 },
    ),
    historyDays: inputs.count(
      "Calendar days back from the newest rates, including their day; 0 returns only the latest",
      { min: 0, max: 10_000, or: 0 },
    ),
    maxItems: inputs.count("Maximum rates", { max: 500_000, or: 1000 }),
  },
  item,
  example: { baseCurrency: "USD", targetCurrencies: ["EUR", "GBP"] },
  probe: {
    expect: [
      "items.length equals 2",
      "items[*].rate gte 0.3",
      "items[*].rate lte 2",
      'items[*].baseCurrency only "USD"',
      'items[*].targetCurrency matches "^(?:EUR|GBP)$"',
      "items[*].date fresh 6",
      '?items[*].source matches "ECB|European Central Bank"',
    ],
  },
  rateLimit: {
    "www.ecb.europa.eu": { perSecond: 1, concurrency: 1 },
    "api.frankfurter.dev": { perSecond: 1, concurrency: 1 },
  },
  targets: ({ baseCurrency }) => [baseCurrency],
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(target, ctx) {
    const base = target.toUpperCase()
    const { targetCurrencies: requested = [], historyDays } = ctx.input
    const targets = distinct(requested.map(code)).filter((currency) => currency !== base)
    const days = await referenceRates(ctx, { base, targets, historyDays })
    const known = new Set(days.flatMap((day) => [...day.rates.keys()]))
    if (!known.has(base)) {
      throw new BadInput(`The European Central Bank has no rate for the currency ${base}.`)
    }
    const all = [...known].filter((currency) => currency !== base)
    const unknown = new Set(requested.filter((currency) => !known.has(code(currency))))
    for (const [index, day] of days.entries()) {
      for (const currency of requested.length > 0 ? distinct(requested) : all) {
        if (unknown.has(currency)) {
          if (index > 0) continue
          const problem = new NotFound(`The European Central Bank has no rate for "${currency}".`)
          yield errorItem(problem, { input: currency })
          continue
        }
        const ofBase = numberOrNull(day.rates.get(base))
        const ofTarget = numberOrNull(day.rates.get(code(currency)))
        // Currencies are added and removed: a day may lack one of the two.
        if (ofBase === null || ofTarget === null) continue
        const rate = ofTarget / ofBase
        yield item.read({
          date: day.date,
          baseCurrency: base,
          targetCurrency: code(currency),
          rate,
          inverseRate: 1 / rate,
          source: "ECB",
          url: "https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/html/index.en.html",
        })
      }
    }
  },
})

const code = (currency: string) => currency.trim().toUpperCase()
