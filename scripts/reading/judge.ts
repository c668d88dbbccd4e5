import { tokens } from "./labels.ts"
import type { TrainingPage } from "./pages.ts"

/** Figures of a choice of blocks, by set and type. */
export function judge(
  pages: TrainingPage[],
  choose: (page: TrainingPage) => ArrayLike<number>,
): string[] {
  const byType = new Map<string, number[]>()
  let [precisions, recalls, articles] = [0, 0, 0]
  let [hits, misses, wrong] = [0, 0, 0]
  for (const page of pages) {
    const chosen = choose(page)
    const texts = page.texts.filter((_, at) => chosen[at]! > 0 && !page.captions[at])
    if (page.set === "pages") {
      const f1 = wordF1(texts.flatMap(tokens), tokens(page.content!))
      for (const key of [page.type!, "all"]) byType.set(key, [...(byType.get(key) ?? []), f1])
    } else if (page.set === "articles") {
      const [precision, recall] = overlap(
        shingles(texts.flatMap((text) => text.match(word) ?? [])),
        shingles(page.content!.match(word) ?? []),
      )
      precisions += precision
      recalls += recall
      articles++
    } else {
      const text = folded(texts.map(folded).join(" "))
      const has = page.passages!.with.filter((one) => text.includes(folded(one))).length
      const bad = page.passages!.without.filter((one) => text.includes(folded(one))).length
      hits += has
      misses += page.passages!.with.length - has
      wrong += bad
    }
  }
  const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
  const lines = [...byType].map(
    ([type, figures]) => `pages ${type} F1 ${mean(figures).toFixed(3)} (${figures.length})`,
  )
  const [precision, recall] = [precisions / articles, recalls / articles]
  if (articles > 0)
    lines.push(
      `articles F1 ${line((2 * precision * recall) / (precision + recall), precision, recall)}`,
    )
  if (hits > 0)
    lines.push(
      `segments F1 ${line((2 * hits) / (2 * hits + misses + wrong), hits / (hits + wrong), hits / (hits + misses))}`,
    )
  return lines
}

const line = (f1: number, precision: number, recall: number) =>
  `${f1.toFixed(3)} precision ${precision.toFixed(3)} recall ${recall.toFixed(3)}`

const word = /[\p{L}\p{M}\p{N}_]+/gu
const folded = (text: string) =>
  text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim()

function shingles(words: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at <= Math.max(0, words.length - 4) && words.length > 0; at++) {
    const key = words.slice(at, at + 4).join(" ")
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function overlap(found: Map<string, number>, wanted: Map<string, number>): [number, number] {
  let [both, all, total] = [0, 0, 0]
  for (const [key, count] of found) {
    both += Math.min(count, wanted.get(key) ?? 0)
    all += count
  }
  for (const count of wanted.values()) total += count
  return [all === 0 ? 0 : both / all, total === 0 ? 0 : both / total]
}

function wordF1(found: string[], wanted: string[]): number {
  const left = new Map<string, number>()
  for (const one of wanted) left.set(one, (left.get(one) ?? 0) + 1)
  let both = 0
  for (const one of found) {
    const count = left.get(one) ?? 0
    if (count === 0) continue
    both++
    left.set(one, count - 1)
  }
  return found.length + wanted.length === 0 ? 1 : (2 * both) / (found.length + wanted.length)
}
