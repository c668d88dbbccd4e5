/**
 * `bun scripts/import-recordings.ts DIR [--to FOLDER]` creates cases from the recordings of `trawl
 * record-all --out DIR`: one for each probe that returned items and returns the same items in a
 * replay. Then `bun scripts/list-verified.ts` lists what they verify.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { messageOf } from "../src/base/error-message.ts"
import { manifestName, type RecordingManifest } from "../src/cli/record-all.ts"
import { readCase } from "../src/engine/fetch/replay/case.ts"
import { corpus, firstFailure } from "../test/corpus-run.ts"

/** Maximum size of a case: people read it, and a repository stores it. */
const maxCaseBytes = 5_000_000

export interface Imported {
  slug: string
  /** The new case; null if it was left out, with the reason. */
  path: string | null
  reason: string | null
}

const bytesOf = (folder: string) =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** Copies usable recordings to `<to>/<slug>/recorded-<month>`. */
export async function importRecordings(from: string, to: string): Promise<Imported[]> {
  const manifest: RecordingManifest = JSON.parse(readFileSync(join(from, manifestName), "utf8"))
  const month = manifest.recordedAt.slice(0, 7)
  const imported: Imported[] = []
  for (const probe of manifest.probes) {
    const left = (reason: string) => imported.push({ slug: probe.slug, path: null, reason })
    if (probe.case === null || probe.items === 0) {
      left(`${probe.verdict}: ${probe.reason ?? "no items"}`)
      continue
    }
    const source = resolve(from, probe.case)
    if (!source.startsWith(`${resolve(from)}/`)) {
      left(`"${probe.case}" is not inside of the folder.`)
      continue
    }
    const bytes = bytesOf(source)
    if (bytes > maxCaseBytes) {
      left(`It has ${bytes} bytes; ${maxCaseBytes} are allowed.`)
      continue
    }
    const failure = await replayed(source)
    if (failure) {
      left(`Its replay differs: ${failure}`)
      continue
    }
    const path = join(to, probe.slug, `recorded-${month}`)
    if (existsSync(path)) rmSync(path, { recursive: true })
    cpSync(source, path, { recursive: true })
    const about = JSON.parse(readFileSync(join(path, "case.json"), "utf8"))
    const named = { ...about, case: `recorded-${month}` }
    await Bun.write(join(path, "case.json"), `${JSON.stringify(named, null, 2)}\n`)
    imported.push({ slug: probe.slug, path, reason: null })
  }
  return imported
}

async function replayed(folder: string): Promise<string | undefined> {
  try {
    return await firstFailure(readCase(folder))
  } catch (error) {
    return messageOf(error)
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: "string", default: corpus } },
  })
  const [from] = positionals
  if (!from) throw new Error("Name the folder that `trawl record-all --out` wrote.")
  const imported = await importRecordings(from, values.to)
  for (const { slug, path, reason } of imported)
    console.log(`${slug}: ${path ?? `left out. ${reason}`}`)
  const count = imported.filter(({ path }) => path !== null).length
  console.log(`${count} of ${imported.length} probes became cases.`)
}
