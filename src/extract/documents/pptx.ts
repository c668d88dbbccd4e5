import type { XmlElement } from "../core/index.ts"
import { Archive } from "./archive.ts"
import { drawingHtml, imageDescription } from "./drawings.ts"
import { type NumberFormat, numberIn } from "./list-labels.ts"
import { mathOf } from "./omml.ts"
import {
  mainPart,
  officeMetadata,
  type Relation,
  relationAttribute,
  relationsOf,
} from "./open-xml.ts"
import { escaped, pagedFacts, type ReadDocument, tableHtml } from "./pages/document-page.ts"

const maxSlides = 2000

/** Reads a presentation: each slide with its title as heading, its texts, tables and notes. */
export function readPptx(bytes: Uint8Array): ReadDocument {
  const archive = Archive.open(bytes, (name) => /\.(?:xml|rels)$/i.test(name))
  const name = mainPart(archive, "ppt/presentation.xml")
  const presentation = archive.needXml(name)
  const relations = relationsOf(archive, name)
  const ids = presentation.first("sldIdLst")?.all("sldId") ?? []
  const parts: string[] = []
  const shared = { footers: new Set<string>(), masters: new Set<string>() }
  for (const id of ids.slice(0, maxSlides)) {
    const slide = relations.get(relationAttribute(id) ?? "")
    if (slide) parts.push(slideHtml(archive, slide.target, shared))
  }
  return {
    metadata: officeMetadata(archive),
    parts,
    hasImages: archive.hasImages,
    facts: pagedFacts(ids.length, parts),
  }
}

/** Texts that several slides share, which are read with the first of them only. */
interface SharedTexts {
  footers: Set<string>
  /** Parts of layouts and masters, and their texts. */
  masters: Set<string>
}

function slideHtml(archive: Archive, part: string, { footers, masters }: SharedTexts): string {
  const slide = archive.needXml(part)
  const relations = relationsOf(archive, part)
  const shapes = [...slide.within("spTree")][0]
  const blocks = shapes ? treeHtml(shapes, relations, archive) : []
  blocks.push(...masterBlocks(archive, slide, relations, masters))
  if (shapes) blocks.push(...newFooters(shapes, footers))
  const notes = [...relations.values()].find(({ type }) => type === "notesSlide")
  const stated = notes ? notesHtml(archive, notes.target) : ""
  return [...blocks, stated].filter((block) => block !== "").join("\n")
}

/** Returns the new texts of a slide's layout and master, apart from their placeholders. */
function masterBlocks(
  archive: Archive,
  slide: XmlElement,
  relations: Map<string, Relation>,
  shown: Set<string>,
): string[] {
  const blocks: string[] = []
  let [above, from] = [slide, relations]
  for (const type of ["slideLayout", "slideMaster"]) {
    const part = [...from.values()].find((relation) => relation.type === type)?.target
    if (part === undefined || above.attribute("showMasterSp") === "0") break
    // The master of a known layout is known as well.
    if (shown.has(part)) break
    shown.add(part)
    const root = archive.xml(part)
    if (!root) break
    from = relationsOf(archive, part)
    above = root
    const [tree] = root.within("spTree")
    const shapes = tree ? shapesIn(tree).filter((shape) => shape.name !== "pic") : []
    const own = shapes.filter((shape) => [...shape.within("ph")].length === 0)
    for (const html of own.flatMap((shape) => shapeHtml(shape, from, archive).blocks)) {
      if (!shown.has(html)) blocks.push(html)
      shown.add(html)
    }
  }
  return blocks
}

const kindOf = (shape: XmlElement) => [...shape.within("ph")][0]?.attribute("type") ?? ""

/** Returns the footers and dates of a slide that no slide before it has. */
function newFooters(tree: XmlElement, footers: Set<string>): string[] {
  const blocks: string[] = []
  for (const shape of shapesIn(tree)) {
    const body = shape.name === "sp" ? shape.first("txBody") : undefined
    const kind = kindOf(shape)
    if (!body || !/^(?:dt|ftr)$/.test(kind)) continue
    // A field is the date on which the slides are shown.
    if (kind === "dt" && [...body.within("fld")].length > 0) continue
    const html = textHtml(body, new Map(), true)
    if (html === "" || footers.has(html)) continue
    footers.add(html)
    blocks.push(html)
  }
  return blocks
}

/** Returns the texts of a slide, with its title first. */
function treeHtml(tree: XmlElement, relations: Map<string, Relation>, archive: Archive): string[] {
  const shapes = shapesIn(tree).map((shape) => shapeHtml(shape, relations, archive))
  const [titles, rest] = [true, false].map((isTitle) =>
    shapes.filter((shape) => shape.isTitle === isTitle).flatMap(({ blocks }) => blocks),
  )
  return [...titles!, ...rest!]
}

function shapeHtml(
  shape: XmlElement,
  relations: Map<string, Relation>,
  archive: Archive,
): { isTitle: boolean; blocks: string[] } {
  const of = (blocks: string[], isTitle = false) => ({
    isTitle,
    blocks: blocks.filter((block) => block !== ""),
  })
  if (shape.name === "grpSp") return of(treeHtml(shape, relations, archive))
  if (shape.name === "graphicFrame") {
    return of([...tablesHtml(shape, relations), drawingHtml(shape, archive, relations)])
  }
  if (shape.name === "pic") {
    const named = shape.first("nvPicPr")?.first("cNvPr")
    return of([imageDescription(named?.attribute("descr") ?? "")])
  }
  const kind = kindOf(shape)
  const text = shape.name === "sp" ? shape.first("txBody") : undefined
  if (!text || /^(?:dt|ftr|sldNum)$/.test(kind)) return of([])
  if (/^(?:title|ctrTitle)$/.test(kind)) return of([titleHtml(text, relations)], true)
  return of([textHtml(text, relations, kind === "" || kind === "subTitle")])
}

