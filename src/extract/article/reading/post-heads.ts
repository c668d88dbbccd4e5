import { wordSet } from "../../core/index.ts"
import { wordsOfName } from "../../page/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { day, type Head, statedTimes } from "./post-times.ts"

/** Names of elements that hold who wrote a post, the surest first, or when. */
const authorNames = [
  wordSet("username :author user-name postername nickname"),
  wordSet("author creator poster"),
  wordSet("user-details post-user person-listing"),
]
const timeNames = [
  wordSet("<time :datepublished :datecreated"),
  wordSet("time date datetime posted timestamp postdate created"),
]
const otherNames = wordSet(
  "title usertitle user-title :jobtitle rank role badge banner extras avatar signature location stats <dd",
)
/** Maximum number of levels around a block whose names are searched. */
const depth = 3
const maxNameWords = 6
const maxName = 50
const maxLine = 90
/** Minimum share of the parts between two heads that have chosen text. */
const filledShare = 0.7
const date =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\bago\b|\b(?:yesterday|today)\b|\b\d{1,2}:\d\d\b|'\d\d\b/i
/** Names about the author rather than the post, and names of buttons. */
const other =
  /^(?:joined|join date|registered|member since|location|messages|posts|reactions|original poster|guest|reply|quote|report|share|wrote|(?:last )?edited|modified)\b/i

/**
 * Adds the author and time of each post to the chosen blocks of a thread: blocks that occur once for
 * each post, with chosen text between them. Returns the times that only attributes in the body state, by
 * element.
 */
export function choosePostHeads(
  page: Blocks,
  chosen: Uint8Array,
  body?: Element,
): Map<Element, string> {
  const { blocks } = page
  const before = textBefore(chosen)
  const authors = firstGroup(blocks, isAuthor, authorNames, before)
  const times = firstGroup(blocks, isTime, timeNames, before)
  for (const { from } of [...authors, ...times]) chosen[from] = 1
  if (!body || times.some(({ from }) => day.test(blocks[from]!.text))) return new Map()
  const stated = bestGroup(
    statedTimes(body, page, (text) => !other.test(text)),
    before,
  )
  return new Map(stated.map(({ element, time }) => [element, time]))
}

/** A name, or a line with a name and a day. */
const isAuthor = ({ text, words }: Block) =>
  (words <= maxNameWords ? text.length <= maxName && /\p{L}/u.test(text) : isDated(text)) &&
  !other.test(text)

const isTime = ({ text }: Block) => isDated(text) && !other.test(text)
const isDated = (text: string) => text.length <= maxLine && date.test(text)

/** The best by the surest names that have one. */
function firstGroup(
  blocks: Block[],
  isOne: (block: Block) => boolean,
  names: readonly ReadonlySet<string>[],
  before: Uint32Array,
): Head[] {
  for (const some of names) {
    const group = bestGroup(groupsOf(blocks, isOne, some), before)
    if (group.length > 0) return group
  }
  return []
}

/** Groups blocks by the name that identifies their kind, and by their depth in the page. */
function groupsOf(
  blocks: Block[],
  isOne: (block: Block) => boolean,
  names: ReadonlySet<string>,
): Head[][] {
  const groups = new Map<string, Head[]>()
  for (const [at, block] of blocks.entries()) {
    if (!isOne(block)) continue
    const key = keyOf(block.node, names) ?? keyWithin(block, names)
    if (key === null) continue
    const group = groups.get(key)
    const head = { from: at, to: at + 1 }
    if (group) group.push(head)
    else groups.set(key, [head])
  }
  return [...groups.values()]
}

/** Returns the name of the outermost element around a block that has one of the names. */
function keyOf(node: ElementNode, names: ReadonlySet<string>): string | null {
  let key: string | null = null
  let around: ElementNode | null = node
  for (let level = 0; around && level < depth; level++) {
    if (around.names.words.some((word) => otherNames.has(word))) return null
    const name = around.names.words.find((word) => names.has(word))
    if (name) key = `${name} ${around.depth}`
    around = around.parent
  }
  return key
}

/** Maximum number of a block's texts that are searched for the name of their container. */
const maxTexts = 6

/** Returns the name of an element within the line, usually a link. */
function keyWithin({ textNodes: nodes, node }: Block, names: ReadonlySet<string>): string | null {
  for (const { parentElement, data } of nodes.slice(0, maxTexts)) {
    if (other.test(data.trim())) continue
    const words = wordsOfName(parentElement?.className ?? "")
    const name = words.find((word, at) => names.has(word) || names.has(`${words[at - 1]}-${word}`))
    if (name) return `${name} in ${node.depth}`
  }
  return null
}

/** Returns the number of chosen blocks before each block. */
function textBefore(chosen: Uint8Array): Uint32Array {
  const before = new Uint32Array(chosen.length + 1)
  for (let at = 0; at < chosen.length; at++) before[at + 1] = before[at]! + chosen[at]!
  return before
}

/** The largest group of heads with chosen text between one and the next. */
function bestGroup<One extends Head>(groups: One[][], before: Uint32Array): One[] {
  let best: One[] = []
  for (const group of groups) {
    if (group.length < 2) continue
    const isFilled = (from: number, to: number) => before[to]! > before[from]!
    // Heads are above their posts, or below.
    const above = group.filter(({ to }, index) =>
      isFilled(to, group[index + 1]?.from ?? before.length - 1),
    )
    const below = group.filter(({ from }, index) => isFilled(group[index - 1]?.to ?? 0, from))
    const filled = above.length >= below.length ? above : below
    if (filled.length >= group.length * filledShare && filled.length > best.length) best = filled
  }
  return best
}
