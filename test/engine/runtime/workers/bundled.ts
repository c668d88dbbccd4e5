import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { loopsApart } from "../../../../scripts/loops-apart.ts"
import { processFolder } from "../../../temporary.ts"

const sources = join(import.meta.dir, "../../../../src")

/**
 * The tests' worker as one script: they start some eighty, and loading each from its sources would
 * take eight times the processor time.
 */
export const workerUrl: Promise<string> = bundledThread(
  join(import.meta.dir, "worker.ts"),
  join(processFolder("trawl-bundle-"), "worker.js"),
).then((path) => pathToFileURL(path).href)

/**
 * A process of the tests as one script, and each thread that it starts as one script at its path
 * under src.
 */
export async function bundled(entry: string, threads: string[] = []): Promise<string> {
  const folder = processFolder("trawl-bundle-")
  const script = join(folder, "entry.js")
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "bun",
    plugins: [loopsApart],
  })
  await Bun.write(script, outputs[0]!)
  for (const path of threads.map((thread) => join(sources, thread))) {
    // A thread is found by its file name in the sources; its content is still one script.
    await bundledThread(path, join(folder, relative(sources, path)))
  }
  return script
}

/** With bytecode, as in the executable. */
async function bundledThread(path: string, script: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [path],
    target: "bun",
    plugins: [loopsApart],
    minify: true,
    bytecode: true,
    format: "cjs",
  })
  for (const output of outputs) {
    await Bun.write(output.kind === "bytecode" ? `${script}.jsc` : script, output)
  }
  return script
}
