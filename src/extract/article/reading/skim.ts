import { isLabel } from "../text/content-lines.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { type EntryList, findList, outweighs } from "./entry-list.ts"

/** The result of a first look for a page's article, after Readability, from existing sums. */
export interface Skim {
  /** For each block whether it would be kept. */
  votes: Uint8Array
  /** Lines that their wording identifies as labels. */
  labels: Uint8Array
  /** The scores of elements as an article. */
  scores: ReadonlyMap<ElementNode, number>
  top: ElementNode | null
  best: number
}

/** A shorter article is also searched among the unlikely elements. */
const fewestWords = 90
/** Minimum ratio of a page's own container to the article, in words, for the container to be chosen. */
const timesIfShort = 1.5
const timesIfLong = 3
const timesIfWhole = 4
const shortArticle = 160
const containerTests: ((node: ElementNode) => boolean)[] = [
  ({ names }) => names.words.includes(":articlebody"),
  ({ name }) => name === "main",
  ({ names }) => names.words.includes("@main"),
  ({ name }) => name === "article",
]
const largeShare = 0.2
const proseShare = 0.4
const maxShare = 0.6
const maxLine = 60
const listLinks = 0.3
/** Letters from which on a block counts. */
const minLetters = 22
const reach = 5
const candidates = 5
const closeShare = 0.75
const fewestClose = 3

/** Within these a name means something else. */
const protectedNames = new Set(["pre", "code", "blockquote", "table"])
const left = new Set(["nav", "aside", "footer", "button", "dialog"])
const postNames = new Set(["twitter-tweet", "instagram-media"])
const unscored = new Set(["li", "dd", "dt", "th", "figcaption", "label", "summary", "button", "a"])
const cleaned = new Set(["form", "fieldset", "ul", "ol", "div", "section"])
const tagScores: Record<string, number> = {
  div: 5,
  pre: 3,
  td: 3,
  blockquote: 3,
  address: -3,
  ol: -3,
  ul: -3,
  dl: -3,
  dd: -3,
  dt: -3,
  li: -3,
  form: -3,
  h1: -5,
  h2: -5,
  h3: -5,
  h4: -5,
  h5: -5,
  h6: -5,
  th: -5,
}

/** A lead, in characters; how far below its heading an article may begin, in blocks. */
const shortestLead = 40
const maxLead = 900
const maxLeads = 3
const furthestLead = 40

const levelOf = (block: Block | undefined) => block?.level ?? 0
const share = (part: number, whole: number) => (whole > 0 ? part / whole : 0)
const linked = (node: ElementNode) => share(node.linkWords, node.words)

/** `isAboutOne`: whether the page states that it is an article, a product or the like, and not a list. */
export function skim(page: Blocks, isAboutOne: boolean): Skim {
  const { blocks } = page
  const labels = new Uint8Array(blocks.length)
  for (let at = 0; at < labels.length; at++) labels[at] = isLabel(blocks[at]!.text) ? 1 : 0
  const list = isAboutOne ? null : findList(page)
  const strict = new Look(page, labels, list, true)
  if (strict.words >= fewestWords) return strict
  const loose = new Look(page, labels, list, false)
  return loose.words > strict.words ? loose : strict
}

class Look implements Skim {
  votes: Uint8Array
  readonly scores = new Map<ElementNode, number>()
  top: ElementNode | null = null
  best = 0
  words = 0
  private readonly swept = new Set<ElementNode>()
  private readonly inTable = new Set<ElementNode>()
  /** The elements that contain the page's list. */
  private readonly listed = new Set<ElementNode>()
  /** Quoted posts of a network, and their controls. */
  private readonly posts = new Set<ElementNode>()

  constructor(
    private readonly page: Blocks,
    readonly labels: Uint8Array,
    list: EntryList | null,
    private readonly strict: boolean,
  ) {
    this.votes = new Uint8Array(page.blocks.length)
    for (let at = list?.holder; at; at = at.parent ?? undefined) this.listed.add(at)
    this.sweep()
    this.score()
    this.choose()
    if (this.top) this.vote(this.top, true)
    const holder = this.container()
    if (list && outweighs(list, this.words)) {
      this.vote(this.listed.has(holder) ? holder : list.holder, false)
      return
    }
    this.addLead()
    if (holder === this.top) return
    const [votes, words] = [this.votes, this.words]
    this.vote(holder, false)
    const times = !holder.parent ? timesIfWhole : words < shortArticle ? timesIfShort : timesIfLong
    const isLittle = words * times < this.words
    if (!isLittle) [this.votes, this.words] = [votes, words]
  }

  /** Returns the container that the page names as its content, or the whole page. */
  private container(): ElementNode {
    const { nodes, root } = this.page
    for (const test of containerTests) {
      const elements = nodes.filter((node) => node.blocks > 0 && test(node))
      if (elements.length === 1) return elements[0]!
    }
    return root
  }

  private sweep(): void {
    const { nodes, root } = this.page
    for (const post of nodes) {
      if (post.name !== "blockquote" || !post.names.words.some((word) => postNames.has(word)))
        continue
      let at: ElementNode | null = post
      for (; at?.parent && at.words <= post.words * 2 && !this.posts.has(at); at = at.parent) {
        this.posts.add(at)
      }
    }
    for (const node of nodes) {
      const { parent } = node
      if (parent === null || node.blocks === 0) continue
      if (this.inTable.has(parent) || protectedNames.has(node.name)) this.inTable.add(node)
      if (this.swept.has(parent)) this.swept.add(node)
      else if (!this.inTable.has(node) && this.isBoilerplate(node, root)) this.swept.add(node)
    }
  }

