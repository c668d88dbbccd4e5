import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Command, Option } from "commander"
import { catalogue, scraperBySlug } from "../catalogue/index.ts"
import {
  type AnyScraper,
  categories,
  type FetchMethod,
  fetchMethods,
  fetchMethodsOf,
} from "../catalogue/kit/index.ts"
import { readCases } from "../engine/fetch/replay/case.ts"
import { replayEnvironment } from "../engine/fetch/replay/environment.ts"
import { type CheckResult, runCheck } from "../engine/ops/health/check.ts"
import { driftName, probesName } from "../engine/ops/health/names.ts"
import { ProbeStore } from "../engine/ops/health/probe-store.ts"
import { allHealth, allMethods, usualOf } from "../store/health/health.ts"
import { missedShares } from "../store/health/usual.ts"
import { databasePath, openStoreAt, type Store } from "../store/store.ts"
import { BadUse } from "./common/bad-use.ts"
import { scraperNamed } from "./common/scraper-named.ts"
import { readSettings } from "./common/settings.ts"
import { openLiveWorld } from "./run/live-world.ts"

interface Options {
  category?: string
  method?: FetchMethod
  unlocker: boolean
  json: boolean
}

/** `trawl check`: runs the health probe of each scraper from this machine. */
export function registerCheck(program: Command): void {
  program
    .command("check")
    .description("Run the health probes of scrapers, for example: trawl check pypi-package-scraper")
    .argument("[slugs...]", "scrapers to check (default: all)")
    .addOption(new Option("--category <category>", "category of scrapers").choices(categories))
    .addOption(new Option("--method <method>", "use this fetch method only").choices(fetchMethods))
    .option("--unlocker", "also use your unlocker, which may cost money", false)
    .option("--json", "print JSON Lines", false)
    .action(async (slugs: string[], options: Options) => {
      process.exitCode = await check(slugs, options)
    })
}

/**
 * Returns the exit code: 0 if all work or need a missing setting, 1 if one is broken, 3 if one is blocked or
 * its result is unknown.
 */
async function check(slugs: string[], options: Options): Promise<number> {
  try {
    return await checkAll(chosen(slugs, options), options)
  } catch (error) {
    if (!(error instanceof BadUse)) throw error
    console.error(error.message)
    return 2
  }
}

/** Returns the named scrapers, or all, with this category and fetch method. @throws BadUse */
export function chosen(
  slugs: string[],
  { category, method: fetchMethod }: Pick<Options, "category" | "method">,
): readonly AnyScraper[] {
  const named = slugs.map(scraperNamed)
  const without = named.find(
    (scraper) => fetchMethod !== undefined && !fetchMethodsOf(scraper).includes(fetchMethod),
  )
  if (without) {
    const methods = fetchMethodsOf(without).join(", ")
    throw new BadUse(`${without.slug} has no fetch method "${fetchMethod}"; it has ${methods}.`)
  }
  const from = slugs.length > 0 ? named : catalogue
  const selected = from.filter(
    (scraper) =>
      (category === undefined || scraper.category === category) &&
      (fetchMethod === undefined || fetchMethodsOf(scraper).includes(fetchMethod)),
  )
  if (selected.length > 0) return selected
  const words = [
    category && `has the category ${category}`,
    fetchMethod && `has the fetch method "${fetchMethod}"`,
  ]
  throw new BadUse(`None of these ${words.filter(Boolean).join(" and ")}.`)
}

async function checkAll(scrapers: readonly AnyScraper[], options: Options): Promise<number> {
  const config = readSettings()
  const { dataDir, databaseUrl, replay } = config
  const probes = new ProbeStore(catalogue, join(dataDir, probesName))
  if (probes.issues().length > 0) throw new BadUse(probes.issues().join("\n"))
  const isThere = Boolean(databaseUrl) || existsSync(databasePath(dataDir))
  const store = isThere ? await openStoreAt(config) : undefined
  const world = openWorld(replay)
  const control = new AbortController()
  const stop = () => control.abort(new BadUse("Stopped."))
  for (const signal of signals) process.once(signal, stop)
  const results: CheckResult[] = []
  try {
    for (const { slug } of scrapers) {
      const { method: fetchMethod, unlocker } = options
      const result = await runCheck(
        { slug, unlocker, ...(fetchMethod && { fetchMethod }) },
        {
          environment: world.environment,
          scraper: scraperBySlug,
          probe: (scraper) => probes.probe(scraper),
          usual: await usualAt(store, slug, fetchMethod ?? allMethods),
          driftFolder: join(dataDir, driftName),
          signal: control.signal,
        },
      )
      results.push(result)
      await note(store, result)
      console.log(options.json ? JSON.stringify(visible(result)) : line(result))
    }
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await world.close()
    await store?.close()
  }
  return exitCode(results)
}

const signals = ["SIGINT", "SIGTERM"] as const

async function usualAt(store: Store | undefined, slug: string, fetchMethod: string) {
  const rows = store ? await allHealth(store.db) : []
  return missedShares(
    usualOf(rows.find((row) => row.slug === slug && row.fetch_method === fetchMethod)),
  )
}

async function note(store: Store | undefined, result: CheckResult): Promise<void> {
  const { slug, fetchMethod, finding, shares } = result
  const at = new Date().toISOString()
  const source = "probe" as const
  const findings = [
    {
      slug,
      fetchMethod: fetchMethod ?? allMethods,
      finding,
      source,
      at,
      ...(shares && { shares }),
    },
  ]
  await store?.write("health.note", { findings })
}

const widestSlug = Math.max(...catalogue.map(({ slug }) => slug.length))

export function line({ slug, finding, items, milliseconds, stored }: CheckResult): string {
  const { verdict, fetchMethod, vendor, reason, needs } = finding
  const how = [vendor, fetchMethod && `by ${fetchMethod}`].filter(Boolean).join(" ")
  const state = how ? `${verdict} (${how})` : verdict
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`
  const parts = [
    reason,
    needs.length > 0 && verdict === "blocked" && `Not set up here: ${needs.join(", ")}.`,
    stored && `The responses are in ${stored}.`,
  ].filter(Boolean)
  const head = `${slug.padEnd(widestSlug)}  ${state.padEnd(24)}  ${seconds.padStart(7)}  ${items} items`
  return [head, ...parts.map((text) => `    ${text}`)].join("\n")
}

function visible({ finding: { verdict, ...about }, shares: _shares, ...result }: CheckResult) {
  return { ...result, ...about, state: verdict }
}

export function exitCode(results: readonly Pick<CheckResult, "finding">[]): number {
  const verdicts = new Set(results.map(({ finding }) => finding.verdict))
  if (verdicts.has("broken")) return 1
  return verdicts.has("blocked") || verdicts.has("unknown") ? 3 : 0
}

/** Returns the live environment, or the recorded one if replay is set. */
export function openWorld(replay: string[]): ReturnType<typeof openLiveWorld> {
  if (replay.length === 0) return openLiveWorld()
  return {
    environment: replayEnvironment(readCases(replay)),
    close: async () => {},
  }
}
