import { isoDate, textOrNull } from "../core/index.ts"
import { Notes } from "./notes.ts"
import {
  type DocumentMetadata,
  escaped,
  factsOf,
  type ReadDocument,
  unreadable,
} from "./pages/document-page.ts"
import { RtfBlocks } from "./rtf-blocks.ts"
import { rtfMath } from "./rtf-math.ts"
import {
  decoderOf,
  levelsOfStyles,
  markersOfLists,
  pagesOfFonts,
  properties,
  signs,
  unseen,
} from "./rtf-words.ts"

const maxDepth = 500
/** Maximum bytes before the document, such as a byte order mark. */
const maxBefore = 1024
const macPage = 10_000

interface State {
  bold: boolean
  italic: boolean
  /** Whether the text is hidden. */
  hidden: boolean
  deleted: boolean
  /**
   * The destination of text: the document, nowhere, a field's instruction, a list marker or a
   * property.
   */
  into: "text" | "nowhere" | "instruction" | "marker" | keyof DocumentMetadata
  /** Number of characters after a Unicode character that repeat it for older programs. */
  instead: number
  decoder: TextDecoder
}

/** A group with its own paragraphs: a note or a text box. */
interface Inset {
  kind: "note" | "box"
  around: RtfBlocks
  depth: number
}

/** Reads a Rich Text document: paragraphs, headings, lists, tables, links, notes and properties. */
export function readRtf(bytes: Uint8Array): ReadDocument {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  const start = source.slice(0, maxBefore).indexOf("{\\rtf")
  if (start < 0) throw unreadable("The document is not Rich Text: it does not start with {\\rtf.")
  return new RtfReader(source.slice(start)).read()
}

class RtfReader {
  private blocks = new RtfBlocks()
  private readonly notes = new Notes()
  private readonly insets: Inset[] = []
  private readonly metadata: DocumentMetadata = {}
  private readonly stack: State[] = []
  private state: State = {
    bold: false,
    italic: false,
    hidden: false,
    deleted: false,
    into: "text",
    instead: 1,
    decoder: decoderOf(undefined),
  }
  private usualDecoder = this.state.decoder
  private encoded: number[] = []
  private readonly styleLevels: Map<number, number>
  private readonly fontPages: Map<number, number>
  private readonly listMarkers: ReturnType<typeof markersOfLists>
  private instruction = ""
  private address: string | undefined
  private addressDepth = 0
  private skip = 0
  private hasImages = false
  private dates: number[] = []

  constructor(private readonly source: string) {
    this.styleLevels = levelsOfStyles(source)
    this.fontPages = pagesOfFonts(source)
    this.listMarkers = markersOfLists(source)
  }

  read(): ReadDocument {
    const tokens =
      /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi
    let isOpened = false
    for (let match = tokens.exec(this.source); match; match = tokens.exec(this.source)) {
      const [, word, number, hex, sign, brace, text] = match
      const wasOpened = isOpened
      isOpened = brace === "{"
      if (hex !== undefined) {
        if (this.skip > 0) this.skip--
        else this.encoded.push(Number.parseInt(hex, 16))
        continue
      }
      this.flush()
      if (brace === "{") this.open()
      else if (brace === "}") this.close()
      // This number of bytes is binary data, even if the data looks like control words.
      else if (word === "bin") tokens.lastIndex += Math.max(0, Number(number ?? 0))
      else if (word === "moMath") tokens.lastIndex = this.math(tokens.lastIndex)
      else if (word !== undefined)
        this.control(word, number === undefined ? undefined : Number(number))
      else if (sign !== undefined) this.sign(sign, wasOpened)
      else if (text !== undefined) this.write(this.unskipped(text))
    }
    this.flush()
    const isCut = this.stack.length > 0
    while (this.insets.length > 0) this.endInset()
    return {
      metadata: this.metadata,
      parts: [this.blocks.html() + this.notes.list()],
      hasImages: this.hasImages,
      facts: factsOf(isCut),
    }
  }

  /**
   * Handles a sign. `\*` at the start of a group lets readers skip an unknown group; elsewhere it
   * has no meaning.
   */
  private sign(sign: string, isFirst: boolean): void {
    if (sign === "\n" || sign === "\r") this.endParagraph()
    else if (sign === "*") {
      if (isFirst && this.state.into === "text") this.state.into = "nowhere"
    } else this.write(signs[sign] ?? (/[\\{}]/.test(sign) ? sign : ""))
  }

  private open(): void {
    if (this.stack.length >= maxDepth)
      throw unreadable("The document's groups are nested too deeply.")
    this.stack.push({ ...this.state })
  }

  private close(): void {
    const inset = this.insets.at(-1)
    if (inset && this.stack.length <= inset.depth) this.endInset()
    this.state = this.stack.pop() ?? this.state
    if (this.address !== undefined && this.stack.length < this.addressDepth)
      this.address = undefined
  }

  /** Begins a note or a text box, unless the group around it is left out. */
  private beginInset(kind: Inset["kind"]): void {
    const around = kind === "note" ? this.stack.at(-1)?.into : "text"
    if (around !== "text") return
    this.state.into = "text"
    this.insets.push({ kind, around: this.blocks, depth: this.stack.length })
    this.blocks = new RtfBlocks()
  }

