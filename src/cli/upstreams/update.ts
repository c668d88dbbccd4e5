import { readFileSync, statSync } from "node:fs"
import type { Command } from "commander"
import { messageOf } from "../../base/error-message.ts"
import { upstreamTables } from "../../catalogue/upstreams.ts"
import type { Config } from "../../config.ts"
import { RunCookies } from "../../engine/cookies/run-cookies.ts"
import { TargetContext } from "../../engine/run/context.ts"
import { MemoryJournal } from "../../engine/run/memory-journal.ts"
import {
  largestPublishedBytes,
  RefusedTables,
  readPublished,
} from "../../engine/upstreams/published.ts"
import { applyTables, takeBack } from "../../engine/upstreams/published-files.ts"
import { publisherKey } from "../../engine/upstreams/publisher-key.ts"
import { makeDataFolder } from "../../store/upkeep/data-folder.ts"
import { openLiveWorld } from "../run/live-world.ts"
import { readSettings } from "../settings.ts"
import { configuredUpstreams } from "./configured.ts"

/** `trawl upstreams update [URL]` and `trawl upstreams rollback`. */
export function registerUpdate(upstreams: Command): void {
  upstreams
    .command("update")
    .description("fetch newer tables that are signed, and put them in force without a restart")
    .argument("[URL]", "where they are, or a file; TRAWL_UPSTREAMS_URL if it is left out")
    .action(async (source: string | undefined) => {
      const config = readSettings()
      const from = source ?? config.upstreamsUrl
      if (!from) return fail("Name a URL, or set TRAWL_UPSTREAMS_URL.", 2)
      try {
        console.log(apply(config, await textAt(from)))
      } catch (error) {
        const kept = "The tables in force stay as they are."
        fail(
          error instanceof RefusedTables
            ? `${from} is refused. ${error.message} ${kept}`
            : `${from} cannot be read: ${messageOf(error)} ${kept}`,
        )
      }
    })
  upstreams
    .command("rollback")
    .description("put the published tables before these in force again")
    .action(() => {
      const restored = takeBack(readSettings().dataDir)
      if (!restored) return fail("No published tables are in force.")
      const sites = Object.keys(restored.tables).length
      console.log(
        sites > 0 ? `${sites} tables of before are in force.` : "The compiled tables are in force.",
      )
    })
}

function fail(message: string, exitCode = 1): void {
  console.error(message)
  process.exitCode = exitCode
}

/** Returns what was done, as a sentence. @throws RefusedTables */
function apply(config: Config, text: string): string {
  const upstreams = configuredUpstreams(config)
  const heldSequence = upstreams.publishedSequence
  const published = readPublished(text, {
    publicKey: config.upstreamsKey ?? publisherKey,
    now: Date.now(),
    heldSequence,
    tables: upstreamTables,
  })
  const { sequence, tables, expiresAt } = published
  if (sequence === heldSequence)
    return `Number ${sequence} was applied before; there is nothing newer.`
  makeDataFolder(config.dataDir)
  applyTables(config.dataDir, published)
  const newer = upstreamTables.filter(({ site, asOf }) => (tables[site]?.asOf ?? "") >= asOf)
  const names = newer.map(({ site }) => site).join(", ")
  return `Number ${sequence} is in force, until ${expiresAt} at the latest: ${names || "no table is newer than the compiled one"}.`
}

async function textAt(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) {
    if (statSync(source).size > largestPublishedBytes) {
      throw new RefusedTables(`It is larger than ${largestPublishedBytes} bytes.`)
    }
    return readFileSync(source, "utf8")
  }
  const { environment, close } = openLiveWorld()
  try {
    const parts = {
      scraper: { slug: "upstreams" },
      environment,
      journal: new MemoryJournal([], () => {}),
      cookies: new RunCookies({ now: Date.now }),
      input: {},
      seq: 0,
      signal: AbortSignal.timeout(60_000),
      shared: new Map(),
    }
    const ctx = new TargetContext(parts, ["http"])
    const answer = await ctx.get(source, { maxBytes: largestPublishedBytes, identity: "service" })
    return answer.text()
  } finally {
    await close()
  }
}
