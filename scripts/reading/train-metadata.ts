/**
 * Trains the choice of authors and dates (src/extract/metadata/candidates) on the pages of
 * ../shared/quality and on the lessons, and writes its weights:
 * `bun scripts/reading/train-metadata.ts`. The same pages give the same weights; `bun run quality --folds`
 * measures them on pages that they were not trained on.
 */
import { join } from "node:path"
import { authorFeatureNames } from "../../src/extract/metadata/candidates/author-features.ts"
import { dateFeatureNames } from "../../src/extract/metadata/candidates/date-features.ts"
import type { MetadataWeights, PackedScorer } from "../../src/extract/metadata/candidates/scorer.ts"
import { weighedFeatureNames } from "../../src/extract/metadata/candidates/weighed-names.ts"
import type { Learned } from "./candidates.ts"
import {
  authorPages,
  datePages,
  learnAuthors,
  learnDates,
  metadataOptions,
  nameOptions,
} from "./learn-metadata.ts"
import { readMetadataPages } from "./metadata-pages.ts"
import { pack } from "./pack.ts"

const root = join(import.meta.dir, "../../../shared/quality")
const target = join(import.meta.dir, "../../src/extract/metadata/candidates/metadata-weights.json")

export function packed({ tables, model }: Learned, features: string[]): PackedScorer {
  return {
    features,
    words: tables.map((table) =>
      Object.fromEntries([...table].map(([word, say]) => [word, Math.round(say * 16)])),
    ),
    trees: pack(model, features.length + 3 * tables.length),
  }
}

if (import.meta.main) {
  const pages = [...readMetadataPages(root)]
  const [authors, dates] = [authorPages(pages), datePages(pages)]
  const { author: positions, name: names } = learnAuthors(authors)
  const weights: MetadataWeights = {
    provenance: {
      figures: "docs/internals/decisions/0015-blocks-by-a-trained-model.md",
      pages: { authors: authors.length, dates: dates.length },
      options: { places: metadataOptions, names: nameOptions },
    },
    author: packed(positions, authorFeatureNames),
    name: packed(names, weighedFeatureNames),
    date: packed(learnDates(dates), dateFeatureNames),
  }
  await Bun.write(target, `${JSON.stringify(weights)}\n`)
}
