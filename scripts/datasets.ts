/**
 * Fetches the public sets that the models are trained from and `bun run quality` measures with, from their
 * repositories at fixed commits.
 *
 * - `bun run datasets [--into DIR] [articles|segments|pages|products …]` writes the sets, or the named ones.
 *   The default folder is ../shared/quality. A set that exists is left as it is.
 * - `bun run datasets --manifest FILE [--into DIR]` fetches the files that a manifest lists, for example
 *   recorded cases. The default folder is ../shared/corpus. See `manifestSchema` for its form.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fetchDataset, fetchManifest } from "./datasets/fetch.ts"
import { datasets } from "./datasets/sets.ts"

const shared = join(import.meta.dir, "../../shared")
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { into: { type: "string" }, manifest: { type: "string" } },
})

async function main(): Promise<void> {
  if (values.manifest) {
    const into = values.into ?? join(shared, "corpus")
    const count = await fetchManifest(JSON.parse(readFileSync(values.manifest, "utf8")), into)
    console.log(`${into}: ${count} files`)
    return
  }
  const into = values.into ?? join(shared, "quality")
  const unknown = positionals.find((name) => !Object.hasOwn(datasets, name))
  if (unknown)
    throw new Error(
      `"${unknown}" is not a dataset: choose from ${Object.keys(datasets).join(", ")}.`,
    )
  for (const [name, dataset] of Object.entries(datasets)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue
    const count = await fetchDataset(name, dataset, into)
    console.log(
      count === null
        ? `${name}: exists in ${into}; remove it to fetch it again`
        : `${name}: ${count} pages (${dataset.license}, ${dataset.repository})`,
    )
  }
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
