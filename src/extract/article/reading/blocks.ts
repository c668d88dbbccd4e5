import {
  firstChildOf,
  isBlank,
  isBlock,
  isEven,
  isHidden,
  isPermalink,
  nextSiblingOf,
  withoutEnds,
  wordSet,
} from "../../core/index.ts"
import { isDrawnMath, texOfScript } from "../../page/index.ts"
import { isDateLine, statesAge } from "../text/content-lines.ts"
import { type Kind, type Names, noNames, PageNames } from "./names.ts"
import { measureText, newMeasure, type TextMeasure } from "./text-measure.ts"

/** An element as the walk met it, with its descendants' figures and its ancestors. */
export interface ElementNode {
  parent: ElementNode | null
  /** Among all elements of the page. */
  index: number
  name: string
  names: Names
  depth: number
  hidden: boolean
  /** Siblings of the same name and class, itself included. */
  alike: number
  /** The number of its path: elements with the same names and classes along the path share it. */
  path: number
  /** All that follow are sums over the text below. */
  blocks: number
  words: number
  linkWords: number
  /** Words in blocks that read like prose. */
  prose: number
  headings: number
  images: number
  letters: number
  commas: number
  /** Blocks that are a paragraph. */
  paragraphs: number
  /** Main headings. */
  titles: number
  /** The first of its blocks. */
  first: number
}

/** A run of text between two line breaks of the layout, which is chosen or left out as a whole. */
export interface Block extends TextMeasure {
  /** The innermost element around all of it. */
  node: ElementNode
  textNodes: Text[]
  /** White space folded. */
  text: string
  /** The beginning, to the first line break. */
  firstLine: string
  /** Formulas in it, which have no text of their own. */
  formulas: number
  /** Words inside links. */
  linkWords: number
  links: number
  /** The number of images right before it. */
  images: number
  /** 1 to 6 within a heading, else 0. */
  level: number
  /** Whether it is a line with a date; null until it is needed. */
  dated: boolean | null
}

export interface Blocks {
  blocks: Block[]
  root: ElementNode
  /** All elements, each after its ancestors. */
  nodes: ElementNode[]
}

const textNode = 3
const elementNode = 1
/** Never text of a page. */
const skipped = wordSet(`
  script style noscript template svg iframe object embed canvas select textarea datalist audio video
  map head title link meta math
`)
/** Elements that start a run in addition to block elements. */
const alsoBlocks = wordSet("button td th label summary")
const hideable = wordSet("span a i b em strong small sup sub code font")
const proseWords = 12
const proseLinks = 0.35

export const isBoundary = (element: Element) =>
  isBlock(element) || alsoBlocks.has(element.localName)

/** The blocks of a page, in order, by one walk over its tree. */
export function readBlocks(body: Element): Blocks {
  return new Walk(body.ownerDocument).read(body)
}

class Walk {
  private readonly blocks: Block[] = []
  private readonly nodes: ElementNode[] = []
  /** The DOM element of each node until it has a block; names of nodes without blocks are never read. */
  private readonly elements: ({ element: Element; kind: Kind } | null)[] = []
  private readonly names: PageNames
  /** The kinds of the children of the open elements, and how many of each kind their parent has. */
  private readonly kinds: Kind[] = []
  private readonly alike: number[] = []
  private run: Block | null = null
  private links = 0
  private images = 0
  private breaks = 0
  private formulas = 0

  constructor(document: Document) {
    this.names = new PageNames(document)
  }

  read(body: Element): Blocks {
    const root = this.addNode(body, this.names.kindOf(body), null, 1)
    this.children(body, root, false, false)
    this.flush()
    sumUp(this.nodes)
    return { blocks: this.blocks, root, nodes: this.nodes }
  }

  private addNode(
    element: Element,
    kind: Kind,
    parent: ElementNode | null,
    alike: number,
  ): ElementNode {
    const node: ElementNode = {
      parent,
      index: this.nodes.length,
      name: element.localName,
      names: noNames,
      depth: parent ? parent.depth + 1 : 0,
      hidden: false,
      alike,
      path: Math.imul((parent?.path ?? 17) ^ kind.hash, 0x9e3779b1) >>> 0,
      blocks: 0,
      words: 0,
      linkWords: 0,
      prose: 0,
      headings: 0,
      images: 0,
      letters: 0,
      commas: 0,
      paragraphs: 0,
      titles: 0,
      first: this.blocks.length,
    }
    this.nodes.push(node)
    this.elements.push({ element, kind })
    return node
  }

  /** Looks at the elements around a block, the outer ones first. */
  private describe(node: ElementNode): void {
    const known = this.elements[node.index]
    if (!known) return
    const { element, kind } = known
    this.elements[node.index] = null
    const { parent } = node
    if (parent) {
      this.describe(parent)
      node.hidden = parent.hidden || isHidden(element)
    }
    node.names = this.names.of(element, kind)
  }

