import { useEffect, useState } from "preact/hooks"
import {
  daysAgo,
  keys,
  ledger,
  me,
  type Sum,
  type UsageList,
  usage,
  usagePath,
} from "../data/account.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { Chart, type Series } from "../parts/charts/chart.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SelectField } from "../parts/fields.tsx"
import { Figures } from "../parts/figures.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted, sized } from "../parts/value.tsx"
import { Link, type PageLocation, replaceUrl } from "../routing/router.tsx"

const spans = [7, 30, 90] as const

/** The account's usage by day, scraper and key, and its credits. */
export function Usage({ pageLocation: route }: { pageLocation: PageLocation }) {
  const requested = Number(route.query.get("days"))
  const [days, setDays] = useState<number>(spans.find((span) => span === requested) ?? 30)
  useEffect(() => {
    document.title = "Usage · Trawl"
    if (account !== undefined) replaceUrl(`/usage?days=${days}`)
  }, [days])
  if (account === undefined) return <SignInFirst title="Usage" />
  return (
    <>
      <h1>Usage</h1>
      <div class="filters after-title">
        <SelectField
          id="span"
          label="Time"
          value={String(days)}
          options={spans.map((span) => [String(span), `Last ${span} days`] as const)}
          onChange={(span) => setDays(Number(span))}
        />
        <Balance />
      </div>
      <ByDay days={days} />
      <div class="halves">
        <By what="scraper" days={days} />
        <By what="key" days={days} />
      </div>
      <Ledger />
      <CodeSnippet call={{ path: usagePath("day|scraper", days), needsKey: true }} />
    </>
  )
}

function Balance() {
  const loaded = useLoaded(me, [])
  if (loaded.state !== "there") return null
  const { balance, unlimited } = loaded.value.credits
  return (
    <p class="muted count">
      {unlimited ? "Credits without limit" : `${balance.toLocaleString()} credits left`}
    </p>
  )
}

/** Maximum scrapers with a separate series in the chart; the others are combined. */
const maxSeries = 5

function ByDay({ days }: { days: number }) {
  const loaded = useLoaded((signal) => usage("day|scraper", days, signal), [days])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { total, items } = loaded.value
  const all = Array.from({ length: days }, (_, index) => daysAgo(days - 1 - index))
  return (
    <section aria-labelledby="by-day">
      <h2 id="by-day">Pages by day</h2>
      <Figures of={figures(total)} />
      {total.pages > 0 && (
        <Chart
          kind="bars"
          isByDay
          label={`Pages per day by scraper, the last ${days} days`}
          moments={all.map((day) => Date.parse(day))}
          series={seriesOf(items, all)}
        />
      )}
    </section>
  )
}

/** Returns the pages per day of the scrapers with the most pages, and of all others together. */
function seriesOf(items: UsageList["items"], days: string[]): Series[] {
  const sums = new Map<string, number>()
  for (const { scraper = "", pages } of items) sums.set(scraper, (sums.get(scraper) ?? 0) + pages)
  const ranked = [...sums].sort(([, a], [, b]) => b - a).map(([slug]) => slug)
  const named = ranked.slice(0, ranked.length > maxSeries + 1 ? maxSeries : maxSeries + 1)
  const pagesOf = (day: string, isOf: (slug: string) => boolean) =>
    items.reduce(
      (sum, one) => (one.day === day && isOf(one.scraper ?? "") ? sum + one.pages : sum),
      0,
    )
  const series = named.map((slug) => ({
    name: slug.replace(/-scraper$/, ""),
    values: days.map((day) => pagesOf(day, (one) => one === slug)),
  }))
  if (named.length === ranked.length) return series
  const others = {
    name: "others",
    values: days.map((day) => pagesOf(day, (one) => !named.includes(one))),
  }
  return [...series, others]
}

const figures = ({ pages, items, credits, bytes }: Sum): [string, string][] => [
  ["Pages", pages.toLocaleString()],
  ["Items", items.toLocaleString()],
  ["Credits", credits.toLocaleString()],
  ["Read", sized(bytes)],
]

const numbers = ["Pages", "Items", "Credits"]

function By({ what, days }: { what: "scraper" | "key"; days: number }) {
  const loaded = useLoaded((signal) => usage(what, days, signal), [what, days])
  const names = useLoaded((signal) => keys(signal), [])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items, truncated } = loaded.value
  const keyName = (id: string) =>
    (names.state === "there" && names.value.items.find((key) => key.id === id)?.name) || id
  const heading = what === "scraper" ? "By scraper" : "By key"
  return (
    <section aria-labelledby={`by-${what}`}>
      <h2 id={`by-${what}`}>{heading}</h2>
      {items.length === 0 && <p class="muted">No usage in this period.</p>}
      {items.length > 0 && (
        <Scroll label={`${heading}, as a table`}>
          <table class="list as-cards">
            <TableHead
              names={[what === "scraper" ? "Scraper" : "Key", ...numbers]}
              numbers={numbers}
            />
            <tbody>
              {items.slice(0, 50).map(({ scraper, key, pages, items, credits }) => (
                <tr key={scraper ?? key ?? ""}>
                  <td>
                    {scraper ? (
                      <Link to={`/scrapers/${scraper}`}>{scraper.replace(/-scraper$/, "")}</Link>
                    ) : key ? (
                      keyName(key)
                    ) : (
                      "console or schedule"
                    )}
                  </td>
                  <td class="number" data-name="Pages">
                    {pages.toLocaleString()}
                  </td>
                  <td class="number" data-name="Items">
                    {items.toLocaleString()}
                  </td>
                  <td class="number" data-name="Credits">
                    {credits.toLocaleString()}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {truncated && <p class="muted">Only the first entries are shown.</p>}
    </section>
  )
}

const reasons = { sign_up: "Sign-up", grant: "Granted", run: "Run" }

function Ledger() {
  const loaded = useLoaded(ledger, [])
  if (loaded.state === "loading") return null
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items, total } = loaded.value
  if (items.length === 0) return null
  return (
    <section aria-labelledby="ledger">
      <h2 id="ledger">
        Credits <span class="muted">added and spent: {counted(total, "entry", "entries")}</span>
      </h2>
      <Scroll label="Credits added and spent" class="tall">
        <table class="list as-cards">
          <TableHead names={["When", "Credits", "Reason"]} numbers={["Credits"]} />
          <tbody>
            {items.map((entry, index) => (
              <tr key={index}>
                <td>
                  <When at={entry.at} />
                </td>
                <td class="number" data-name="Credits">
                  {entry.amount > 0 ? `+${entry.amount}` : entry.amount}
                </td>
                <td data-name="Reason">
                  {entry.runId ? (
                    <Link to={`/runs/${entry.runId}`}>{reasons[entry.reason]}</Link>
                  ) : (
                    reasons[entry.reason]
                  )}
                  {entry.note && <span class="muted"> {entry.note}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}
