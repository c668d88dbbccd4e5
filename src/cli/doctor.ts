import { Database } from "bun:sqlite"
import { accessSync, constants, existsSync, statfsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { Command } from "commander"
import { messageOf } from "../base/error-message.ts"
import { catalogue, scraperBySlug } from "../catalogue/index.ts"
import { storedInput } from "../catalogue/kit/index.ts"
import { upstreamTables } from "../catalogue/site-constants.ts"
import type { Config } from "../config/config.ts"
import { version } from "../config/version.ts"
import { upstreamIssues } from "../engine/fetch/site-constants/watch.ts"
import { missingLibraries, missingWords } from "../engine/net/browser/chrome/libraries.ts"
import { readRemoteAddress } from "../engine/net/browser/lease/remote-addresses.ts"
import { builtInChrome } from "../engine/net/browser/supply/built-in.ts"
import {
  chromeAdvice,
  findChrome,
  isRoot,
  lacksWindow,
  noSandboxAdvice,
} from "../engine/net/browser/supply/find.ts"
import { builtInPath } from "../engine/net/browser/supply/supply.ts"
import { EgressFilter } from "../engine/net/egress/filter.ts"
import { probesName } from "../engine/ops/health/names.ts"
import { ProbeStore } from "../engine/ops/health/probe-store.ts"
import { checkServices } from "../engine/ops/settings/check-services.ts"
import { pendingMigrations } from "../store/db/migrate.ts"
import {
  databasePath,
  keyPath,
  minFreeBytes,
  readableByOthers,
} from "../store/upkeep/data-folder.ts"
import { inspectPostgres } from "../store/upkeep/postgres-prepare.ts"
import { lostSentence, openSentence } from "../store/upkeep/prepare.ts"
import { encryptedSecrets, lostSecrets, SecretBox } from "../store/upkeep/secret-box.ts"
import { requireOk, requireWhole } from "../store/upkeep/soundness.ts"
import { readSettings } from "./common/settings.ts"
import { table } from "./common/table.ts"
import { configuredUpstreams } from "./upstreams/configured.ts"

/** `fail`: Trawl cannot work. `note`: it works with limitations. */
interface Finding {
  state: "ok" | "note" | "fail"
  what: string
  text: string
}

/**
 * `trawl doctor`: checks the requirements of Trawl on this machine; exit code 1 if one is not met.
 */
export function registerDoctor(program: Command): void {
  program
    .command("doctor")
    .description("Check the requirements of Trawl on this machine")
    .action(async () => {
      const findings = await examine(readSettings())
      console.log(table(findings.map(({ state, what, text }) => [state, what, text])))
      if (findings.some(({ state }) => state === "fail")) process.exitCode = 1
    })
}

async function examine(config: Config): Promise<Finding[]> {
  return [
    ok("version", `Trawl ${version}, Bun ${Bun.version}, ${catalogue.length} scrapers`),
    dataFolder(config.dataDir),
    diskSpace(config.dataDir),
    ...(config.databaseUrl
      ? [await server(config, config.databaseUrl)]
      : [database(config.dataDir), ...inputs(config.dataDir), keyFile(config.dataDir)]),
    privacy(config.dataDir),
    clock(),
    await dns(),
    chrome(config),
    upstreams(config),
    probes(config),
    contact(config),
    ...(await checkServices(config)).map(({ what, where, issue }) =>
      issue === null ? ok(what, `${where} responds`) : note(what, `${where}: ${issue}`),
    ),
  ]
}

const ok = (what: string, text: string): Finding => ({ state: "ok", what, text })
const note = (what: string, text: string): Finding => ({ state: "note", what, text })
const fail = (what: string, text: string): Finding => ({ state: "fail", what, text })

/** Returns the folder, or the nearest existing parent in which it will be created. */
function nearestFolder(dataDir: string): string {
  let path = resolve(dataDir)
  while (!existsSync(path)) path = dirname(path)
  return path
}

function dataFolder(dataDir: string): Finding {
  const path = resolve(dataDir)
  const there = nearestFolder(dataDir)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
    return ok("data folder", there === path ? `${path} is writable` : `${path} can be created`)
  } catch {
    return fail("data folder", `${there} is not writable; set TRAWL_DATA_DIR to another folder`)
  }
}

const wantedBytes = 1024 ** 3