  private children(parent: Element, node: ElementNode, linked: boolean, pre: boolean): void {
    const { kinds, alike } = this
    const start = kinds.length
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (child.nodeType !== elementNode) continue
      const kind = this.names.kindOf(child as Element)
      kind.count++
      kinds.push(kind)
    }
    for (let at = start; at < kinds.length; at++) alike[at] = kinds[at]!.count
    for (let at = start; at < kinds.length; at++) kinds[at]!.count = 0
    let at = start
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (child.nodeType === textNode) this.text(child as Text, node, linked, pre)
      else if (child.nodeType === elementNode) {
        this.element(child as Element, kinds[at]!, node, linked, pre, alike[at]!)
        at++
      }
    }
    kinds.length = start
  }

  private element(
    element: Element,
    kind: Kind,
    parent: ElementNode,
    linked: boolean,
    pre: boolean,
    alike: number,
  ): void {
    const name = element.localName
    if (name === "br") {
      if (!pre && ++this.breaks > 1) this.flush()
      else if (this.run) this.breakLine(this.run)
      return
    }
    if (name === "math" || texOfScript(element) !== null) this.formulas++
    if (name === "img" || name === "picture") {
      this.images++
      return
    }
    if (skipped.has(name) && !(name === "noscript" && element.querySelector("p"))) return
    if (isPermalink(element) || isDrawnMath(element, kind.className)) return
    const boundary = !pre && isBoundary(element)
    // Hidden words within a line are signs for machines; a hidden block may be a tab or a fold.
    if (!boundary && hideable.has(name) && isHidden(element)) return
    if (boundary) this.flush()
    const node = this.addNode(element, kind, parent, alike)
    if (name === "a") this.links++
    this.children(element, node, linked || name === "a", pre || name === "pre")
    if (boundary) this.flush()
  }

  private text(node: Text, element: ElementNode, linked: boolean, pre: boolean): void {
    const written = node.nodeValue ?? ""
    if (isBlank(written)) {
      this.space(node)
      return
    }
    this.breaks = 0
    let { run } = this
    if (!run) {
      run = {
        ...newMeasure(),
        node: element,
        textNodes: [],
        text: "",
        firstLine: "",
        formulas: 0,
        linkWords: 0,
        links: this.links,
        images: this.images,
        level: 0,
        dated: null,
      }
      this.run = run
    } else run.node = commonNode(run.node, element)
    const before = run.words
    measureText(run, written)
    if (linked) run.linkWords += run.words - before
    if (pre && written.includes("\n")) {
      const end = written.indexOf("\n")
      run.text += written.slice(0, end)
      this.breakLine(run)
      run.text += written.slice(end)
    } else run.text += written
    run.textNodes.push(node)
  }

  private breakLine(run: Block): void {
    run.inWord = false
    if (run.firstLine === "") run.firstLine = run.text
    run.text += " "
  }

  /** Adds a space between words in separate elements. */
  private space(node: Text): void {
    const { run } = this
    if (!run) return
    run.inWord = false
    run.textNodes.push(node)
    run.text += " "
  }

  private flush(): void {
    const { run } = this
    this.breaks = 0
    if (!run) return
    this.run = null
    run.text = folded(run.text)
    run.firstLine = folded(run.firstLine)
    run.formulas = this.formulas
    this.formulas = 0
    run.links = this.links - run.links
    const images = this.images
    this.images = 0
    this.links = 0
    const { node } = run
    this.describe(node)
    if (node.blocks === 0) node.first = this.blocks.length
    node.blocks++
    node.words += run.words
    node.linkWords += run.linkWords
    if (run.words >= proseWords && run.linkWords <= run.words * proseLinks) node.prose += run.words
    run.level = headingLevel(node)
    if (run.level > 0) node.headings++
    if (run.level === 1) node.titles++
    node.images += images
    node.letters += run.letters
    node.commas += run.commas
    if (node.name === "p") node.paragraphs++
    run.images = images
    this.blocks.push(run)
  }
}

/** Adds to the sums of each element those of the elements in it. */
function sumUp(nodes: ElementNode[]): void {
  for (let at = nodes.length - 1; at > 0; at--) {
    const inner = nodes[at]!
    const outer = inner.parent!
    if (inner.blocks === 0) continue
    if (outer.blocks === 0 || inner.first < outer.first) outer.first = inner.first
    outer.blocks += inner.blocks
    outer.words += inner.words
    outer.linkWords += inner.linkWords
    outer.prose += inner.prose
    outer.headings += inner.headings
    outer.images += inner.images
    outer.letters += inner.letters
    outer.commas += inner.commas
    outer.paragraphs += inner.paragraphs
    outer.titles += inner.titles
  }
}

const folded = (text: string) =>
  isEven(text) ? withoutEnds(text) : text.replace(/\s+/g, " ").trim()

function commonNode(a: ElementNode, b: ElementNode): ElementNode {
  let [first, second] = [a, b]
  while (first !== second) {
    if (first.depth >= second.depth) first = first.parent!
    else second = second.parent!
  }
  return first
}

const maxLineChars = 120

/** Returns whether a block is a line with a date and little else. */
export function isDated(block: Block): boolean {
  block.dated ??=
    block.text.length < maxLineChars &&
    (block.digits > 0 || statesAge(block.text)) &&
    isDateLine(block.text)
  return block.dated
}

/** Returns whether a block is a line with a price. */
export const isPriced = ({ text, digits }: Block) =>
  digits > 0 && text.length < maxLineChars && /[$€£¥₹]\s?\d|\d\s?(?:€|zł|kr\b)/.test(text)

/** 1 to 6 within a heading, else 0. */
function headingLevel(node: ElementNode): number {
  for (let at: ElementNode | null = node, level = 0; at && level < 4; at = at.parent, level++) {
    if (at.name.length === 2 && at.name[0] === "h") {
      const digit = at.name.charCodeAt(1) - 48
      if (digit >= 1 && digit <= 6) return digit
    }
  }
  return 0
}
