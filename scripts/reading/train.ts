/**
 * Trains the choice of blocks (src/extract/article/reading) on the pages of ../shared/quality, and writes
 * its weights there: `bun scripts/reading/train.ts`. The same pages give the same weights;
 * `bun run quality --folds` measures them on pages that they were not trained on.
 */
import { join } from "node:path"
import { trainTypes } from "./learn-types.ts"
import { readPages } from "./pages.ts"
import { countPage } from "./tables.ts"
import { weightsOf } from "./weights.ts"

const root = join(import.meta.dir, "../../../shared/quality")
const target = join(import.meta.dir, "../../src/extract/article/reading/weights.json")

const pages = readPages(root)
const weights = weightsOf(pages, pages.map(countPage), trainTypes(pages))
await Bun.write(target, `${JSON.stringify(weights)}\n`)
