import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"

/** htmlparser2's tokenizer with the private members that are used here. */
interface Inner extends Pick<Tokenizer, "write" | "end"> {
  buffer: string
  index: number
  stateText(code: number): void
  stateInTagName(code: number): void
  stateInClosingTagName(code: number): void
  stateInAttributeName(code: number): void
  handleInAttributeValue(code: number, quote: number): void
  fastForwardTo(code: number): boolean
}

const HtmlTokenizer = Tokenizer as unknown as new (
  ...parameters: ConstructorParameters<typeof Tokenizer>
) => Inner

const overridden = [
  "stateText",
  "stateInTagName",
  "stateInClosingTagName",
  "stateInAttributeName",
  "handleInAttributeValue",
  "fastForwardTo",
]
for (const name of overridden) {
  if (!(name in Tokenizer.prototype)) throw new Error(`htmlparser2 has no "${name}" any more.`)
}

const lessThan = 0x3c
const ampersand = 0x26

/** Returns whether a sign may end the name of an element or an attribute: white space, `/`, `=` or `>`. */
const endsName = (code: number) => code <= 32 || code === 0x2f || code === 0x3d || code === 0x3e

/**
 * Tokenizes a page that is completely in memory. Instead of reading each letter of a text, a value, a
 * comment or a script like htmlparser2, it searches for the character that ends it.
 */
export class QuickTokenizer extends HtmlTokenizer {
  /** The next position of each sign, by its code. Cached, so that no part is searched for it twice. */
  private readonly positions: number[] = []

  constructor(callbacks: TokenizerCallbacks) {
    super({ xmlMode: false, decodeEntities: true }, callbacks)
  }

  /** May be called once. */
  read(page: string): void {
    this.write(page)
    this.end()
  }

  override stateText(code: number): void {
    if (code === lessThan || code === ampersand) super.stateText(code)
    else this.goBefore(lessThan)
  }

  override stateInTagName(code: number): void {
    if (endsName(code)) super.stateInTagName(code)
    else this.goToEndOfName()
  }

  override stateInClosingTagName(code: number): void {
    if (endsName(code)) super.stateInClosingTagName(code)
    else this.goToEndOfName()
  }

  override stateInAttributeName(code: number): void {
    if (endsName(code)) super.stateInAttributeName(code)
    else this.goToEndOfName()
  }

  /** Moves to the last letter of a name, or of a part of it: a sign that ends other names may be in one. */
  private goToEndOfName(): void {
    const { buffer } = this
    let at = this.index + 1
    while (at < buffer.length && !endsName(buffer.charCodeAt(at))) at++
    this.index = at - 1
  }

  override handleInAttributeValue(code: number, quote: number): void {
    if (code === quote || code === ampersand) super.handleInAttributeValue(code, quote)
    else this.goBefore(quote)
  }

  override fastForwardTo(code: number): boolean {
    const position = this.positionOf(code, this.index + 1)
    const isThere = position < this.buffer.length
    this.index = isThere ? position : position - 1
    return isThere
  }

  /** Moves to the last letter before a sign or an entity; the tokenizer takes the next step. */
  private goBefore(code: number): void {
    const { index } = this
    this.index = Math.min(this.positionOf(code, index), this.positionOf(ampersand, index)) - 1
  }

  /** Returns the next position of a sign, or the page's end if there is none. */
  private positionOf(code: number, from: number): number {
    const known = this.positions[code]
    if (known !== undefined && known >= from) return known
    const position = this.search(code, from)
    this.positions[code] = position
    return position
  }

  private search(code: number, from: number): number {
    const { buffer } = this
    const end = Math.min(buffer.length, from + nearChars)
    for (let at = from; at < end; at++) if (buffer.charCodeAt(at) === code) return at
    const next = end < buffer.length ? buffer.indexOf(String.fromCharCode(code), end) : -1
    return next < 0 ? buffer.length : next
  }
}

/** Most signs are near; a native search takes longer to start. */
const nearChars = 40

const slots = 256

/**
 * The names of one page's elements and attributes, in lower case: thousands of few. One that was read
 * before is not cut out of the page again, so that all of a name are one string.
 */
export class KnownNames {
  /** A cache by length and letters; a new name replaces the one in its slot. */
  private readonly names: string[] = []

  read(page: string, start: number, end: number): string {
    const length = end - start
    const slot =
      (page.charCodeAt(start) * 5 + page.charCodeAt(end - 1) * 11 + length * 37) & (slots - 1)
    const known = this.names[slot]
    if (known !== undefined && known.length === length && page.startsWith(known, start)) {
      return known
    }
    const name = page.slice(start, end).toLowerCase()
    this.names[slot] = name
    return name
  }
}

const maxKnown = 120

/** Texts that a page repeats, such as its classes: equal ones are one string, which has its hash already. */
export class KnownTexts {
  private readonly texts: string[] = []

  read(page: string, start: number, end: number): string {
    const length = end - start
    if (length === 0 || length > maxKnown) return page.slice(start, end)
    const middle = page.charCodeAt(start + (length >> 1))
    const ends = page.charCodeAt(start) * 5 + page.charCodeAt(end - 1) * 11
    const slot = (ends + middle * 17 + length * 37) & (2 * slots - 1)
    const known = this.texts[slot]
    if (known !== undefined && known.length === length && page.startsWith(known, start)) {
      return known
    }
    const text = page.slice(start, end)
    this.texts[slot] = text
    return text
  }
}
