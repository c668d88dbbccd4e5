import { absoluteUrl, foldSpace, isBlock, isUnseen } from "../core/index.ts"
import { imageUrlOf, nameWords, wordsOfName } from "../page/index.ts"
import { labelsOfIcon } from "./icons.ts"

/** A part of the visible text, from one character to another. */
export interface Span {
  from: number
  to: number
}

interface Placed extends Span {
  value: string
}

/** An image, with the words of its description and its file's name. */
export interface Picture extends Placed {
  about: string
  /** Not an icon, a logo, a portrait of the author or a placeholder. */
  isContent: boolean
}

export interface Cell extends Span {
  kind: string
  row: Element | null
  outside: boolean
}

export interface Heading extends Span {
  level: number
}

/** An element that contains only a label and its value. */
export interface Couple {
  label: Span
  value: Span
  outside: boolean
  /** The label stands out from the rest of the same line. */
  leads: boolean
}

/** An icon that labels the text after it. */
interface Icon {
  at: number
  labels: readonly string[]
  outside: boolean
}

/** A number that can be changed, as for how many a recipe is to be. */
interface Adjustable {
  value: string
  words: readonly string[]
}

interface Named extends Span {
  words: readonly string[]
  outside: boolean
}

/** Returns whether an element is a form label or a button; labels of check boxes are content. */
const isOfForm = (element: Element) =>
  element.localName === "button" ||
  (element.localName === "label" && element.hasAttribute("for") && !isTicked(element))

const isTicked = (label: Element) =>
  [label.previousElementSibling, label.nextElementSibling, label.firstElementChild].some(
    (one) => one?.localName === "input" && one.getAttribute("type") === "checkbox",
  )

const isBold = (element: Element) =>
  element.childElementCount === 1 && /^(?:b|strong)$/.test(element.firstElementChild!.localName)

/** The parts of an element. */
interface Parts {
  span: Span
  children: Span[]
  /** The number of its own non-empty texts. */
  own: number
  /** It begins with an inline element. */
  leads: boolean
}