  private isBoilerplate(node: ElementNode, root: ElementNode): boolean {
    if (node.hidden) return true
    if (this.listed.has(node)) return false
    const { role, unlikely } = node.names
    if (node.titles > 0 || node.prose > root.prose * maxShare) return false
    if (this.posts.has(node)) return false
    if (left.has(node.name)) return true
    if (this.strict && unlikely && node.name !== "a") return true
    if (role === null || node.words > root.words * largeShare) return false
    if (node.prose > root.prose * proseShare) return false
    if (role === "line") return node.words <= maxLine
    return role === "part" || linked(node) >= listLinks
  }

  private score(): void {
    for (const block of this.page.blocks) {
      const { node } = block
      if (block.letters < minLetters || unscored.has(node.name) || this.swept.has(node)) continue
      const points = 2 + block.commas + Math.min(Math.floor(block.letters / 80), 3)
      let at = node.blocks > 1 ? node : node.parent
      for (let level = 0; at?.parent && level < reach; at = at.parent, level++) {
        const known = this.scores.get(at) ?? (tagScores[at.name] ?? 0) + at.names.weight
        this.scores.set(at, known + points / (level === 0 ? 1 : level === 1 ? 2 : level * 3))
      }
    }
    for (const [node, score] of this.scores) this.scores.set(node, score * (1 - linked(node)))
  }

  private choose(): void {
    const tops = [...this.scores].sort((a, b) => b[1] - a[1]).slice(0, candidates)
    if (tops.length === 0) return
    let [top, best] = tops[0]!
    this.best = best
    const holders = new Map<ElementNode, number>()
    for (const [node, score] of tops.slice(1)) {
      if (score < best * closeShare) continue
      for (let at = node.parent; at?.parent; at = at.parent) {
        holders.set(at, (holders.get(at) ?? 0) + 1)
      }
    }
    for (let at = top.parent; at?.parent; at = at.parent) {
      if ((holders.get(at) ?? 0) < fewestClose) continue
      top = at
      break
    }
    let last = this.scores.get(top) ?? 0
    const min = last / 3
    for (let at = top.parent; at?.parent; at = at.parent) {
      const score = this.scores.get(at)
      if (score === undefined) continue
      if (score < min) break
      if (score > last) {
        top = at
        break
      }
      last = score
    }
    while (top.parent?.parent && top.parent.blocks === top.blocks) top = top.parent
    this.top = top
  }

  private vote(top: ElementNode, isArticle: boolean): void {
    this.votes = new Uint8Array(this.page.blocks.length)
    this.words = 0
    const stored = new Set<ElementNode>()
    const min = Math.max(10, (this.scores.get(top) ?? 0) * 0.2)
    for (const node of this.page.nodes) {
      const { parent } = node
      if (node.blocks === 0 || this.swept.has(node)) continue
      if (node === top || (parent && stored.has(parent))) {
        if (node === top || !this.isFishy(node, top, isArticle)) stored.add(node)
      } else if (
        isArticle &&
        parent !== null &&
        parent === top.parent &&
        this.isOfTop(node, top, min)
      ) {
        stored.add(node)
      }
    }
    for (const [at, block] of this.page.blocks.entries()) {
      if (!stored.has(block.node)) continue
      if (this.labels[at] && block.level === 0) continue
      this.votes[at] = 1
      this.words += block.words
    }
  }

  /** The paragraphs between the page's heading and the beginning of its article. */
  private addLead(): void {
    const { blocks } = this.page
    const first = this.votes.indexOf(1)
    let heading = first - 1
    while (heading >= 0 && first - heading < furthestLead && levelOf(blocks[heading]) !== 1)
      heading--
    if (levelOf(blocks[heading]) !== 1) return
    let leads = 0
    for (let at = heading + 1; at < first && leads < maxLeads; at++) {
      const block = blocks[at]!
      if (!this.isLead(block, this.labels[at] === 1)) continue
      this.votes[at] = 1
      this.words += block.words
      leads++
    }
  }

  private isLead({ level, node, text, linkWords, words }: Block, isLabel: boolean): boolean {
    if (isLabel || text.length < shortestLead || text.length > maxLead) return false
    if (!/[.!?…:"”»。！？]$/.test(text) && text.length < 2 * shortestLead) return false
    if (this.swept.has(node) || this.inTable.has(node) || linkWords > words * 0.3) return false
    return level === 0 && !unscored.has(node.name)
  }

  /** Returns whether a sibling continues the article after its end. */
  private isOfTop(node: ElementNode, top: ElementNode, min: number): boolean {
    const isAlike = node.names.hash === top.names.hash && node.names.words.length > 1
    const bonus = isAlike ? (this.scores.get(top) ?? 0) * 0.2 : 0
    if ((this.scores.get(node) ?? 0) + bonus >= min) return true
    return node.name === "p" && node.letters > 70 && linked(node) < 0.25
  }

  /** Returns whether Readability would remove an element: it has many links, or a name of no content. */
  private isFishy(node: ElementNode, top: ElementNode, isArticle: boolean): boolean {
    if (this.inTable.has(node)) return false
    const density = linked(node)
    if (node.prose > top.prose * proseShare || !isArticle || this.posts.has(node)) return false
    if (node.name === "p") return density > 0.9 && node.letters < 100
    if (!cleaned.has(node.name)) return false
    if (density > 0.66) return true
    if (node.name === "section") return false
    const { weight } = node.names
    if (weight < 0) return true
    if (node.commas >= 10) return false
    const isList = node.name === "ul" || node.name === "ol"
    if (node.images > 1 && node.paragraphs / node.images < 0.5) return true
    if (weight >= 25) return density > 0.5
    return !isList && (density > 0.2 || (node.letters < minLetters && density > 0))
  }
}
