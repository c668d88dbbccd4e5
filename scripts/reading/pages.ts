import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { type Blocks, readBlocks } from "../../src/extract/article/reading/blocks.ts"
import { type PageFacts, readFacts } from "../../src/extract/article/reading/page-facts.ts"
import { type Skim, skim } from "../../src/extract/article/reading/skim.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { type Labels, labelByContent, labelByPassages, tokens } from "./labels.ts"

/** A page to learn from: its blocks, and how much of each belongs to the content. */
export interface TrainingPage {
  set: "articles" | "segments" | "pages"
  id: string
  url: string
  fold: number
  type: string | null
  blocks: Blocks
  facts: PageFacts
  look: Skim
  labels: Labels
}

export const folds = 5

export function siteOf(url: string): string {
  const labels = new URL(url).hostname.replace(/^www\./, "").split(".")
  const isShort = labels.length > 2 && /^(?:com?|org|net|ac|gov|edu|or|ne|go)$/.test(labels.at(-2)!)
  return labels.slice(isShort ? -3 : -2).join(".")
}

/** Pages of one site are in one fold. */
export function foldOf(url: string): number {
  let hash = 0
  for (const char of siteOf(url)) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0
  return (hash >>> 3) % folds
}

interface Truth {
  url: string
  type?: string
  content?: string
  articleBody?: string
  with?: string[]
  without?: string[]
}

export const sets = ["articles", "segments", "pages"] as const

export function readPages(root: string): TrainingPage[] {
  return sets
    .filter((set) => existsSync(join(root, set, "truth.json")))
    .flatMap((set) => readSet(join(root, set), set))
}

function readSet(folder: string, set: TrainingPage["set"]): TrainingPage[] {
  const truths = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Record<
    string,
    Truth
  >
  return Object.entries(truths).map(([id, truth]) => {
    const path = join(folder, `${id}.html.gz`)
    const bytes = existsSync(path)
      ? new Uint8Array(gunzipSync(readFileSync(path)))
      : new Uint8Array(readFileSync(join(folder, `${id}.html`)))
    const document = parseDocument(decodeBody(bytes, "text/html"))
    const facts = readFacts(document, truth.url)
    const blocks = readBlocks(document.body)
    const texts = blocks.blocks.map(({ text }) => text)
    for (const block of blocks.blocks) block.textNodes = []
    const content = truth.content ?? truth.articleBody ?? null
    const passages = { with: truth.with ?? [], without: truth.without ?? [] }
    const words = texts.map(tokens)
    return {
      set,
      id,
      url: truth.url,
      fold: foldOf(truth.url),
      type: truth.type ?? null,
      blocks,
      facts,
      look: skim(blocks, facts.isAboutOne),
      labels: content === null ? labelByPassages(texts, passages) : labelByContent(words, content),
    }
  })
}