function diskSpace(dataDir: string): Finding {
  const { bavail, bsize } = statfsSync(nearestFolder(dataDir))
  const text = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free`
  const free = bavail * bsize
  if (free < minFreeBytes)
    return fail("disk space", `${text}: free some space, otherwise runs wait`)
  return free < wantedBytes
    ? note("disk space", `${text}; runs wait if it is full`)
    : ok("disk space", text)
}

/** Checks the integrity of the whole database, whatever its size. */
function database(dataDir: string): Finding {
  const path = databasePath(dataDir)
  if (!existsSync(path)) return ok("database", "none yet; it is created at the first start")
  try {
    requireWhole(path)
    const sqlite = new Database(path, { readonly: true })
    const pending = pendingMigrations(sqlite)
    requireOk(sqlite)
    sqlite.close()
    return pending.length === 0
      ? ok("database", "up to date and intact")
      : note("database", `sound; ${pending.join(", ")} will be applied at the next start`)
  } catch (error) {
    return fail("database", messageOf(error))
  }
}

/**
 * Checks the inputs of schedules and queued runs; returns nothing if the database cannot be read,
 * which another finding reports.
 */
function inputs(dataDir: string): Finding[] {
  const path = databasePath(dataDir)
  if (!existsSync(path)) return []
  try {
    const sqlite = new Database(path, { readonly: true })
    const { total, named } = refusedInputs(sqlite)
    sqlite.close()
    if (total === 0)
      return [ok("inputs", "this version accepts those of schedules and queued runs")]
    const more = total > named.length ? `; and ${total - named.length} more` : ""
    return [note("inputs", `${named.join("; ")}${more}`)]
  } catch {
    return []
  }
}

interface StoredRow {
  what: "schedule" | "run"
  id: string
  slug: string
  input: string
}

/** Maximum rows to check, and to name. */
const maxRows = 10_000
const maxNamed = 3

/**
 * Returns schedules and queued runs that this version would not accept, without those of recipes.
 */
function refusedInputs(sqlite: Database): { total: number; named: string[] } {
  const rows = sqlite
    .query(
      `SELECT 'schedule' AS what, id, slug, input FROM schedules WHERE next_at IS NOT NULL
       UNION ALL SELECT 'run', id, slug, input FROM runs WHERE status = 'queued' LIMIT ?`,
    )
    .all(maxRows) as StoredRow[]
  const refused = rows.flatMap(({ what, id, slug, input }) => {
    const scraper = scraperBySlug(slug)
    if (!scraper) return []
    try {
      storedInput(scraper, JSON.parse(input))
      return []
    } catch (error) {
      return [`${what} ${id}: ${messageOf(error)}`]
    }
  })
  return { total: refused.length, named: refused.slice(0, maxNamed) }
}

/** Checks the PostgreSQL database, and whether this machine has its key. */
async function server({ dataDir }: Config, url: string): Promise<Finding> {
  try {
    const pending = await inspectPostgres(dataDir, url)
    return pending.length === 0
      ? ok("database", "PostgreSQL responds and is up to date")
      : note("database", `${pending.join(", ")} will be applied at the next start`)
  } catch (error) {
    return fail("database", messageOf(error))
  }
}

function keyFile(dataDir: string): Finding {
  const [database, key] = [databasePath(dataDir), keyPath(dataDir)]
  if (!existsSync(database)) return ok("key file", "none yet; it is created at the first start")
  try {
    const sqlite = new Database(database, { readonly: true })
    const lost = existsSync(key) ? lostSecrets(sqlite, SecretBox.at(key)) : encryptedSecrets(sqlite)
    sqlite.close()
    return lost > 0 ? fail("key file", lostSentence(dataDir, lost)) : ok("key file", key)
  } catch {
    return fail("key file", "not checked, because the database cannot be read")
  }
}

function privacy(dataDir: string): Finding {
  const open = readableByOthers(dataDir)
  return open.length === 0
    ? ok("privacy", "no other user of this machine can read the data")
    : note("privacy", openSentence(open))
}

/** Release time of this version; a correct clock is not before it. */
const madeIn = Date.UTC(2026, 0, 1)

function clock(): Finding {
  const now = new Date()
  return now.getTime() < madeIn
    ? fail(
        "clock",
        `it says ${now.toISOString()}, which is before this release: certificates and schedules will fail`,
      )
    : ok("clock", now.toISOString())
}

async function dns(): Promise<Finding> {
  const host = "example.com"
  try {
    const addresses = await new EgressFilter([]).resolve(host, 443)
    return ok("DNS", `${host} is ${addresses.join(", ")}`)
  } catch (error) {
    return fail("DNS", messageOf(error))
  }
}

/** Checks the overridden site constants. Invalid ones are ignored, which a run would report too late. */
function upstreams(config: Config): Finding {
  const issues = upstreamIssues(configuredUpstreams(config), upstreamTables)
  return issues.length > 0
    ? fail("upstreams", issues.join(" "))
    : ok("upstreams", `${upstreamTables.length} tables; \`trawl upstreams\` lists them`)
}

function probes({ dataDir }: Config): Finding {
  const issues = new ProbeStore(catalogue, join(dataDir, probesName)).issues()
  return issues.length > 0
    ? fail("probes", issues.join(" "))
    : ok("probes", "`trawl check` runs them")
}

/** SEC refuses clients without a contact, and scholarly APIs serve them more slowly. */
function contact({ contact: url }: Config): Finding {
  return url
    ? ok("contact", `${url} is sent to sites that require a contact`)
    : note("contact", "none: set TRAWL_CONTACT to your email address, otherwise SEC refuses access")
}

function chrome(config: Config): Finding {
  if (config.chromeWs.length > 0) {
    const names = config.chromeWs.map((entry) => readRemoteAddress(entry).name)
    return ok("Chrome", `at ${names.join(", ")}`)
  }
  const path = chromeOf(config)
  if (!path) return note("Chrome", withoutChrome(config))
  const missing = missingLibraries(path)
  if (missing) return fail("Chrome", `${path}: ${missingWords(missing)}`)
  const lacking = config.chromeHeaded ? lacksWindow(path, config.chromeArgs) : undefined
  if (lacking) return fail("Chrome", `${path}: ${lacking}`)
  return isRoot() ? note("Chrome", `${path}; ${noSandboxAdvice}`) : ok("Chrome", path)
}

/** Returns the Chrome for pages; undefined if it is still to be unpacked or downloaded. */
function chromeOf(config: Config): string | undefined {
  if (!builtInChrome || config.chrome) return findChrome(config)
  const path = builtInPath(builtInChrome, config.dataDir)
  return existsSync(path) ? path : undefined
}

function withoutChrome({ chrome, chromeDownloadUrl }: Config): string {
  if (chrome) return chromeAdvice
  if (builtInChrome) return "in the executable; unpacked for the first page that needs it"
  if (chromeDownloadUrl === "never") return chromeAdvice
  return `none yet; downloaded for the first page that needs it, from ${new URL(chromeDownloadUrl).host}`
}