/** Returns the first of alternatives, which newer programs show; the others are its fallbacks. */
const shapesIn = (tree: XmlElement): XmlElement[] =>
  tree
    .elements()
    .flatMap((shape) =>
      shape.name === "AlternateContent" ? (shape.elements()[0]?.elements() ?? []) : [shape],
    )

function titleHtml(body: XmlElement, relations: Map<string, Relation>): string {
  const text = body
    .all("p")
    .map((paragraph) => runsHtml(paragraph, relations))
    .filter((line) => line.trim() !== "")
    .join(" ")
  return text === "" ? "" : `<h2>${text}</h2>`
}

const autoNumber = /^(arabic|alphaLc|alphaUc|romanLc|romanUc)(ParenBoth|ParenR|Period|Plain)$/
const formats: Record<string, NumberFormat> = {
  arabic: "1",
  alphaLc: "a",
  alphaUc: "A",
  romanLc: "i",
  romanUc: "I",
}

/** Counts the items of numbered lists by their depth. */
class AutoNumbers {
  private readonly counts: { type: string; number: number }[] = []

  /** Returns the item's list and its label, such as `b) `, because Markdown has no lists with letters. */
  next(style: XmlElement | undefined, depth: number): { tag: string; label: string } {
    this.counts.length = depth + 1
    const auto = style?.first("buAutoNum")
    const [, kind = "", form] = autoNumber.exec(auto?.attribute("type") ?? "") ?? []
    if (!auto || !form) {
      this.counts.length = depth
      return { tag: "<ul>", label: "" }
    }
    const start = Number.parseInt(auto.attribute("startAt") ?? "1", 10) || 1
    const before = this.counts[depth]
    const type = kind + form
    const number = before?.type === type ? before.number + 1 : start
    this.counts[depth] = { type, number }
    const format = formats[kind]!
    if (format === "1") return { tag: start > 1 ? `<ol start="${start}">` : "<ol>", label: "" }
    const written = numberIn(format, number)
    if (form === "ParenBoth") return { tag: "<ul>", label: `(${written}) ` }
    return { tag: "<ul>", label: `${written}${form === "ParenR" ? ")" : "."} ` }
  }
}

/** Returns paragraphs, or list items by their depth. */
function textHtml(body: XmlElement, relations: Map<string, Relation>, isPlain: boolean): string {
  const blocks: string[] = []
  const numbers = new AutoNumbers()
  const open: string[] = []
  const endLists = (depth: number) => {
    while (open.length > depth) blocks.push(`</${open.pop()!.slice(1, 3)}>`)
  }
  for (const paragraph of body.all("p")) {
    const text = runsHtml(paragraph, relations)
    if (text.trim() === "") continue
    const style = paragraph.first("pPr")
    const isPoint = style?.first("buNone")
      ? false
      : !isPlain || style?.first("buChar") !== undefined || style?.first("buAutoNum") !== undefined
    const level = isPoint ? Math.min(8, Number(style?.attribute("lvl") ?? 0)) + 1 : 0
    const { tag, label } = numbers.next(isPoint ? style : undefined, level)
    const isOther = open.length === level && open.at(-1)?.slice(0, 3) !== tag.slice(0, 3)
    endLists(isPoint && isOther ? level - 1 : level)
    while (open.length < level) {
      open.push(open.length === level - 1 ? tag : "<ul>")
      blocks.push(open.at(-1)!)
    }
    blocks.push(isPoint ? `<li>${label}${text}</li>` : `<p>${text}</p>`)
  }
  endLists(0)
  return blocks.join("")
}

function runsHtml(paragraph: XmlElement, relations: Map<string, Relation>): string {
  return shapesIn(paragraph)
    .map((run) => {
      if (run.name === "m") return run.elements().map(mathOf).join("")
      if (run.name === "br") return "<br>"
      if (run.name !== "r" && run.name !== "fld") return ""
      const style = run.first("rPr")
      let text = escaped(run.first("t")?.text ?? "")
      if (style?.attribute("b") === "1" && text.trim() !== "") text = `<b>${text}</b>`
      const click = style?.first("hlinkClick")
      const link = click && relations.get(relationAttribute(click) ?? "")
      return link?.outside ? `<a href="${escaped(link.target)}">${text}</a>` : text
    })
    .join("")
}

function tablesHtml(frame: XmlElement, relations: Map<string, Relation>): string[] {
  return [...frame.within("tbl")].map((table) => {
    const rows = table
      .all("tr")
      .map((row) =>
        row
          .all("tc")
          .map((cell) =>
            (cell.first("txBody")?.all("p") ?? [])
              .map((paragraph) => runsHtml(paragraph, relations))
              .join("<br>"),
          ),
      )
    return tableHtml(rows) ?? ""
  })
}

function notesHtml(archive: Archive, part: string): string {
  const notes = archive.xml(part)
  const body = [...(notes?.within("sp") ?? [])].find(
    (shape) => [...shape.within("ph")][0]?.attribute("type") === "body",
  )
  const text = body?.first("txBody")
  const html = text ? textHtml(text, new Map(), true) : ""
  return html === "" ? "" : `<blockquote>${html}</blockquote>`
}
