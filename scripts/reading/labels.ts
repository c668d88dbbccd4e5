/** Returns the share of each block that belongs to a page's content, and its weight. */
export interface Labels {
  share: Float32Array
  weight: Float32Array
}

export const tokens = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []

const run = 4
/** Maximum words between a short block and its neighbours in the true text. */
const slack = 25

/**
 * Labels blocks by the true text: long ones by runs of words, each of which counts once; short ones
 * if they are between the positions of their neighbours.
 */
export function labelByContent(blocks: string[][], content: string): Labels {
  const truth = tokens(content)
  const positions = new Map<string, number[]>()
  for (let at = 0; at < truth.length; at++) {
    for (let length = 1; length <= run && at + length <= truth.length; length++) {
      const key = truth.slice(at, at + length).join(" ")
      const known = positions.get(key)
      if (known) known.push(at)
      else positions.set(key, [at])
    }
  }
  const used = new Uint8Array(truth.length)
  const share = new Float32Array(blocks.length)
  const position = new Int32Array(blocks.length).fill(-1)
  for (const [index, words] of blocks.entries()) {
    if (words.length < run) continue
    const covered = new Uint8Array(words.length)
    let first = -1
    let next = -1
    for (let at = 0; at + run <= words.length; at++) {
      const starts = positions.get(words.slice(at, at + run).join(" "))
      if (!starts) continue
      // The occurrence that continues the last one, else the first that is free.
      const start =
        starts.includes(next) && next >= 0 && !used[next + run - 1]
          ? next
          : starts.find((one) => !used[one])
      if (start === undefined) continue
      next = start + 1
      if (first < 0) first = start
      for (let step = 0; step < run; step++) covered[at + step] = 1
    }
    let count = 0
    for (const one of covered) count += one
    share[index] = count / words.length
    if (share[index]! < 0.3) continue
    position[index] = first
    // Each word of the true text matches once.
    next = -1
    for (let at = 0; at + run <= words.length; at++) {
      const starts = positions.get(words.slice(at, at + run).join(" "))
      if (!starts) continue
      const start = starts.includes(next) && next >= 0 ? next : starts.find((one) => !used[one])
      if (start === undefined) continue
      next = start + 1
      if (at + run === words.length || at === 0) used[start] = 1
      used[start] = 1
    }
  }
  let before = -1
  for (const [index, words] of blocks.entries()) {
    if (words.length >= run) {
      if (position[index]! >= 0) before = position[index]! + words.length
      continue
    }
    if (words.length === 0) continue
    let after = -1
    for (let at = index + 1; at < blocks.length && after < 0; at++) after = position[at]!
    const starts = positions.get(words.join(" ")) ?? []
    const from = before < 0 ? (after < 0 ? 0 : after - 2 * slack) : before - slack
    const to = after < 0 ? (before < 0 ? -1 : before + 2 * slack) : after + slack
    const start = starts.find((one) => one >= from && one <= to && !used[one])
    if (start === undefined) continue
    share[index] = 1
    for (let step = 0; step < words.length; step++) used[start + step] = 1
    if (start >= before) before = start + words.length
  }
  const weight = new Float32Array(blocks.length)
  const scale = Math.max(truth.length, 60)
  for (const [index, words] of blocks.entries()) {
    weight[index] = Math.min(1, (words.length + 0.5) / scale) + 0.0005
  }
  return { share, weight }
}

const folded = (text: string) =>
  text
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim()
const passageWeight = 0.12

/** Labels blocks with passages that belong to the content, and blocks with passages that do not. */
export function labelByPassages(
  blocks: string[],
  passages: { with: string[]; without: string[] },
): Labels {
  const share = new Float32Array(blocks.length)
  const weight = new Float32Array(blocks.length)
  const texts = blocks.map(folded)
  for (const passage of passages.with.map(folded)) {
    const at = texts
      .map((text, index) => (text.includes(passage) ? index : -1))
      .filter((index) => index >= 0)
    for (const index of at) {
      share[index] = 1
      weight[index]! += passageWeight / at.length
    }
  }
  for (const passage of passages.without.map(folded)) {
    const at = texts
      .map((text, index) =>
        text.includes(passage) && share[index] === 0 && text.length < 6 * passage.length + 40
          ? index
          : -1,
      )
      .filter((index) => index >= 0)
    for (const index of at) weight[index]! += passageWeight / at.length
  }
  return { share, weight }
}
