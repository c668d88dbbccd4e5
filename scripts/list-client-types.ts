/** Writes the generated files of both clients: types of the API's objects and of each scraper. */
import { join } from "node:path"
import { blockingModules } from "./clients/blocking.ts"
import { apiModule, scrapersModule, slugsModule } from "./clients/python.ts"
import { apiSchemas } from "./clients/schemas.ts"
import { apiTypes, scraperTypes } from "./clients/typescript.ts"

const root = join(import.meta.dir, "..")

/** Returns the generated files of both clients by path. */
export async function clientFiles(): Promise<Record<string, string>> {
  const schemas = await apiSchemas()
  const python = "clients/python/src/trawl_client"
  const files = {
    "packages/client/src/api.ts": apiTypes(schemas),
    "packages/client/src/scrapers.ts": scraperTypes(),
    [`${python}/_api.py`]: apiModule(schemas),
    [`${python}/_slugs.py`]: slugsModule(),
    [`${python}/scrapers.py`]: scrapersModule(),
    ...(await blockingModules(root, python)),
  }
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [join(root, path), text]))
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await clientFiles())) await Bun.write(path, text)
  process.exit(0)
}
