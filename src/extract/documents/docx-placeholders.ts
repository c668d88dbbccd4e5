import { textRun } from "./docx-content.ts"
import { mathOfXml } from "./omml.ts"

const mathSpace =
  /\sxmlns:(\w{1,20})=["']http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/officeDocument(?:\/2006)?\/math["']/

/** Private-use characters, which no text contains. */
const [before, after] = ["\uf8f6", "\uf8f7"]
const marker = new RegExp(`(<p>)?${before}(\\d{1,6})${after}(</p>)?`, "g")

/**
 * HTML of the parts of a Word document that mammoth leaves out. A run of text holds the position of each
 * part until its HTML is restored.
 */
export class DocxPlaceholders {
  private readonly blocks: string[] = []

  /** Returns a part's XML with a run of text instead of each equation. */
  withoutEquations(xml: string): string {
    const prefix = mathSpace.exec(xml)?.[1]
    if (!prefix || !xml.includes(`<${prefix}:oMath`)) return xml
    const start = new RegExp(`<${prefix}:(oMath|oMathPara)(?:\\s[^<>]{0,2000})?>`, "g")
    const pieces: string[] = []
    let from = 0
    for (let match = start.exec(xml); match; match = start.exec(xml)) {
      const end = `</${prefix}:${match[1]}>`
      const at = xml.indexOf(end, start.lastIndex)
      if (at < 0) break
      const to = at + end.length
      const math = mathOfXml(xml.slice(match.index, to), prefix)
      pieces.push(xml.slice(from, match.index), this.runFor(math))
      from = to
      start.lastIndex = to
    }
    return pieces.join("") + xml.slice(from)
  }

  /** Returns the XML of a run that is a placeholder for HTML; "" for none. */
  runFor(html: string): string {
    if (html === "") return ""
    this.blocks.push(html)
    return textRun(`${before}${this.blocks.length - 1}${after}`)
  }

  /** Returns HTML with the placeholders replaced; a block replaces a paragraph that holds only its run. */
  putBack(html: string): string {
    return html.replace(marker, (_, start = "", number, end = "") => {
      const block = this.blocks[Number(number)] ?? ""
      return block.startsWith("<math") ? start + block + end : block
    })
  }
}
