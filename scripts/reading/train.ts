/**
 * Trains the choice of blocks (src/extract/article/reading) on the pages of ../shared/quality, and writes
 * its weights there: `bun scripts/reading/train.ts`. The same pages give the same weights;
 * `bun run quality --folds` measures them on pages that they were not trained on.
 */
import { join } from "node:path"
import { featureNames } from "../../src/extract/article/reading/features.ts"
import type { Weights } from "../../src/extract/article/reading/model.ts"
import { pageTypes, typeFeatureNames } from "../../src/extract/article/reading/page-type.ts"
import { options, train } from "./learn.ts"
import { trainTypes } from "./learn-types.ts"
import { pack } from "./pack.ts"
import { readPages, sets } from "./pages.ts"
import { countPage, tablesOf } from "./tables.ts"

const root = join(import.meta.dir, "../../../shared/quality")
const target = join(import.meta.dir, "../../src/extract/article/reading/weights.json")

const pages = readPages(root)
const counts = pages.map(countPage)
const trees = train(pages, counts)
const { names, words } = tablesOf(counts)
const sixteenths = (table: Map<string, number>) =>
  Object.fromEntries([...table].map(([name, say]) => [name, Math.round(say * 16)]))
const weights: Weights = {
  provenance: {
    figures: "docs/internals/decisions/0015-blocks-by-a-trained-model.md",
    pages: Object.fromEntries(
      sets.map((set) => [set, pages.filter((page) => page.set === set).length]),
    ),
    options,
  },
  features: featureNames,
  names: sixteenths(names),
  words: sixteenths(words),
  trees: pack(trees, featureNames.length),
  types: Object.fromEntries(
    trainTypes(pages).map((model, at) => [pageTypes[at]!, pack(model, typeFeatureNames.length)]),
  ) as Weights["types"],
}
await Bun.write(target, `${JSON.stringify(weights)}\n`)