const inline = new Set(["b", "strong", "span", "label", "em", "i", "small", "th", "dt"])
const iconTags = new Set(["i", "span", "svg", "em", "b"])
const frame = new Set(["nav", "footer", "aside"])
/** Addresses of drawings, placeholders, and scripts' values that are not addresses. */
const noContent = /^data:|\.svg(?:[?#]|$)|\/(?:false|true|null|undefined|none)?$|gravatar/i
const ofFrame = new Set(
  `avatar avatars logo logos icon icons author authors byline profile profilepic headshot sprite spacer
  placeholder pixel badge flag emoji leer blank loading spinner share social payment`.split(/\s+/),
)
/** In pixels: sides of smaller images are icons and portraits. */
const smallest = 100
const sizeOf = (written: string | null) =>
  /^\d{1,5}(?:px)?$/.test(written ?? "") ? Number.parseInt(written!, 10) : Number.POSITIVE_INFINITY

const maxLabel = 60
const maxAdjustable = 50
/** Classes of one element. */
const maxNames = 20

/**
 * The visible content of an element, read in one walk: its text, a line for each block, and the positions
 * of links, images, times, headings, cells and named elements.
 */
export class Visible {
  text = ""
  readonly links: Placed[] = []
  readonly images: Picture[] = []
  /** Pictures behind the content of elements. */
  readonly backgrounds: Placed[] = []
  /** Pictures that buttons for sharing on Pinterest name. */
  readonly pinned: string[] = []
  readonly times: Placed[] = []
  readonly headings: Heading[] = []
  /** Lines that are bold as a whole: headings without heading elements. */
  readonly bold: Span[] = []
  /** Entries of lists. */
  readonly items: Span[] = []
  readonly cells: Cell[] = []
  readonly couples: Couple[] = []
  readonly named: Named[] = []
  readonly icons: Icon[] = []
  readonly adjustable: Adjustable[] = []
  /** The starts of the page's frame: its menus, its footer. */
  readonly frames: number[] = []
  readonly spans = new Map<Element, Span>()
  private pieces: string[] = []
  private length = 0

  constructor(
    root: Element,
    private readonly base: string,
  ) {
    this.visit(root, false)
    this.text = this.pieces.join("")
    this.pieces = []
  }

  /** Returns the text of a span on one line; null if it is empty. */
  line({ from, to }: Span, max = 20_000): string | null {
    return foldSpace(this.text.slice(from, Math.min(to, from + max))) || null
  }

  /** Returns its non-empty lines. */
  lines({ from, to }: Span, max: number): string[] {
    const lines: string[] = []
    for (const line of this.text.slice(from, Math.min(to, from + 50_000)).split("\n", max * 4)) {
      const folded = foldSpace(line)
      if (folded !== "" && lines.length < max) lines.push(folded)
    }
    return lines
  }

  private visit(element: Element, outside: boolean): void {
    if (iconTags.has(element.localName)) this.icon(element, outside)
    else if (element.localName === "input") this.adjust(element)
    if (isUnseen(element) || isOfForm(element)) return
    const { localName } = element
    const block = isBlock(element)
    if (block || localName === "br") this.add("\n")
    const from = this.length
    const isOutside = outside || frame.has(localName)
    if (isOutside && !outside) this.frames.push(from)
    const children: Span[] = []
    let own = 0
    let leads = false
    for (let child = element.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === 3) own += this.addText(child.nodeValue ?? "")
      if (child.nodeType !== 1) continue
      const start = this.length
      this.visit(child as Element, isOutside)
      if (children.length === 3 || this.length === start) continue
      if (children.length === 0) leads = own === 0 && inline.has((child as Element).localName)
      children.push({ from: start, to: this.length })
    }
    const span = { from, to: this.length }
    this.note(element, span, isOutside)
    this.couple(element, { span, children, own, leads }, isOutside)
    if (block) this.add("\n")
  }

  /** Icons have no text; those for the eyes alone are hidden from readers of screens. */
  private icon(element: Element, outside: boolean): void {
    if (element.localName !== "svg" && element.firstChild !== null) return
    const labels = labelsOfIcon(nameWords(element))
    if (labels) this.icons.push({ at: this.length, labels, outside })
  }

  private adjust(element: Element): void {
    const value = element.getAttribute("value") ?? ""
    if (!/^\d{1,3}$/.test(value) || this.adjustable.length === maxAdjustable) return
    const named = ["name", "aria-label"].flatMap((name) =>
      wordsOfName(element.getAttribute(name) ?? ""),
    )
    const own = [element, ...(element.parentElement ? [element.parentElement] : [])]
    this.adjustable.push({ value, words: [...named, ...own.flatMap(nameWords).flat()] })
  }

  private note(element: Element, span: Span, outside: boolean): void {
    const { localName } = element
    this.spans.set(element, span)
    if (localName === "a") this.place(this.links, span, element.getAttribute("href"))
    else if (localName === "time") this.place(this.times, span, element.getAttribute("datetime"))
    else if (localName === "li") this.items.push(span)
    else if (/^(?:amp-)?img$/.test(localName) && !outside) this.image(element, span)
    else if (/^h[1-6]$/.test(localName)) {
      this.headings.push({ ...span, level: Number(localName[1]) })
    } else if (/^(?:d[td]|t[dh])$/.test(localName)) {
      this.cells.push({ ...span, kind: localName, row: element.parentElement, outside })
    }
    if (!outside) this.background(element, span)
    for (const words of nameWords(element).slice(0, maxNames)) {
      if (words.length > 0 && words.length <= 5) this.named.push({ ...span, words, outside })
    }
  }

  private image(element: Element, span: Span): void {
    // The whole picture, of which the page shows a smaller copy.
    const pinned = absoluteUrl(element.getAttribute("data-pin-media") ?? "", this.base)
    const value = pinned || imageUrlOf(element, this.base)
    if (value === null || value === "") return
    const file = /([^/?#]*)(?:[?#].*)?$/.exec(value)?.[1] ?? ""
    const about = `${element.getAttribute("alt") ?? ""} ${file.replace(/[^\p{L}\p{N}]+/gu, " ")}`
    const around = [element, element.parentElement, element.parentElement?.parentElement]
    const words = around.flatMap((one) => (one ? nameWords(one).flat() : []))
    const size = Math.min(...["width", "height"].map((name) => sizeOf(element.getAttribute(name))))
    const isContent =
      size >= smallest &&
      !noContent.test(value) &&
      ![...words, ...wordsOfName(about)].some((word) => ofFrame.has(word))
    this.images.push({ ...span, value, about, isContent })
  }

  private background(element: Element, span: Span): void {
    const style = element.getAttribute("style") ?? ""
    const [, , written] =
      /background(?:-image)?\s*:[^;]{0,200}?url\(\s*(["']?)([^"'()]{1,2000})\1\s*\)/i.exec(style) ??
      []
    const value = written ? absoluteUrl(written.trim(), this.base) : null
    if (value && !noContent.test(value)) this.place(this.backgrounds, span, value)
    const media = element.getAttribute("data-media")
    if (media && nameWords(element).flat().includes("pinterest")) {
      const picture = absoluteUrl(media, this.base)
      if (picture) this.pinned.push(picture)
    }
  }

  private place(list: Placed[], span: Span, value: string | null): void {
    if (value !== null && value !== "") list.push({ ...span, value })
  }

  private couple(element: Element, parts: Parts, outside: boolean): void {
    const { span, children, own, leads } = parts
    const [first, second] = children
    if (first && own === 0 && element.localName === "p" && isBold(element) && !outside) {
      this.bold.push(first)
    }
    if (!first || first.to - first.from > maxLabel * 2) return
    if (second && children.length === 2 && own === 0 && element.childElementCount === 2) {
      this.couples.push({ label: first, value: second, outside, leads: false })
    } else if (leads && own > 0) {
      const value = { from: first.to, to: span.to }
      this.couples.push({ label: first, value, outside, leads: true })
    }
  }

  private add(text: string): void {
    this.pieces.push(text)
    this.length += text.length
  }

  /** Returns whether the text has anything other than white space and colons. */
  private addText(text: string): number {
    this.add(/[\n\t\r]/.test(text) ? text.replace(/\s+/g, " ") : text)
    return /[^\s:：]/.test(text) ? 1 : 0
  }
}
