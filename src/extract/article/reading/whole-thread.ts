import type { Block, Blocks, ElementNode } from "./blocks.ts"

/** Minimum number of posts of a thread, most of which have a time. */
const fewestPosts = 2
const datedShare = 0.6
const maxLineChars = 90
/** A part is taken from all posts if the model took it from this share of the posts that it chose from. */
const minShare = 0.9
const proseWords = 8
const linkedShare = 0.35
const dated =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\bago\b|\b(?:yesterday|today)\b|\b\d{1,2}:\d\d\b|'\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i

/**
 * Adds to the chosen blocks of a thread the same parts of its other posts: the model trusts the first
 * posts most, but readers come for all of them.
 */
export function chooseWholeThread(page: Blocks, chosen: Uint8Array, labels: Uint8Array): void {
  const { blocks } = page
  const posts = new Set(postsOf(page))
  if (posts.size === 0) return
  const positions = blocks.map(({ node }) => positionInPost(posts, node))
  const started = new Set(
    positions.map((position, at) =>
      chosen[at] && isProse(blocks[at]!) ? position?.post : undefined,
    ),
  )
  const parts = new Map<number, { words: number; chosen: number }>()
  for (const [at, { words }] of blocks.entries()) {
    const position = positions[at]
    if (!position || !started.has(position.post)) continue
    const part = parts.get(position.part) ?? { words: 0, chosen: 0 }
    part.words += words
    if (chosen[at]) part.chosen += words
    parts.set(position.part, part)
  }
  for (const [at, position] of positions.entries()) {
    const part = position && parts.get(position.part)
    if (part && !labels[at] && part.chosen > 0 && part.chosen >= part.words * minShare) {
      chosen[at] = 1
    }
  }
}

const isProse = ({ words, linkWords }: Block) =>
  words >= proseWords && linkWords <= words * linkedShare

/** The elements of one path that have the most prose, and most of which have a line with a date. */
function postsOf({ blocks, nodes }: Blocks): ElementNode[] {
  const hasDate = new Uint8Array(nodes.length)
  for (const { text, node } of blocks) {
    if (text.length > maxLineChars || !dated.test(text)) continue
    for (let at: ElementNode | null = node; at && !hasDate[at.index]; at = at.parent) {
      hasDate[at.index] = 1
    }
  }
  const groups = new Map<number, ElementNode[]>()
  for (const node of nodes) {
    if (node.parent === null || node.prose === 0 || node.hidden) continue
    const group = groups.get(node.path)
    if (group) group.push(node)
    else groups.set(node.path, [node])
  }
  let [best, max]: [ElementNode[], number] = [[], 0]
  for (const group of groups.values()) {
    if (group.length < fewestPosts) continue
    if (group.filter(({ index }) => hasDate[index]).length < group.length * datedShare) continue
    const prose = group.reduce((sum, node) => sum + node.prose, 0)
    const score = prose * (1 + Math.log(group.length))
    if (score > max) [best, max] = [group, score]
  }
  if (best.length === 0) return []
  // Every other post may have a class of its own, and so may the first.
  const holders = new Set(best.map(({ parent }) => parent))
  const alike = nodes.filter(({ parent, name }) => name === best[0]!.name && holders.has(parent))
  // A short post has no prose: its class shows that it is one.
  const paths = new Set(alike.filter(({ prose }) => prose > 0).map(({ path }) => path))
  const posts = alike.filter(({ path }) => paths.has(path))
  return [...posts, ...repliesIn(nodes, posts, holders)]
}

/** Posts in posts, as answers to them: elements in the thread that have all the names that its posts share. */
function repliesIn(
  nodes: readonly ElementNode[],
  posts: readonly ElementNode[],
  holders: ReadonlySet<ElementNode | null>,
): ElementNode[] {
  const [first] = posts
  const shared = (first?.names.words ?? []).filter((word) =>
    posts.every(({ names }) => names.words.includes(word)),
  )
  // An element without a name of its own may be anything.
  if (!shared.some((word) => /^[a-z]/.test(word))) return []
  const known = new Set(posts)
  return nodes.filter(
    (node) =>
      node.name === first!.name &&
      !known.has(node) &&
      shared.every((word) => node.names.words.includes(word)) &&
      isWithin(node, holders),
  )
}

function isWithin(node: ElementNode, holders: ReadonlySet<ElementNode | null>): boolean {
  for (let at = node.parent; at; at = at.parent) if (holders.has(at)) return true
  return false
}

/** The post that an element is in, and which part of it: the elements from the post inwards, by their classes. */
function positionInPost(
  posts: ReadonlySet<ElementNode>,
  node: ElementNode,
): { post: ElementNode; part: number } | undefined {
  let part = 17
  for (let at: ElementNode | null = node; at; at = at.parent) {
    if (posts.has(at)) return { post: at, part }
    part = Math.imul(part ^ at.names.hash, 0x9e3779b1) >>> 0
  }
  return undefined
}
