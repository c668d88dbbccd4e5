const textSpace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

/** Elements that mammoth drops with their content. */
const tag =
  /<(\/?)(?:[\w-]{1,20}:)?(fldSimple|dir|bdo|ruby|rubyPr|rt|rubyBase|AlternateContent|Choice|Fallback|drawing|pict|txbxContent)(?=[\s/>])(?:"[^"<]*"|'[^'<]*'|[^"'<>])*>/g
const isConcerned =
  /fldSimple|AlternateContent|txbxContent|textpath|[:<](?:chart|relIds|ruby|dir|bdo|ptab|cr|blip)\b/
/** Elements that are replaced by their content. */
const transparent = new Set(["fldSimple", "dir", "bdo", "ruby", "rubyBase"])
const visibleText = /<(?:[\w-]{1,20}:)?(?:t|txbxContent)[\s>]/
const maxDepth = 100

/** An element whose content is collected before it is written, or left out. */
interface Open {
  name: string
  start: number
  pieces: string[]
  /** Texts of a drawing's text boxes. */
  boxes: string[]
  choice?: string
  fallback?: string
}

export const textRun = (escapedText: string) => `<r xmlns="${textSpace}"><t>${escapedText}</t></r>`
const boxOf = (run: string) => `<txbxContent xmlns="${textSpace}"><p>${run}</p></txbxContent>`

/**
 * Returns a part of a Word document with all of its text in elements that mammoth reads: results of
 * simple fields, text boxes of drawings, ruby texts. `runOf` returns the run for a drawing's other
 * content, or "". Malformed XML is returned unchanged.
 */
export function withReadableContent(xml: string, runOf: (drawing: string) => string): string {
  if (!isConcerned.test(xml)) return xml
  return new ContentRewriter(xml, runOf).rewritten() ?? xml
}

class ContentRewriter {
  private readonly stack: Open[] = [open("", 0)]
  /** The pronunciation that is written before its text. */
  private reading = ""

  constructor(
    private readonly xml: string,
    private readonly runOf: (drawing: string) => string,
  ) {}

  rewritten(): string | undefined {
    let from = 0
    for (const { 0: whole, 1: slash, 2: name, index } of this.xml.matchAll(tag)) {
      this.write(this.xml.slice(from, index))
      from = index + whole.length
      const isWhole =
        slash === "/"
          ? this.close(name!, whole, from)
          : whole.endsWith("/>") || this.open(name!, whole, index)
      if (!isWhole) return undefined
    }
    this.write(this.xml.slice(from))
    if (this.stack.length > 1) return undefined
    return this.top.pieces
      .join("")
      .replace(/<((?:[\w-]{1,20}:)?)ptab\b[^<>]*>/g, "<$1tab/>")
      .replace(/<((?:[\w-]{1,20}:)?)cr\s?\/>/g, "<$1br/>")
  }

  private get top(): Open {
    return this.stack.at(-1)!
  }

  private write(text: string): void {
    this.top.pieces.push(text)
  }

  private open(name: string, whole: string, start: number): boolean {
    if (transparent.has(name)) return true
    const opened = open(name, start)
    if (name === "txbxContent") opened.pieces.push(whole)
    this.stack.push(opened)
    return this.stack.length <= maxDepth
  }

  private close(name: string, whole: string, end: number): boolean {
    if (transparent.has(name)) {
      if (name === "rubyBase" && this.reading !== "") {
        this.write(`${textRun("(")}${this.reading}${textRun(")")}`)
        this.reading = ""
      }
      return true
    }
    const closed = this.stack.pop()!
    if (closed.name !== name || this.stack.length === 0) return false
    const content = closed.pieces.join("")
    if (name === "rt") this.reading = content
    else if (name === "Choice") this.top.choice ??= content
    else if (name === "Fallback") this.top.fallback = content
    else if (name === "AlternateContent") this.write(alternative(closed))
    else if (name === "txbxContent") this.endBox(content + whole)
    else if (name === "drawing" || name === "pict") {
      this.write(this.drawing(closed, this.xml.slice(closed.start, end)))
    }
    return true
  }

  /** Adds a text box to the drawing around it, or else to the text. */
  private endBox(box: string): void {
    const around = this.stack.findLast(({ name }) => name === "drawing" || name === "pict")
    if (around) around.boxes.push(box)
    else this.write(box)
  }

  private drawing({ boxes }: Open, xml: string): string {
    const run = this.runOf(xml)
    const all = run === "" ? boxes : [...boxes, boxOf(run)]
    const shaped = all.length > 0 ? null : /textpath\b[^<>]*\sstring="([^"<>]{1,1000})"/.exec(xml)
    if (shaped) all.push(boxOf(textRun(shaped[1]!)))
    return all.length > 0 ? `<pict xmlns="${textSpace}">${all.join("")}</pict>` : ""
  }
}

const open = (name: string, start: number): Open => ({ name, start, pieces: [], boxes: [] })

/** Returns the newer form if it has text, and otherwise the form for older programs. */
function alternative({ choice = "", fallback = "" }: Open): string {
  return visibleText.test(choice) || fallback.trim() === "" ? choice : fallback
}
