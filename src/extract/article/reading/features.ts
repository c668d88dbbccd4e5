import { type Blocks, type ElementNode, isDated } from "./blocks.ts"
import type { Names } from "./names.ts"
import type { PageFacts } from "./page-facts.ts"
import { type NameScore, type Scores, scoreOfNames, wordScores } from "./scores.ts"
import type { Skim } from "./skim.ts"
import { VoteSums } from "./votes.ts"

/** The features of each block, in the order of the model's input. */
export const featureNames: string[] = []

/** A row of features for each block. */
export interface FeatureRows {
  rows: Float32Array
  width: number
  /** The groups of blocks with the same path. */
  groups: Uint32Array
}

const maxFeatures = 256
const neighbours = [-3, -2, -1, 1, 2, 3]
const reaches = [5, 15]
const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0)

interface NodeScore {
  own: number
  min: number
  max: number
  sum: number
  minDepth: number
}

const containers = [
  "nav",
  "header",
  "footer",
  "aside",
  "main",
  "article",
  "section",
  "form",
  "table",
  "ul",
  "ol",
  "dl",
  "figure",
  "blockquote",
  "pre",
  "dialog",
  "td",
  "a",
  "button",
  "label",
  "details",
] as const
const containerIndex = new Map<string, number>(containers.map((name, at) => [name, at]))
const kinds = [
  "p",
  "div",
  "li",
  "span",
  "td",
  "th",
  "dd",
  "dt",
  "a",
  "button",
  "figcaption",
  "pre",
  "label",
  "summary",
  "section",
  "article",
  "address",
  "cite",
  "time",
  "small",
]
const kindIndex = new Map(kinds.map((name, at) => [name, at + 1]))

