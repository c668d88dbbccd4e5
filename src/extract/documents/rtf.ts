import { isoDate, textOrNull } from "../core/index.ts"
import {
  type DocumentMetadata,
  escaped,
  factsOf,
  type ReadDocument,
  tableHtml,
  unreadable,
} from "./document-page.ts"

const mostDepth = 500
/** How far in a document its styles stand. */
const longestStylesChars = 500_000

/** Groups that hold no text of the document. */
const unseen = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object themedata
  colorschememapping datastore latentstyles header headerl headerr headerf footer footerl footerr
  footerf xmlnstbl filetbl revtbl template bkmkstart bkmkend annotation mmathPr shpinst
  nonshppict pgptbl doccomm operator company manager category hlinkbase comment`.split(/\s+/),
)

const signs: Record<string, string> = {
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  "~": "\u00a0",
  _: "\u2011",
  emspace: "\u2003",
  enspace: "\u2002",
}

interface State {
  bold: boolean
  italic: boolean
  hidden: boolean
  /** Where text goes: to the document, nowhere, or to a field's instruction or a property. */
  into: "text" | "nowhere" | "instruction" | "marker" | keyof DocumentMetadata
  /** Characters that stand for the same as a Unicode one before them. */
  instead: number
}

/** A Rich Text document: paragraphs, headings by outline level, tables, links, properties. */
export function readRtf(bytes: Uint8Array): ReadDocument {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
  return new RtfReader(source).read()
}

class RtfReader {
  private readonly blocks: string[] = []
  private readonly metadata: DocumentMetadata = {}
  private readonly stack: State[] = []
  private state: State = { bold: false, italic: false, hidden: false, into: "text", instead: 1 }
  private decoder = new TextDecoder("windows-1252")
  private encoded: number[] = []
  private paragraph = ""
  private level = 0
  /** What stands before a point of a list. */
  private marker: string | undefined
  private list = ""
  private readonly styleLevels: Map<string, number>
  private inTable = false
  private cells: string[] = []
  private rows: string[][] = []
  private instruction = ""
  private address: string | undefined
  private addressDepth = 0
  private skip = 0

  constructor(private readonly source: string) {
    const styles = source
      .slice(0, longestStylesChars)
      .matchAll(/\{\\s(\d{1,5})\\[^{};]{0,1000}? (?:heading (\d)|title);/gi)
    this.styleLevels = new Map([...styles].map(([, style, level]) => [style!, Number(level ?? 1)]))
  }

  read(): ReadDocument {
    const tokens =
      /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi
    for (let found = tokens.exec(this.source); found; found = tokens.exec(this.source)) {
      const [, word, number, hex, sign, brace, text] = found
      if (hex !== undefined) {
        if (this.skip > 0) this.skip--
        else this.encoded.push(Number.parseInt(hex, 16))
        continue
      }
      this.flush()
      if (brace === "{") this.open()
      else if (brace === "}") this.close()
      // So many bytes that are no text, whatever signs they look like.
      else if (word === "bin") tokens.lastIndex += Math.max(0, Number(number ?? 0))
      else if (word !== undefined)
        this.control(word, number === undefined ? undefined : Number(number))
      else if (sign === "*")
        this.state.into = this.state.into === "text" ? "nowhere" : this.state.into
      else if (sign !== undefined) this.write(signs[sign] ?? (/[\\{}]/.test(sign) ? sign : ""))
      else if (text !== undefined) this.write(this.unskipped(text))
    }
    this.endParagraph()
    this.endTable()
    this.inList("")
    const facts = factsOf(this.stack.length > 0)
    return { metadata: this.metadata, parts: [this.blocks.join("\n")], facts }
  }

  private open(): void {
    if (this.stack.length >= mostDepth) throw unreadable("The document's groups nest too deep.")
    this.stack.push({ ...this.state })
  }

  private close(): void {
    this.state = this.stack.pop() ?? this.state
    if (this.address !== undefined && this.stack.length < this.addressDepth)
      this.address = undefined
  }

  private unskipped(text: string): string {
    const left = text.slice(this.skip)
    this.skip = Math.max(0, this.skip - text.length)
    return left
  }

  private flush(): void {
    if (this.encoded.length === 0) return
    this.write(this.decoder.decode(Uint8Array.from(this.encoded)))
    this.encoded = []
  }

  private control(word: string, number: number | undefined): void {
    const { state } = this
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
        this.decoder = decoderOf(number)
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
      case "plain":
        Object.assign(state, { bold: false, italic: false, hidden: false })
        break
      case "pard":
        this.level = 0
        this.inTable = false
        break
      case "s":
        this.level = Math.min(6, this.styleLevels.get(String(number)) ?? 0)
        break
      case "listtext":
      case "pntext":
        state.into = "marker"
        this.marker = ""
        break
      case "outlinelevel":
        this.level = Math.min(6, (number ?? 0) + 1)
        break
      case "intbl":
        this.inTable = true
        break
      case "par":
      case "sect":
      case "page":
        this.endParagraph()
        break
      case "line":
        this.write("\n")
        break
      case "cell":
        this.cells.push(this.taken())
        break
      case "row":
        this.rows.push(this.cells)
        this.cells = []
        break
      case "fldinst":
        state.into = "instruction"
        this.instruction = ""
        break
      case "fldrslt":
        state.into = "text"
        this.address = /HYPERLINK\s+"((?:https?|mailto):[^"]{1,4000})"/i.exec(this.instruction)?.[1]
        this.addressDepth = this.stack.length
        this.instruction = ""
        break
      case "yr":
      case "mo":
      case "dy":
        this.dates.push(number ?? 0)
        this.keepDate()
        break
      case "footnote":
        this.write(" ")
        break
      default: {
        const sign = signs[word]
        if (sign !== undefined) this.write(sign)
      }
    }
  }

  private dates: number[] = []

  private keepDate(): void {
    const { into } = this.state
    if (this.dates.length < 3 || (into !== "createdAt" && into !== "modifiedAt")) return
    const [year, month, day] = this.dates.map((part) => String(part).padStart(2, "0"))
    this.metadata[into] = isoDate(`${year}-${month}-${day}`)
    this.dates = []
  }

  private write(text: string): void {
    const { into, bold, italic, hidden } = this.state
    if (text === "" || hidden) return
    if (into === "instruction") this.instruction += text
    else if (into === "marker") this.marker += text
    else if (into === "text") {
      let html = escaped(text).replace(/\n/g, "<br>")
      if (text.trim() !== "") {
        if (italic) html = `<i>${html}</i>`
        if (bold) html = `<b>${html}</b>`
        if (this.address) html = `<a href="${escaped(this.address)}">${html}</a>`
      }
      this.paragraph += html
    } else if (into !== "nowhere") {
      this.metadata[into] = textOrNull(`${this.metadata[into] ?? ""}${text}`)
    }
  }

  private taken(): string {
    const html = this.paragraph.trim().replace(/<\/(b|i)>(\s*)<\1>/g, "$2")
    this.paragraph = ""
    return html
  }

  private endParagraph(): void {
    if (this.inTable) {
      if (this.paragraph !== "") this.paragraph += "<br>"
      return
    }
    this.endTable()
    const html = this.taken()
    if (html === "") return
    const list = this.level === 0 && this.marker !== undefined ? listOf(this.marker) : ""
    this.marker = undefined
    this.inList(list)
    if (list !== "") this.blocks.push(`<li>${html}</li>`)
    else if (this.level > 0) {
      const plain = html.replace(/<\/?b>/g, "")
      this.blocks.push(`<h${this.level}>${plain}</h${this.level}>`)
    } else this.blocks.push(`<p>${html}</p>`)
  }

  /** Ends the list before, and begins the one that is wanted. */
  private inList(wanted: string): void {
    if (wanted === this.list) return
    if (this.list !== "") this.blocks.push(`</${this.list}>`)
    if (wanted !== "") this.blocks.push(`<${wanted}>`)
    this.list = wanted
  }

  private endTable(): void {
    if (this.rows.length === 0) return
    this.inList("")
    this.blocks.push(
      tableHtml(this.rows.map((row) => row.map((cell) => cell.replace(/(?:<br>)+$/, "")))) ?? "",
    )
    this.rows = []
  }
}

const properties: Record<string, keyof DocumentMetadata> = {
  title: "title",
  author: "author",
  subject: "description",
  keywords: "keywords",
  creatim: "createdAt",
  revtim: "modifiedAt",
}

const listOf = (marker: string) => (/\d/.test(marker) ? "ol" : "ul")

const encodings: Record<number, string> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
}

function decoderOf(page: number | undefined): TextDecoder {
  try {
    return new TextDecoder(encodings[page ?? 1252] ?? `windows-${page}`)
  } catch {
    return new TextDecoder("windows-1252")
  }
}
