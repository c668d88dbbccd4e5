import {
  type Candidate,
  rowOf,
  type WordTables,
} from "../../src/extract/metadata/candidates/scorer.ts"
import { type BoostOptions, binned, boost, type Tree } from "./boost.ts"
import { folds } from "./pages.ts"

/** A candidate of a page with a known truth. */
export interface Known extends Candidate {
  isRight: boolean
}

export interface KnownPage {
  site: string
  fold: number
  weight: number
  candidates: Known[]
}

export interface Learned {
  tables: WordTables
  model: { base: number; trees: Tree[] }
}

const fewestSites = 4
const pull = 3
/** Minimum weight of a word; smaller ones are left out. */
const minSay = 0.3

/** Returns, for each kind of words, the weights that separate right candidates from others. */
export function tablesOf(pages: KnownPage[], kinds: number): Map<string, number>[] {
  return Array.from({ length: kinds }, (_, kind) => {
    const sums = new Map<string, { right: number; all: number; sites: Set<string> }>()
    let [right, all] = [0, 0]
    for (const page of pages) {
      const own = new Map<string, [right: number, all: number]>()
      for (const { words, isRight } of page.candidates) {
        for (const word of words[kind] ?? []) {
          const sum = own.get(word) ?? [0, 0]
          if (isRight) sum[0]++
          sum[1]++
          own.set(word, sum)
        }
      }
      for (const [word, [part, whole]] of own) {
        const sum = sums.get(word) ?? { right: 0, all: 0, sites: new Set() }
        sum.right += part / whole
        sum.all++
        sum.sites.add(page.site)
        sums.set(word, sum)
        right += part / whole
        all++
      }
    }
    const prior = right / Math.max(1, all)
    const table = new Map<string, number>()
    for (const [word, sum] of sums) {
      if (sum.sites.size < fewestSites) continue
      const odds = (sum.right + pull * prior) / (sum.all - sum.right + pull * (1 - prior))
      const say = Math.round(16 * (Math.log(odds) - Math.log(prior / (1 - prior)))) / 16
      if (Math.abs(say) >= minSay) table.set(word, say)
    }
    return table
  })
}

/** Learned from pages. The words of each page are scored by pages of other folds. */
export function learn(pages: KnownPage[], kinds: number, options: BoostOptions): Learned {
  const rows: Float32Array[] = []
  const share: number[] = []
  const weight: number[] = []
  for (let fold = 0; fold < folds; fold++) {
    const own = pages.filter((page) => page.fold === fold)
    if (own.length === 0) continue
    const tables = tablesOf(
      pages.filter((page) => page.fold !== fold),
      kinds,
    )
    for (const { candidates, weight: ofPage } of own) {
      const counts = new Map<string, number>()
      for (const { key } of candidates) counts.set(key, (counts.get(key) ?? 0) + 1)
      for (const candidate of candidates) {
        rows.push(rowOf(candidate, tables))
        share.push(candidate.isRight ? 1 : 0)
        weight.push(ofPage / Math.sqrt(counts.get(candidate.key)!))
      }
    }
  }
  const width = rows[0]?.length ?? 0
  const flat = new Float32Array(rows.length * width)
  for (const [at, row] of rows.entries()) flat.set(row, at * width)
  return {
    tables: tablesOf(pages, kinds),
    model: boost(binned(flat, width), Float32Array.from(share), Float32Array.from(weight), options),
  }
}