/** Collects the features of one page. */
export function featuresOf(
  page: Blocks,
  facts: PageFacts,
  look: Skim,
  scores: Scores,
): FeatureRows {
  const { votes, labels } = look
  const voted = new VoteSums(page, votes)
  const { blocks, root } = page
  const count = blocks.length
  const texts = blocks.map((block) => wordScores(scores, block.text, block.words))
  const nodeScores = scoresOf(page, scores)
  const scoreOf = (node: ElementNode) => nodeScores[node.index]!
  const inside = new Int32Array(page.nodes.length)
  for (const { index, name, parent } of page.nodes) {
    const at = containerIndex.get(name)
    inside[index] = (at === undefined ? 0 : 1 << at) | (parent ? inside[parent.index]! : 0)
  }

  const seen = new Map<string, number>()
  for (const { text } of blocks) seen.set(text, (seen.get(text) ?? 0) + 1)
  const met = new Set<string>()
  const groups = new Uint32Array(count)
  const groupCount = new Map<number, number>()
  const groupWords = new Map<number, number>()
  for (const [at, block] of blocks.entries()) {
    const group = block.node.path
    groups[at] = group
    groupCount.set(group, (groupCount.get(group) ?? 0) + 1)
    groupWords.set(group, (groupWords.get(group) ?? 0) + block.words)
  }
  const levels = blocks.map(({ level }) => level)
  const heads = new Int32Array(count).fill(-1)
  let head = -1
  for (let at = 0; at < count; at++) {
    heads[at] = head
    if (levels[at]! > 0) head = at
  }
  // For each section, from one heading to the next: words and words in links.
  const sectionWords = new Map<number, [words: number, links: number, blocks: number]>()
  for (let at = 0; at < count; at++) {
    if (levels[at]! > 0) continue
    const section = sectionWords.get(heads[at]!) ?? [0, 0, 0]
    section[0] += blocks[at]!.words
    section[1] += blocks[at]!.linkWords
    section[2]++
    sectionWords.set(heads[at]!, section)
  }
  const firstTitle = facts.titleBlock(blocks)
  const before = new Float64Array(count + 1)
  const linksBefore = new Float64Array(count + 1)
  for (let at = 0; at < count; at++) {
    before[at + 1] = before[at]! + blocks[at]!.words
    linksBefore[at + 1] = linksBefore[at]! + blocks[at]!.linkWords
  }
  const total = before[count]!

  const naming = featureNames.length === 0
  let rows = new Float32Array(naming ? maxFeatures : count * featureNames.length)
  let cursor = 0
  let rowsMade = 0
  /** The name is only built for the first row, with "%" replaced. */
  const put = naming
    ? (name: string, value: number, which: number | string = "") => {
        if (rowsMade === 0) featureNames.push(name.replace("%", String(which)))
        rows[cursor++] = value
      }
    : (_name: string, value: number, _which?: number | string) => {
        rows[cursor++] = value
      }
  const putAll = (names: readonly string[], values: Float32Array, which: number | string = "") => {
    if (naming) for (const [at, name] of names.entries()) put(name, values[at]!, which)
    else {
      rows.set(values, cursor)
      cursor += values.length
    }
  }
  const looked = new Float64Array(page.nodes.length)
  for (const [{ index }, score] of look.scores) looked[index] = score
  /** What blocks of the same element share, by its index. */
  const held: (Float32Array | undefined)[] = new Array(page.nodes.length)
  const ofPage = pageFeatures(page, facts, total)
  for (let at = 0; at < count; at++) {
    const block = blocks[at]!
    const { node } = block
    const text = texts[at]!
    put("words", block.words)
    put("letters a word", share(block.letters, block.words))
    put("linked", share(block.linkWords, block.words))
    put("links", block.links)
    put("digits", share(block.digits, block.letters + block.digits))
    put("capitals", share(block.capitals, block.words))
    put("commas", block.commas)
    put("stops", block.stops)
    put("stops a word", share(block.stops, block.words))
    put("last", block.last)
    put("images", block.images)
    put("heading", levels[at]!)
    put("label", labels[at]!)
    put("date", isDated(block) ? 1 : 0)
    put(
      "price",
      block.digits > 0 &&
        block.text.length < 300 &&
        /[$€£¥₹]\s?\d|\d\s?(?:€|zł|kr\b|USD|EUR)/.test(block.text)
        ? 1
        : 0,
    )
    put("text mean", text.mean)
    put("text min", text.min)
    put("text max", text.max)
    put("text first", text.first)
    put("repeats", seen.get(block.text)!)
    put("again", met.has(block.text) ? 1 : 0)
    met.add(block.text)
    put("kind", kindIndex.get(node.name) ?? 0)
    const like = facts.similarity(block.text)
    put("title", like.title)
    put("described", like.description)
    // The path
    const score = scoreOf(node)
    put("path own", score.own)
    const up1 = node.parent ? scoreOf(node.parent) : score
    put("path up 1", up1.own)
    put("path up 2", node.parent?.parent ? scoreOf(node.parent.parent).own : 0)
    put("path min", score.min)
    put("path max", score.max)
    put("path sum", score.sum)
    put("path min height", node.depth - score.minDepth)
    put("depth", node.depth)
    put("hidden", node.hidden ? 1 : 0)
    const bits = inside[node.index]!
    for (let bit = 0; bit < containers.length; bit++)
      put("in %", (bits >> bit) & 1, containers[bit])
    // Position
    put("index", at)
    put("index from end", count - at)
    put("place", share(at, count))
    put("words before", before[at]!)
    put("words before share", share(before[at]!, total))
    put("words after", total - before[at + 1]!)
    put("after title", firstTitle < 0 ? -1000 : Math.max(-50, Math.min(200, at - firstTitle)))
    put(
      "words after title",
      firstTitle < 0 ? -1000 : before[at]! - before[Math.min(count, firstTitle + 1)]!,
    )
    // Containers, each with more blocks than the one within it
    let level: ElementNode | null = node
    let blocksIn = block ? 1 : 0
    for (let step = 1; step <= 4; step++) {
      while (level && level.blocks <= blocksIn && level.parent) level = level.parent
      const holder: ElementNode = level ?? root
      let values = held[holder.index]
      if (!values) {
        values = Float32Array.of(
          holder.words,
          holder.blocks,
          share(holder.linkWords, holder.words),
          share(holder.prose, holder.words),
          share(holder.words, holder.blocks),
          share(holder.words, total),
          share(holder.prose, root.prose),
          scoreOf(holder).own,
          share(holder.headings, holder.blocks),
          share(holder.images, holder.blocks),
          holder.alike,
        )
        held[holder.index] = values
      }
      putAll(heldNames, values, step)
      put("up% place", share(at - holder.first, holder.blocks), step)
      blocksIn = holder.blocks
    }
    // The innermost that holds most of the prose
    let steps = 0
    let half: ElementNode = node
    while (half.parent && half.prose < root.prose * 0.5) {
      half = half.parent
      steps++
    }
    put("half steps", steps)
    put("half share", share(half.prose, root.prose))
    put("half linked", share(half.linkWords, half.words))
    put("half score", scoreOf(half).own)
    put("half depth", half.depth)
    while (half.parent && half.prose < root.prose * 0.8) {
      half = half.parent
      steps++
    }
    put("most steps", steps)
    put("most linked", share(half.linkWords, half.words))
    put("most score", scoreOf(half).own)
    let topSteps = 0
    let near = 0
    let inTop: ElementNode | null = node
    while (inTop && inTop !== look.top) {
      if (topSteps < 8) near = Math.max(near, looked[inTop.index]!)
      topSteps++
      inTop = inTop.parent
    }
    put("in top", inTop ? 1 : 0)
    put("top steps", inTop ? topSteps : 50)
    put("near score", share(near, look.best))
    put("next to top", !inTop && isAdjacent(node, look.top) ? 1 : 0)
    put("top share", look.top ? share(look.top.words, total) : 0)
    put("top linked", look.top ? share(look.top.linkWords, look.top.words) : 0)
    // Repetition
    let alike: ElementNode | null = node
    while (alike && alike.alike < 3) alike = alike.parent
    put("alike", alike?.alike ?? 0)
    put("alike words", alike?.words ?? 0)
    put("alike linked", alike ? share(alike.linkWords, alike.words) : 0)
    put("alike blocks", alike?.blocks ?? 0)
    put("alike list words", alike?.parent?.words ?? 0)
    put("alike list share", share(alike?.parent?.words ?? 0, total))
    let outer: ElementNode | null = alike?.parent ?? null
    while (outer && outer.alike < 3) outer = outer.parent
    put("outer alike", outer?.alike ?? 0)
    put("outer alike words", outer?.words ?? 0)
    const group = groupCount.get(groups[at]!)!
    put("group", group)
    put("group words", share(groupWords.get(groups[at]!)!, group))
    put("group share", share(groupWords.get(groups[at]!)!, total))
    // Neighbours
    for (const step of neighbours) {
      const other = blocks[at + step]
      put("% words", other ? other.words : -1, step)
      put("% linked", other ? share(other.linkWords, other.words) : -1, step)
      put("% heading", other ? levels[at + step]! : -1, step)
      if (step === -1 || step === 1) {
        put("% stops", other ? other.stops : -1, step)
        put("% same path", other && groups[at + step] === groups[at] ? 1 : 0, step)
        put("% text", other ? texts[at + step]!.mean : 0, step)
        put("% label", other ? labels[at + step]! : 0, step)
        put("% path sum", other ? scoreOf(other.node).sum : 0, step)
      }
    }
    for (const reach of reaches) {
      const from = Math.max(0, at - reach)
      const to = Math.min(count, at + reach + 1)
      const words = before[to]! - before[from]!
      put("within % words", share(words, to - from), reach)
      put("within % linked", share(linksBefore[to]! - linksBefore[from]!, words), reach)
    }
    // The section
    const over = heads[at]!
    put("section level", over < 0 ? 0 : levels[over]!)
    put("section distance", over < 0 ? 500 : at - over)
    put("section text", over < 0 ? 0 : texts[over]!.mean)
    put("section text min", over < 0 ? 0 : texts[over]!.min)
    put("section label", over < 0 ? 0 : labels[over]!)
    const section = sectionWords.get(levels[at]! > 0 ? at : over)
    put("section words", section?.[0] ?? 0)
    put("section linked", section ? share(section[1], section[0]) : 0)
    put("section words a block", section ? share(section[0], section[2]) : 0)
    putAll(ofPage.names, ofPage.values)
    put("vote", votes[at]!)
    put("-1 vote", votes[at - 1] ?? -1)
    put("1 vote", votes[at + 1] ?? -1)
    const upward = voted.upward(node)
    for (let step = 0; step < upward.length; step++) put("up% vote", upward[step]!, step)
    put("page vote", voted.ofPage)
    rowsMade++
    if (naming && rowsMade === 1) {
      const whole = new Float32Array(count * featureNames.length)
      whole.set(rows.subarray(0, cursor))
      rows = whole
    }
  }
  return { rows, width: featureNames.length, groups }
}

