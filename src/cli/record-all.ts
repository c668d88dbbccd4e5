import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { type Command, Option } from "commander"
import { zipSync } from "fflate"
import { catalogue, scraperBySlug } from "../catalogue/index.ts"
import { type AnyScraper, categories } from "../catalogue/kit/index.ts"
import { version } from "../config/version.ts"
import { type CheckResult, runCheck } from "../engine/ops/health/check.ts"
import { probesName } from "../engine/ops/health/names.ts"
import { ProbeStore } from "../engine/ops/health/probe-store.ts"
import type { Verdict } from "../store/health/verdicts.ts"
import { chosen, line, openWorld } from "./check.ts"
import { BadUse } from "./common/bad-use.ts"
import { readSettings } from "./common/settings.ts"

interface Options {
  out: string
  category?: string
}

/** A probe's result in the archive's manifest. */
export interface RecordedProbe {
  slug: string
  verdict: Verdict
  reason: string | null
  /** Fetch method that worked, or the last one that was blocked. */
  fetchMethod: string | null
  vendor: string | null
  items: number
  milliseconds: number
  /** Folder of the recorded case in the archive; null if nothing was requested. */
  case: string | null
}

export interface RecordingManifest {
  version: string
  recordedAt: string
  probes: RecordedProbe[]
}

export const manifestName = "manifest.json"

/**
 * `trawl record-all --out DIR`: records the responses to all health probes as cases in one archive.
 */
export function registerRecordAll(program: Command): void {
  program
    .command("record-all")
    .description(
      "Record the health probes of scrapers, and pack the cases without cookies and keys",
    )
    .argument("[slugs...]", "scrapers to record (default: all)")
    .requiredOption("--out <folder>", "folder of the cases; the archive is written next to it")
    .addOption(new Option("--category <category>", "category of scrapers").choices(categories))
    .action(async (slugs: string[], options: Options) => {
      try {
        await recordAll(chosen(slugs, options), resolve(options.out))
      } catch (error) {
        if (!(error instanceof BadUse)) throw error
        console.error(error.message)
        process.exitCode = 2
      }
    })
}

async function recordAll(scrapers: readonly AnyScraper[], out: string): Promise<void> {
  const { dataDir, replay } = readSettings()
  const probeList = new ProbeStore(catalogue, join(dataDir, probesName))
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new BadUse(`${out} is not empty; choose a new folder.`)
  const world = openWorld(replay)
  const control = new AbortController()
  const stop = () => control.abort(new BadUse("Stopped."))
  for (const signal of signals) process.once(signal, stop)
  const manifest: RecordingManifest = { version, recordedAt: new Date().toISOString(), probes: [] }
  try {
    for (const { slug } of scrapers) {
      const result = await runCheck(
        { slug },
        {
          environment: world.environment,
          scraper: scraperBySlug,
          probe: (scraper) => probeList.probe(scraper),
          driftFolder: out,
          keepsAll: true,
          signal: control.signal,
        },
      )
      manifest.probes.push(probeOf(result, out))
      // Written after each probe, so that an aborted run keeps its results.
      writeFileSync(join(out, manifestName), `${JSON.stringify(manifest, null, 2)}\n`)
      console.log(line(result))
    }
  } finally {
    for (const signal of signals) process.off(signal, stop)
    await world.close()
  }
  const archive = `${out}.zip`
  writeFileSync(archive, zipSync(filesIn(out)))
  console.log(`${manifest.probes.length} probes were recorded in ${archive}.`)
}

const signals = ["SIGINT", "SIGTERM"] as const

function probeOf({ slug, finding, items, milliseconds, stored }: CheckResult, out: string) {
  const { verdict, reason, fetchMethod: method, vendor } = finding
  const folder = stored && relative(out, stored).replaceAll("\\", "/")
  return { slug, verdict, reason, fetchMethod: method, vendor, items, milliseconds, case: folder }
}

function filesIn(folder: string): Record<string, Uint8Array> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name)
      return [relative(folder, path).replaceAll("\\", "/"), new Uint8Array(readFileSync(path))]
    }),
  )
}
