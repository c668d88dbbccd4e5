import { type Block, type Blocks, type ElementNode, isDated, isPriced } from "./blocks.ts"

/** Signs of a page's type in its form and its short lines. */
export type Sign = [name: string, value: number]

const longWords = 30
const maxCue = 60
/** Lines after these are not searched for signs. */
const maxLines = 5_000
const minItems = 3
/** Distance from the main heading within which an author, a date or a price counts, in elements. */
const near = 12
const linkedShare = 0.5

/** Lines that pages of some types have: of buttons, labels and headings. */
const cues: [name: string, expression: RegExp][] = [
  ["cart", /^(?:add|in) .{0,12}\b(?:cart|bag|basket|warenkorb)\b|^buy |^(?:out of|in) stock|^sold out/i],
  ["start", /^(?:get|request|book|start|schedule|try|contact|talk to|sign up|apply|enroll|call) .{0,30}$/i],
  ["us", /contact us|our (?:team|services|clients)|why choose|what we do|how it works|testimonial|trusted by/i],
  ["more", /^(?:read|view|see|show|load|learn) (?:more|all|details)|^(?:more|older|details)\b|continue reading/i],
  ["filter", /^(?:sort|filter|refine|price|brand|size|colou?r|availability)\b.{0,20}$|\b\d+ (?:results|items|products)\b/i],
  ["reply", /^(?:reply|quote|report|upvote|accepted|posted|joined|thanks|views|replies|asked|answered|solved)\b|\b(?:posts|points|reputation)\b/i],
  ["page", /on this page|table of contents|edit (?:this|on)|^(?:previous|next)\b|^version|helpful\?|^note:?$|^example/i],
  ["ago", /\b(?:ago|minutes?|min read)\b/i],
  ["by", /^(?:by|von|par|written by)\b/i],
  ["questions", /\bfaqs?\b|frequently asked/i],
  ["reviews", /reviews?\b|stars\b|rating/i],
  ["also", /also (?:like|bought)|recommended|related products|similar/i],
  ["product", /specification|shipping|warranty|ingredients|dimensions|quantity|qty|\bsku\b/i],
] // biome-ignore format: a table reads better dense

/** Most lines have none, and one search takes less time than one for each. */
const anyCue = new RegExp(cues.map(([, { source }]) => source).join("|"), "i")

const isLinked = ({ linkWords, words }: Block) => linkWords > words * linkedShare
const share = (part: number, whole: number) => part / Math.max(1, whole)

/** `title` is the index of the main heading among the blocks, -1 for none. */
export function typeSigns(page: Blocks, chosen: ArrayLike<number>, title: number): Sign[] {
  return [
    ...headingSigns(page, chosen, title),
    ...proseSigns(page, title),
    ...lineSigns(page, title),
    ...listSigns(page),
  ]
}

/** Signs of a page's URL: the number of its parts, and whether the last one reads like a headline. */
export function addressSigns(path: string): Sign[] {
  const parts = path.split("/").filter((part) => part !== "" && !part.startsWith("index."))
  const last = parts.at(-1) ?? ""
  return [
    ["address parts", parts.length],
    ["address words", last.split(/[-_]/).length],
    ["address letters", last.length],
    ["address number", /\d{4,}/.test(last) ? 1 : 0],
    ["address date", /\/(?:19|20)\d\d\//.test(path) ? 1 : 0],
    ["address file", /\.(?:html?|php|aspx?)$/.test(last) ? 1 : 0],
    ["address plural", /s(?:\.\w+)?$/.test(last) ? 1 : 0],
  ]
}

function headingSigns({ blocks }: Blocks, chosen: ArrayLike<number>, title: number): Sign[] {
  let [count, linked, stored, words, questions] = [0, 0, 0, 0, 0]
  for (const [at, block] of blocks.entries()) {
    if (block.level < 2) continue
    count++
    words += block.words
    if (isLinked(block)) linked++
    if (chosen[at]) stored++
    if (/^(?:how|what|why|when|\d+[.)]|step)/i.test(block.text)) questions++
  }
  return [
    ["title at", title < 0 ? -1 : share(title, blocks.length)],
    ["title level", title < 0 ? 0 : blocks[title]!.level],
    ["title words", title < 0 ? 0 : blocks[title]!.words],
    ["headings", count],
    ["headings linked", linked],
    ["headings linked share", share(linked, count)],
    ["headings chosen", share(stored, count)],
    ["heading words", share(words, count)],
    ["headings that ask", questions],
  ]
}

