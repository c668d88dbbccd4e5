import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/**
 * The tests' worker as one script: they start some eighty, and from its sources each would take three
 * times the processor's time to load.
 */
export const workerUrl: Promise<string> = bundled("worker.ts")

async function bundled(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bundle-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  await Bun.build({
    entrypoints: [join(import.meta.dir, name)],
    target: "bun",
    outdir: folder,
    naming: "[name].js",
  })
  return pathToFileURL(join(folder, name.replace(/\.ts$/, ".js"))).href
}