  private endInset(): void {
    const { kind, around } = this.insets.pop()!
    const html = this.blocks.html()
    this.blocks = around
    if (kind === "box") around.addAside(html)
    else if (html !== "") around.text += this.notes.add(html)
  }

  /** Reads an equation, unless the group around it is left out. Returns the position of its end. */
  private math(start: number): number {
    const { html, end } = rtfMath(this.source, start)
    if (this.stack.at(-1)?.into === "text") this.blocks.text += html
    return end
  }

  private unskipped(text: string): string {
    const left = text.slice(this.skip)
    this.skip = Math.max(0, this.skip - text.length)
    return left
  }

  private flush(): void {
    if (this.encoded.length === 0) return
    this.write(this.state.decoder.decode(Uint8Array.from(this.encoded)))
    this.encoded = []
  }

  private control(word: string, number: number | undefined): void {
    const { state, blocks } = this
    if (word === "pict") this.hasImages = true
    if (unseen.has(word)) {
      state.into = "nowhere"
      return
    }
    const property = properties[word]
    if (property) {
      state.into = property
      return
    }
    switch (word) {
      case "ansicpg":
      case "mac":
        this.usualDecoder = decoderOf(word === "mac" ? macPage : number)
        state.decoder = this.usualDecoder
        break
      case "f":
        this.useFont(number ?? 0)
        break
      case "uc":
        state.instead = number ?? 1
        break
      case "u":
        if (number === undefined) break
        this.write(String.fromCharCode(number < 0 ? number + 65536 : number))
        this.skip = state.instead
        break
      case "b":
        state.bold = number !== 0
        break
      case "i":
        state.italic = number !== 0
        break
      case "v":
        state.hidden = number !== 0
        break
      case "deleted":
        state.deleted = number !== 0
        break
      case "plain":
        Object.assign(state, { bold: false, italic: false, hidden: false, deleted: false })
        state.decoder = this.usualDecoder
        break
      case "pard":
        Object.assign(blocks, { level: 0, depth: 0, inTable: false, markers: [] })
        break
      case "s":
        blocks.level = Math.min(6, this.styleLevels.get(number ?? 0) ?? 0)
        break
      case "ls":
        if (state.into === "text") blocks.markers = this.listMarkers.get(number ?? 0) ?? []
        break
      case "pnlvlblt":
      case "pnlvlbody":
        if (this.stack.at(-1)?.into === "text") blocks.markers = [word === "pnlvlblt" ? "•" : "1."]
        break
      case "ilvl":
        blocks.depth = Math.max(0, number ?? 0)
        break
      case "listtext":
      case "pntext":
        if (state.into !== "text") break
        state.into = "marker"
        blocks.marker = ""
        break
      case "outlinelevel":
        blocks.level = Math.min(6, (number ?? 0) + 1)
        break
      case "intbl":
        blocks.inTable = true
        break
      case "par":
      case "sect":
      case "page":
        this.endParagraph()
        break
      case "line":
      case "nestcell":
        this.write("\n")
        break
      case "cell":
        if (state.into === "text") blocks.endCell()
        break
      case "row":
        blocks.endRow()
        break
      case "fldinst":
        state.into = "instruction"
        this.instruction = ""
        break
      case "fldrslt":
        this.beginResult()
        break
      case "yr":
      case "mo":
      case "dy":
        this.dates.push(number ?? 0)
        this.keepDate()
        break
      case "moMathPara":
        state.into = this.stack.at(-1)?.into ?? "text"
        break
      case "footnote":
        this.beginInset("note")
        break
      case "shptxt":
        this.beginInset("box")
        break
      default: {
        const sign = signs[word]
        if (sign !== undefined) this.write(sign)
      }
    }
  }

  private endParagraph(): void {
    if (this.state.into === "text") this.blocks.endParagraph()
  }

  private useFont(font: number): void {
    const page = this.fontPages.get(font)
    this.state.decoder = page === undefined ? this.usualDecoder : decoderOf(page)
  }

  private beginResult(): void {
    if (this.state.into !== "text") return
    this.address = /HYPERLINK\s+"((?:https?|mailto):[^"]{1,4000})"/i.exec(this.instruction)?.[1]
    this.addressDepth = this.stack.length
    this.instruction = ""
  }

  private keepDate(): void {
    const { into } = this.state
    if (this.dates.length < 3 || (into !== "createdAt" && into !== "modifiedAt")) return
    const [year, month, day] = this.dates.map((part) => String(part).padStart(2, "0"))
    this.metadata[into] = isoDate(`${year}-${month}-${day}`)
    this.dates = []
  }

  private write(text: string): void {
    const { into, bold, italic, hidden, deleted } = this.state
    if (text === "" || hidden || deleted) return
    if (into === "instruction") this.instruction += text
    else if (into === "marker") this.blocks.marker += text
    else if (into === "text") {
      let html = escaped(text).replace(/\n/g, "<br>")
      if (text.trim() !== "") {
        if (italic) html = `<i>${html}</i>`
        if (bold) html = `<b>${html}</b>`
        if (this.address) html = `<a href="${escaped(this.address)}">${html}</a>`
      }
      this.blocks.text += html
    } else if (into !== "nowhere") {
      this.metadata[into] = textOrNull(`${this.metadata[into] ?? ""}${text}`)
    }
  }
}
