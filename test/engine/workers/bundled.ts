import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"

const sources = join(import.meta.dir, "../../../src")

/**
 * The tests' worker as one script: they start some eighty, and from its sources each would take three
 * times the processor's time to load.
 */
export const workerUrl: Promise<string> = bundled(join(import.meta.dir, "worker.ts")).then(
  (path) => pathToFileURL(path).href,
)

/** A process of the tests as one script, and so is each thread that it starts, at its path under src. */
export async function bundled(entry: string, threads: string[] = []): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bundle-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  const written = [entry, ...threads.map((path) => join(sources, path))].map(async (path) => {
    const { outputs } = await Bun.build({ entrypoints: [path], target: "bun" })
    const place = path === entry ? "entry.js" : relative(sources, path)
    const script = join(folder, place)
    // A thread is found by its name in the sources; what is in it is a script all the same.
    await Bun.write(script, outputs[0]!)
    return script
  })
  return (await Promise.all(written))[0]!
}