function proseSigns({ blocks, root }: Blocks, title: number): Sign[] {
  let [count, words, longest, run, maxRun] = [0, 0, 0, 0, 0]
  let [before, after, linkedAfter, proseAfter] = [0, 0, 0, 0]
  for (const [at, block] of blocks.entries()) {
    const isLong = block.words >= longWords && !isLinked(block)
    if (isLong) {
      count++
      words += block.words
      longest = Math.max(longest, block.words)
      run += block.words
      maxRun = Math.max(maxRun, run)
    } else if (isLinked(block) && (block.words > near || block.level > 0)) run = 0
    if (at < title) before += block.words
    if (at <= title) continue
    after += block.words
    linkedAfter += block.linkWords
    if (isLong) proseAfter += block.words
  }
  return [
    ["paragraphs", count],
    ["paragraph share", share(words, root.words)],
    ["longest paragraph", longest],
    ["run", maxRun],
    ["run share", share(maxRun, root.words)],
    ["words before title", before],
    ["words after title", after],
    ["linked after title", share(linkedAfter, after)],
    ["prose after title", share(proseAfter, after)],
  ]
}

function lineSigns({ blocks, root }: Blocks, title: number): Sign[] {
  const counts = new Float64Array(cues.length)
  const kinds = new Map<string, number>()
  let [dates, datesNear, pricesNear, stops] = [0, 0, 0, 0]
  for (const [at, block] of blocks.entries()) {
    kinds.set(block.node.name, (kinds.get(block.node.name) ?? 0) + 1)
    stops += block.stops
    if (at >= maxLines) continue
    const isNear = title >= 0 && Math.abs(at - title) <= near
    if (isDated(block)) {
      dates++
      if (isNear) datesNear++
    }
    if (isNear && isPriced(block)) pricesNear++
    if (block.text.length >= maxCue || !anyCue.test(block.text)) continue
    for (const [index, [, cue]] of cues.entries()) if (cue.test(block.text)) counts[index]!++
  }
  return [
    ["date lines", dates],
    ["dates near title", datesNear],
    ["prices near title", pricesNear],
    ["stops a word", share(stops, root.words)],
    ["images a block", share(root.images, blocks.length)],
    ...cues.map(([name], index): Sign => [`lines ${name}`, counts[index]!]),
    ...["p", "li", "td", "pre", "button", "a", "div", "span"].map(
      (name): Sign => [`share of ${name}`, share(kinds.get(name) ?? 0, blocks.length)],
    ),
  ]
}

/** The list of the page with the most words: items alike outside of its navigation. */
function listSigns({ blocks, root, nodes }: Blocks): Sign[] {
  const lists = new Map<ElementNode, ElementNode[]>()
  const aside = new Uint8Array(nodes.length)
  for (const node of nodes) {
    const { parent, name } = node
    if (/^(?:nav|header|footer|aside)$/.test(name) || (parent && aside[parent.index])) {
      aside[node.index] = 1
    } else if (parent && node.alike >= minItems && node.words > 1 && name !== "p") {
      const list = lists.get(parent)
      if (list) list.push(node)
      else lists.set(parent, [node])
    }
  }
  const sized = [...lists.values()]
    .filter((list) => list.length >= minItems && list[0]!.blocks > 1)
    .map((items) => ({ items, words: sumOf(items, "words") }))
    .sort((a, b) => b.words - a.words)
  const { items, words } = sized[0] ?? { items: [], words: 0 }
  const second = sized[1]
  const having = (is: (block: Block) => boolean) =>
    share(items.filter((item) => isInItem(blocks, item, is)).length, items.length)
  return [
    ["lists", sized.length],
    ["items", items.length],
    ["item words", share(words, items.length)],
    ["item blocks", share(sumOf(items, "blocks"), items.length)],
    ["items of page", share(words, root.words)],
    ["items priced", having(isPriced)],
    ["items dated", having(isDated)],
    ["items headed", having(({ level }) => level > 0)],
    ["items linked", having(({ links }) => links > 0)],
    ["items pictured", having(({ images }) => images > 0)],
    ["items in links", share(sumOf(items, "linkWords"), words)],
    ["items in prose", share(sumOf(items, "prose"), words)],
    ["second items", second?.items.length ?? 0],
    ["second item words", second ? share(second.words, second.items.length) : 0],
  ]
}

function isInItem(
  blocks: Block[],
  { first, blocks: count }: ElementNode,
  is: (block: Block) => boolean,
): boolean {
  for (let at = first; at < first + count; at++) if (is(blocks[at]!)) return true
  return false
}

const sumOf = (nodes: ElementNode[], of: "words" | "blocks" | "linkWords" | "prose") =>
  nodes.reduce((sum, node) => sum + node[of], 0)
