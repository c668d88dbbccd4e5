import { readFileSync, statSync } from "node:fs"
import type { Command } from "commander"
import { messageOf } from "../../base/error-message.ts"
import { upstreamTables } from "../../catalogue/site-constants.ts"
import { maxPublishedBytes, RefusedTables } from "../../engine/fetch/site-constants/published.ts"
import { rollBack } from "../../engine/fetch/site-constants/published-files.ts"
import { publisherKey } from "../../engine/fetch/site-constants/publisher-key.ts"
import { applyPublished } from "../../engine/fetch/site-constants/update.ts"
import { RunCookies } from "../../engine/net/cookies/run-cookies.ts"
import { TargetContext } from "../../engine/runtime/run/context.ts"
import { MemoryCheckpoints } from "../../engine/runtime/run/memory-checkpoints.ts"
import { readSettings } from "../common/settings.ts"
import { openLiveWorld } from "../run/live-world.ts"

/** `trawl upstreams update [URL]` and `trawl upstreams rollback`. */
export function registerUpdate(upstreams: Command): void {
  upstreams
    .command("update")
    .description("Download newer signed site constants and use them without a restart")
    .argument("[URL]", "URL or file (default: TRAWL_UPSTREAMS_URL)")
    .action(async (source: string | undefined) => {
      const config = readSettings()
      const from = source ?? config.upstreamsUrl
      if (!from) return fail("Name a URL, or set TRAWL_UPSTREAMS_URL.", 2)
      try {
        const publicKey = config.upstreamsKey ?? publisherKey
        const options = { dataDir: config.dataDir, publicKey, tables: upstreamTables }
        console.log(applyPublished(await textAt(from), { ...options, now: Date.now() }))
      } catch (error) {
        const stored = "The tables in force stay as they are."
        fail(
          error instanceof RefusedTables
            ? `${from} is refused. ${error.message} ${stored}`
            : `${from} cannot be read: ${messageOf(error)} ${stored}`,
        )
      }
    })
  upstreams
    .command("rollback")
    .description("Restore the previous site constants")
    .action(() => {
      const restored = rollBack(readSettings().dataDir)
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

async function textAt(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) {
    if (statSync(source).size > maxPublishedBytes) {
      throw new RefusedTables(`It is larger than ${maxPublishedBytes} bytes.`)
    }
    return readFileSync(source, "utf8")
  }
  const { environment, close } = openLiveWorld()
  try {
    const parts = {
      scraper: { slug: "upstreams" },
      environment,
      checkpoint: new MemoryCheckpoints([], () => {}),
      cookies: new RunCookies({ now: Date.now }),
      input: {},
      seq: 0,
      signal: AbortSignal.timeout(60_000),
      shared: new Map(),
    }
    const ctx = new TargetContext(parts, ["http"])
    const response = await ctx.get(source, { maxBytes: maxPublishedBytes, identity: "service" })
    return response.text()
  } finally {
    await close()
  }
}