const heldNames = [
  ...["up% words", "up% blocks", "up% linked", "up% prose", "up% words a block", "up% of page"],
  ...["up% prose of page", "up% score", "up% headings", "up% images", "up% alike"],
]

/** Returns what all blocks of a page share. */
function pageFeatures({ blocks, root }: Blocks, { traits }: PageFacts, total: number) {
  const features: [name: string, value: number][] = [
    ["page words", total],
    ["page blocks", blocks.length],
    ["page linked", share(root.linkWords, root.words)],
    ["page prose", share(root.prose, root.words)],
    ["page headings", root.headings],
    ["page images", root.images],
    ...traits,
  ]
  return {
    names: features.map(([name]) => name),
    values: Float32Array.from(features, ([, value]) => value),
  }
}

const unscored: NodeScore = { own: 0, min: 0, max: 0, sum: 0, minDepth: 0 }

/** Returns the scores of each element by its names, and by those along its path. */
function scoresOf({ nodes }: Blocks, scores: Scores): NodeScore[] {
  const made: NodeScore[] = []
  const known = new Map<Names, NameScore>()
  for (const node of nodes) {
    // An element without blocks, and all in it, is never asked for.
    if (node.blocks === 0) {
      made.push(unscored)
      continue
    }
    let own = known.get(node.names)
    if (!own) {
      own = scoreOfNames(scores, node.names)
      known.set(node.names, own)
    }
    const above = node.parent ? made[node.parent.index]! : null
    made.push({
      own: own.sum,
      min: Math.min(own.min, above?.min ?? 0),
      max: Math.max(own.max, above?.max ?? 0),
      sum: own.sum + 0.8 * (above?.sum ?? 0),
      minDepth: !above || own.min < above.min ? node.depth : above.minDepth,
    })
  }
  return made
}

const isAdjacent = (node: ElementNode, top: ElementNode | null): boolean => {
  if (!top?.parent) return false
  for (let at: ElementNode | null = node; at; at = at.parent)
    if (at.parent === top.parent) return true
  return false
}
