/**
 * Tests scrapers against challenges: `bun bench/field/main.ts [challenge,challenge] [slug,slug]`.
 * Recorded bodies of the corpus are served on their own host names over TLS, behind challenges
 * (challenges.ts), and scrapers run against them as in production, with a real Chrome. Needs port
 * 443 of a loopback address (Linux, as root).
 *
 * Prints scraper × challenge: the result, the requests and the seconds. "unrecorded" passed the
 * challenge, but requested a page that its case does not have.
 */
import { join } from "node:path"
import { systemClock } from "../../src/base/clock.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { type AnyScraper, checkInput, fetchMethodsOf } from "../../src/catalogue/kit/index.ts"
import type { Environment } from "../../src/engine/fetch/environment.ts"
import { FetchMethodMemory } from "../../src/engine/fetch/method-memory.ts"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import type { EgressFilter } from "../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../src/engine/net/http/live.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"
import { fullChrome } from "../../test/chrome.ts"
import { casesUnder, corpus, replay } from "../../test/corpus-run.ts"
import { browserInThread } from "../../test/engine/net/browser/in-thread.ts"
import { type ChallengeRules, challenges } from "./challenges.ts"
import { everywhere, smallInternet } from "./internet.ts"

const runMs = 120_000
const [challengeList = "none,challenge,hello-cut", slugList] = process.argv.slice(2)
const names = challengeList === "all" ? Object.keys(challenges) : challengeList.split(",")
const unknown = names.find((name) => !challenges[name])
if (unknown)
  throw new Error(
    `"${unknown}" is not a challenge: choose from ${Object.keys(challenges).join(", ")}.`,
  )

/** Scrapers of fixed sites with a fetch method that uses Chrome. */
const scrapers = catalogue.filter((scraper) =>
  slugList
    ? slugList.split(",").includes(scraper.slug)
    : fetchMethodsOf(scraper).includes("browser"),
)
const isItem = (item: Record<string, unknown>) => item.error === undefined || item.error === null

/** Maximum number of cases of a scraper to try until one passes without a challenge. */
const triedCases = 4

/** Recorded cases that yield an item, and need only recorded HTTPS hosts. */
async function casesOf({ slug }: AnyScraper): Promise<ReplayCase[]> {
  const found: ReplayCase[] = []
  for (const recorded of casesUnder(corpus, slug)) {
    const isPlain = recorded.exchanges.every(
      ({ url, via, failure }) => url.startsWith("https://") && via !== "unlocker" && !failure,
    )
    if (!isPlain) continue
    const { items } = await replay(recorded).catch(() => ({ items: [] }))
    if (items.some(isItem)) found.push(recorded)
    if (found.length === triedCases) break
  }
  return found
}

const cases = new Map<AnyScraper, ReplayCase[]>()
for (const scraper of scrapers) {
  const found = await casesOf(scraper)
  if (found.length > 0) cases.set(scraper, found)
}
if (cases.size === 0)
  throw new Error("None of these scrapers has a recorded case that can be served.")
const hosts = [...cases.values()]
  .flat()
  .flatMap(({ exchanges }) => exchanges.flatMap(({ url }) => URL.parse(url)?.hostname ?? []))
const internet = await smallInternet([...new Set(hosts)])
const resolve = async () => [everywhere]
const chrome = fullChrome()
const { browser, pool, stop } = browserInThread({
  ...(chrome ? { chrome } : {}),
  dataDir: join(import.meta.dir, "none"),
  chromeArgs: internet.chromeArgs,
  ...{ tabs: 4, pagesPerChrome: 500, idleMs: 600_000, proxyUrls: [], resolve },
})
const { headers } = await pool.learn()

async function visit(scraper: AnyScraper, recorded: ReplayCase, challenge: ChallengeRules) {
  const stage = internet.play(recorded, challenge)
  const replayed = replayEnvironment(recorded)
  const environment: Environment = {
    clock: systemClock,
    http: new LiveTransport({ resolve } as unknown as EgressFilter, { ca: internet.ca }),
    browser,
    chromeHeaders: () => headers,
    pageWaitMs: 12_000,
    methods: new FetchMethodMemory(systemClock.now),
    dns: replayed.dns,
    tls: replayed.tls,
    env: recorded.env,
  }
  const checked = checkInput(scraper.input, recorded.input)
  if (!checked.ok) throw new Error(`${scraper.slug}: its case has no valid input.`)
  const checkpoint = new MemoryCheckpoints(
    scraper.targets(checked.input),
    () => {},
    recorded.memory,
  )
  const started = performance.now()
  const end = await executeRun({
    ...{ scraper, input: checked.input, checkpoint, environment },
    signal: AbortSignal.timeout(runMs),
  }).catch(() => ({ error: { code: "run_timeout" } }))
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  const errors = items.flatMap((item) => (item.error ? [item.error as { code: string }] : []))
  const failed = errors[0]?.code ?? end.error?.code ?? "nothing"
  // The scraper requested a page that the case does not have.
  const code = items.some(isItem) ? "passes" : stage.missed.length > 0 ? "unrecorded" : failed
  const seconds = (performance.now() - started) / 1000
  return { code, requests: stage.requests, seconds, missed: stage.missed }
}

type Result = Awaited<ReturnType<typeof visit>>

/**
 * Returns the first case that passes without a challenge: if a scraper fails there, its results
 * behind challenges mean nothing.
 */
async function openCase(scraper: AnyScraper, all: readonly ReplayCase[]) {
  let open: Result | undefined
  for (const recorded of all) {
    open = await visit(scraper, recorded, challenges.none!)
    if (open.code === "passes") return { recorded, open }
  }
  const { code, missed } = open!
  console.log(`${scraper.slug.padEnd(34)} not here: ${code} ${missed[0] ?? ""}`)
}

const passed = new Map(names.map((name) => [name, { toItems: 0, toUnrecorded: 0 }]))
const untrue: string[] = []
const unrecorded: string[] = []
let tried = 0
console.log(["scraper".padEnd(34), ...names.map((name) => name.padEnd(24))].join(" "))
for (const [scraper, all] of cases) {
  const chosen = await openCase(scraper, all)
  if (!chosen) continue
  const { recorded, open } = chosen
  tried++
  const cells: string[] = []
  for (const name of names) {
    const challenge = challenges[name]!
    const { code, requests, seconds, missed } =
      name === "none" ? open : await visit(scraper, recorded, challenge)
    const count = passed.get(name)!
    if (code === "passes") count.toItems++
    else if (code === "unrecorded") {
      count.toUnrecorded++
      unrecorded.push(`${scraper.slug}: ${name} is passed, to ${missed[0]}`)
    } else if (!challenge.is.includes(code))
      untrue.push(`${scraper.slug}: ${name} is reported as ${code}`)
    cells.push(`${code} ${requests} ${seconds.toFixed(1)}s`.padEnd(24))
  }
  console.log([scraper.slug.padEnd(34), ...cells].join(" "))
}
console.log("")
for (const [name, { toItems, toUnrecorded }] of passed) {
  const all = `${toItems + toUnrecorded} of ${tried}`
  console.log(
    `${name.padEnd(14)} ${all} pass, ${toUnrecorded} of them to a page without a recording`,
  )
}
if (unrecorded.length > 0) console.log(`\nWithout a recording:\n${unrecorded.join("\n")}`)
if (untrue.length > 0) console.log(`\nReported as something else:\n${untrue.join("\n")}`)
await stop()
internet.close()
