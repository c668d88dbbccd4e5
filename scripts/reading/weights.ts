import { featureNames } from "../../src/extract/article/reading/features.ts"
import type { Weights } from "../../src/extract/article/reading/model.ts"
import { pageTypes, typeFeatureNames } from "../../src/extract/article/reading/page-type.ts"
import { options, train } from "./learn.ts"
import type { trainTypes } from "./learn-types.ts"
import { pack } from "./pack.ts"
import { sets, type TrainingPage } from "./pages.ts"
import { type PageCounts, tablesOf } from "./tables.ts"

/** Returns the weights that are learned from pages. */
export function weightsOf(
  pages: TrainingPage[],
  counts: PageCounts[],
  types: ReturnType<typeof trainTypes>,
): Weights {
  const trees = train(pages, counts)
  const { names, words } = tablesOf(counts)
  return {
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
      types.map((model, at) => [pageTypes[at]!, pack(model, typeFeatureNames.length)]),
    ) as Weights["types"],
  }
}

const sixteenths = (table: Map<string, number>) =>
  Object.fromEntries([...table].map(([name, say]) => [name, Math.round(say * 16)]))
