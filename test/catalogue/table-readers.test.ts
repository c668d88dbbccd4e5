import { expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { catalogue } from "../../src/catalogue/index.ts"
import { tableReaders } from "../../src/catalogue/site-constants.ts"
import { Upstreams } from "../../src/engine/fetch/site-constants/site-constants.ts"
import { casesUnder, ownCases, replay } from "../corpus-run.ts"

const root = join(import.meta.dir, "../../src/catalogue")
const paths = [...new Bun.Glob("*/*.ts").scanSync(root)]
/** Folders of sites with a table. */
const sites = new Set(
  paths
    .filter((path) => readFileSync(join(root, path), "utf8").includes("ctx.upstream("))
    .map((path) => path.split("/")[0]),
)
const slugs = new Set(catalogue.map(({ slug }) => slug))

test("the readers of each table of site constants are known", async () => {
  const read: Record<string, string[]> = {}
  const { values } = Upstreams.prototype
  try {
    for (const path of paths) {
      const [site, name] = path.replace(/\.ts$/, "").split("/")
      if (!sites.has(site) || !slugs.has(name!)) continue
      Upstreams.prototype.values = function (table) {
        read[table.site] = [...new Set(read[table.site]).add(name!)].sort()
        return values.call(this, table) as ReturnType<typeof values<typeof table.values>>
      }
      for (const recorded of casesUnder(ownCases, name)) await replay(recorded).catch(() => {})
    }
  } finally {
    Upstreams.prototype.values = values
  }
  expect(read).toEqual(tableReaders as Record<string, string[]>)
}, 60_000)
