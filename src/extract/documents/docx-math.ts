import { mathOfXml } from "./omml.ts"

const mathSpace =
  /\sxmlns:(\w{1,20})=["']http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/officeDocument(?:\/2006)?\/math["']/
const textSpace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"

/** Neither is a character of any text. */
const [before, after] = ["\uf8f6", "\uf8f7"]
const marker = new RegExp(`${before}(\\d{1,6})${after}`, "g")

/** Equations of a Word document, which mammoth leaves out: a text stands for each until they are put back. */
export class DocxMath {
  private readonly equations: string[] = []

  /** Returns a part's XML with a run of text in place of each equation. */
  taken(xml: string): string {
    const prefix = mathSpace.exec(xml)?.[1]
    if (!prefix || !xml.includes(`<${prefix}:oMath`)) return xml
    const start = new RegExp(`<${prefix}:(oMath|oMathPara)(?:\\s[^<>]{0,2000})?>`, "g")
    const pieces: string[] = []
    let from = 0
    for (let found = start.exec(xml); found; found = start.exec(xml)) {
      const end = `</${prefix}:${found[1]}>`
      const at = xml.indexOf(end, start.lastIndex)
      if (at < 0) break
      const to = at + end.length
      pieces.push(xml.slice(from, found.index), this.standIn(xml.slice(found.index, to), prefix))
      from = to
      start.lastIndex = to
    }
    return pieces.join("") + xml.slice(from)
  }

  private standIn(xml: string, prefix: string): string {
    const html = mathOfXml(xml, prefix)
    if (html === "") return ""
    this.equations.push(html)
    return `<r xmlns="${textSpace}"><t>${before}${this.equations.length - 1}${after}</t></r>`
  }

  /** Returns HTML with the equations where their texts stand. */
  putBack(html: string): string {
    return html.replace(marker, (_, number) => this.equations[Number(number)] ?? "")
  }
}
