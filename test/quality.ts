/**
 * Scores the reading of pages over sets of real pages with known content, as their README
 * describes. `bun run quality` prints a line for each set and attribute, the ten worst pages of
 * each, and the pages whose Markdown loses or adds text. Without the sets of ../shared it uses the
 * small one in test/pages. `--no-worst` omits the worst pages. `--set DIR` uses other pages in the
 * same form. `--half 0|1` uses half of the pages, so that the other half remains unseen while rules
 * are tuned. `--folds` reads each page with models of a five-fold cross-validation by site, which
 * were not trained on it; without it, the models score themselves on pages that they were trained
 * on.
 */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import { crossValidate } from "../scripts/reading/folds.ts"
import { metadataFolds } from "../scripts/reading/metadata-folds.ts"
import {
  agrees,
  articleQuality,
  type ContentScore,
  lostPages,
  metadataQuality,
  type Only,
  segmentQuality,
  typedQuality,
} from "./quality/content.ts"
import { lostInMarkdown, ownPages, pageSets, pagesOf, qualityFolder } from "./quality/pages.ts"
import { productFoldLine, productLine, productQuality } from "./quality/products.ts"
import { wordsOnlyOfTurndown } from "./second-opinion.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    set: { type: "string", default: existsSync(qualityFolder) ? qualityFolder : ownPages },
    half: { type: "string" },
    folds: { type: "boolean", default: false },
    worst: { type: "boolean", default: true },
  },
  allowNegative: true,
})

const only: Only = (_, index) => values.half === undefined || index % 2 === Number(values.half)
const worstPages = 10
const visibleLength = 160

const show = (text: string) => text.replace(/\s+/g, " ").slice(0, visibleLength)

function contentLines(set: string, score: ContentScore, worst = values.worst): void {
  const { f1, precision, recall, pages } = score
  const figures = [f1, precision, recall].map((figure) => figure.toFixed(3))
  console.log(`${set} content F1 ${figures[0]} precision ${figures[1]} recall ${figures[2]}`)
  const { lost, of } = lostPages(score)
  console.log(`${set} recall below 0.3 on ${lost.length} of ${of} pages`)
  for (const { url, recall } of lost) console.log(`  ${recall.toFixed(2)} ${url}`)
  if (!worst) return
  for (const page of pages.sort((a, b) => a.score - b.score).slice(0, worstPages)) {
    console.log(`  ${page.score.toFixed(2)} ${page.id.slice(0, 12)} ${page.url}`)
    for (const text of page.missing.slice(0, 8)) console.log(`    missing: ${show(text)}`)
    for (const text of page.tooMuch.slice(0, 8)) console.log(`    too much: ${show(text)}`)
  }
}

function typeLines(set: string, folder: string, prepare?: (url: string) => void): void {
  for (const { type, withShare, withoutShare, ...score } of typedQuality(folder, only, prepare)) {
    const shares = `with ${withShare.toFixed(3)} without ${withoutShare.toFixed(3)}`
    console.log(`${set} ${type} ${shares} of ${score.pages.length} pages`)
    contentLines(`${set} ${type}`, score, values.worst && type !== "all")
  }
}

function metadataLines(set: string, folder: string): void {
  for (const { attribute, right, total, differences } of metadataQuality(folder, only)) {
    if (total === 0) continue
    console.log(`${set} ${attribute} ${(right / total).toFixed(3)} (${right} of ${total})`)
    if (!values.worst) continue
    for (const { url, wanted, found } of differences) {
      console.log(
        `  wanted "${show(wanted)}", found ${found === null ? "none" : `"${show(found)}"`}: ${url}`,
      )
    }
  }
}

function productLines(folder: string): void {
  for (const score of productQuality(folder, only)) {
    console.log(productLine(score))
    if (!values.worst) continue
    for (const { url, wanted, found } of score.differences.slice(0, worstPages)) {
      console.log(`  wanted ${wanted.join(" or ") || "none"}, found ${found ?? "none"}: ${url}`)
    }
  }
}

/** Returns the pages whose Markdown, rendered again, differs from the text of the page. */
function markdownLines(set: string, folder: string): void {
  const pages = [...pagesOf(folder)].filter(({ name }, index) => only(name, index))
  const lost = pages.flatMap((page) => lostInMarkdown(page).map((part) => `${page.name}: ${part}`))
  console.log(`${set} markdown differs on ${lost.length} of ${2 * pages.length} readings`)
  if (values.worst) for (const line of lost) console.log(`  ${line}`)
}

/** Returns the pages whose main content has words in Turndown's Markdown that ours does not. */
function secondOpinionLines(set: string, folder: string): void {
  const pages = [...pagesOf(folder)].filter(({ name }, index) => only(name, index))
  const lost = pages.flatMap((page) => {
    const words = wordsOnlyOfTurndown(page)
    return words.length > 0 ? [`${page.name}: ${show(words.join(" "))}`] : []
  })
  console.log(`${set} markdown lacks words of turndown on ${lost.length} of ${pages.length} pages`)
  if (values.worst) for (const line of lost) console.log(`  ${line}`)
}

/** Returns the kind of a folder's set, judged by its first truth. */
function kindOf(folder: string): string {
  const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8"))
  const first = Object.values<Record<string, unknown>>(truth)[0] ?? {}
  if ("articleBody" in first) return "articles"
  if ("type" in first) return "pages"
  return "with" in first ? "segments" : "products"
}

function score(folder: string): void {
  const kind = kindOf(folder)
  if (kind === "articles") contentLines(kind, articleQuality(folder, only))
  else if (kind === "segments") {
    contentLines(kind, segmentQuality(folder, only))
    metadataLines(kind, folder)
  } else if (kind === "pages") {
    typeLines(kind, folder)
    metadataLines(kind, folder)
  } else productLines(folder)
}

/** Returns the scores of models that were trained without the page that they read. */
function foldLines(root: string): void {
  const { lines, types, prepare } = crossValidate(root)
  const folderOf = (set: string) => join(root, set)
  const isPresent = (set: string) => existsSync(join(folderOf(set), "truth.json"))
  if (isPresent("articles"))
    contentLines("articles", articleQuality(folderOf("articles"), only, prepare))
  if (isPresent("segments"))
    contentLines("segments", segmentQuality(folderOf("segments"), only, prepare))
  if (isPresent("pages")) typeLines("pages", folderOf("pages"), prepare)
  for (const line of lines) console.log(line)
  for (const line of metadataFolds(root, agrees, types)) console.log(line)
  if (!isPresent("products")) return
  for (const score of productQuality(folderOf("products"), only)) {
    console.log(productLine(score))
    console.log(productFoldLine(score))
  }
}

if (values.folds) {
  foldLines(values.set)
  process.exit(0)
}

const isOneSet = existsSync(join(values.set, "truth.json"))
const foldersOf = (sets: string[]) =>
  isOneSet ? [values.set] : sets.map((name) => join(values.set, name))
const folders = foldersOf(["articles", "segments", "pages", "products"])
const present = folders.filter((folder) => existsSync(join(folder, "truth.json")))
if (present.length === 0) console.error(`No pages with a truth.json are at ${values.set}.`)
for (const folder of present) score(folder)
for (const folder of foldersOf(pageSets).filter(existsSync)) {
  markdownLines(basename(folder), folder)
  secondOpinionLines(basename(folder), folder)
}
process.exit(present.length === 0 ? 2 : 0)
