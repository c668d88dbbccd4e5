import type { ElementNode } from "../../src/extract/article/reading/blocks.ts"
import {
  makeScores,
  maxWords,
  type Scores,
  wordsOf,
} from "../../src/extract/article/reading/scores.ts"
import type { TrainingPage } from "./pages.ts"

/**
 * For one page: the weight of the blocks under each name and word, and the content's share of it.
 */
export interface PageCounts {
  fold: number
  site: string
  names: Map<string, [inside: number, all: number]>
  words: Map<string, [inside: number, all: number]>
}

export function countPage(page: TrainingPage): PageCounts {
  const names: PageCounts["names"] = new Map()
  const words: PageCounts["words"] = new Map()
  const { share, weight } = page.labels
  const sums = new Map<ElementNode, [number, number]>()
  for (const [at, block] of page.blocks.blocks.entries()) {
    if (weight[at] === 0) continue
    for (let node: ElementNode | null = block.node; node; node = node.parent) {
      const sum = sums.get(node) ?? [0, 0]
      sum[0] += share[at]! * weight[at]!
      sum[1] += weight[at]!
      sums.set(node, sum)
    }
    if (block.words > maxWords) continue
    for (const word of new Set(wordsOf(block.text.slice(0, 300)))) {
      const sum = words.get(word) ?? [0, 0]
      sum[0] += share[at]!
      sum[1]++
      words.set(word, sum)
    }
  }
  for (const [node, [inside, all]] of sums) {
    for (const name of node.names.words) {
      const sum = names.get(name) ?? [0, 0]
      sum[0] += inside
      sum[1] += all
      names.set(name, sum)
    }
  }
  return { fold: page.fold, site: new URL(page.url).hostname.replace(/^www\./, ""), names, words }
}

const least = { names: 4, words: 4 }
const pull = { names: 4, words: 4 }
/** Minimum weight of a name or word; smaller ones are left out. */
const minSay = 0.35
const maxEntries = { names: 2500, words: 1800 }

export interface Tables {
  names: Map<string, number>
  words: Map<string, number>
}

export const tablesOf = (counts: PageCounts[]): Tables => ({
  names: table(counts, "names"),
  words: table(counts, "words"),
})

export function makeTables(counts: PageCounts[]): Scores {
  const { names, words } = tablesOf(counts)
  return makeScores(names, words)
}

function table(counts: PageCounts[], kind: "names" | "words"): Map<string, number> {
  const sums = new Map<string, { inside: number; all: number; sites: Set<string> }>()
  let [inside, all] = [0, 0]
  for (const page of counts) {
    for (const [name, [part, whole]] of page[kind]) {
      const sum = sums.get(name) ?? { inside: 0, all: 0, sites: new Set() }
      sum.inside += part / whole
      sum.all++
      sum.sites.add(page.site)
      sums.set(name, sum)
      inside += part / whole
      all++
    }
  }
  const prior = inside / all
  const rows: [name: string, say: number, count: number][] = []
  for (const [name, sum] of sums) {
    if (sum.sites.size < least[kind]) continue
    const odds =
      (sum.inside + pull[kind] * prior) / (sum.all - sum.inside + pull[kind] * (1 - prior))
    const say = Math.log(odds) - Math.log(prior / (1 - prior))
    if (Math.abs(say) >= minSay) rows.push([name, Math.round(say * 16) / 16, sum.all])
  }
  rows.sort((a, b) => Math.abs(b[1]) * Math.sqrt(b[2]) - Math.abs(a[1]) * Math.sqrt(a[2]))
  return new Map(rows.slice(0, maxEntries[kind]).map(([name, say]) => [name, say]))
}
