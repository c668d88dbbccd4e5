import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { read } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const odfNames = "office text draw presentation style table chart svg"
const odfSpaces = [
  ...odfNames.split(" ").map((name) => {
    const space = name === "draw" ? "drawing" : name === "svg" ? "svg-compatible" : name
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${space}:1.0"`
  }),
  'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:loext="urn:loext"',
].join(" ")
const box = (text: string, kind = "") =>
  `<draw:frame${kind && ` presentation:class="${kind}"`}><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`

function odp(pages: string, masters = "", more: Record<string, string> = {}) {
  const styles =
    '<style:style style:name="hidden"><style:drawing-page-properties presentation:background-objects-visible="false"/></style:style>'
  return zip({
    mimetype: "application/vnd.oasis.opendocument.presentation",
    "content.xml": `<office:document-content ${odfSpaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:presentation>${pages}</office:presentation></office:body></office:document-content>`,
    "styles.xml": `<office:document-styles ${odfSpaces}><office:master-styles>${masters}</office:master-styles></office:document-styles>`,
    ...more,
  })
}
const page = (content: string, attributes = "") =>
  `<draw:page draw:master-page-name="M"${attributes}>${content}</draw:page>`

test("texts of an OpenDocument master are with the first slide that shows them", async () => {
  const master = `<style:master-page style:name="M">${box("Title of the master", "title")}<draw:custom-shape><text:p>Harbour Board, 4 Quay</text:p></draw:custom-shape><presentation:notes>${box("Notes of the master")}</presentation:notes></style:master-page>`
  const pages =
    page(box("Tides"), ' draw:style-name="hidden"') + page(box("Cranes")) + page(box("Kites"))
  const { markdown } = await read("odp", odp(pages, master))
  expect(markdown).toBe("Tides\n\nCranes\n\nHarbour Board, 4 Quay\n\nKites\n")
})

test("OpenDocument slides: fixed dates are read, fields of numbers and dates are not", async () => {
  const number = "<text:page-number>&lt;number&gt;</text:page-number>"
  const dates =
    '<presentation:date-time-decl presentation:name="d1" presentation:source="fixed">4 May 2026</presentation:date-time-decl><presentation:date-time-decl presentation:name="d2" presentation:source="current-date"/>'
  const pages =
    page(
      box("Tides") + box(number, "page-number") + box("<text:date>1/2/26</text:date>", "date-time"),
      ' presentation:use-date-time-name="d1"',
    ) +
    page(
      box("Cranes") +
        box("Spring 2026", "date-time") +
        `<presentation:notes>${box(number)}</presentation:notes>`,
      ' presentation:use-date-time-name="d2"',
    )
  const { markdown } = await read("odp", odp(dates + pages))
  expect(markdown).toBe("Tides\n\n4 May 2026\n\nCranes\n\nSpring 2026\n")
})

test("OpenDocument charts are read if the object has an empty paragraph, as LibreOffice writes it", async () => {
  const row = (...cells: string[]) =>
    `<table:table-row>${cells.map((cell) => `<table:table-cell><text:p>${cell}</text:p></table:table-cell>`).join("")}</table:table-row>`
  const chart = `<office:document-content ${odfSpaces}><office:body><office:chart><chart:chart><chart:title><text:p>Ships</text:p></chart:title><table:table>${row("Month", "Count")}${row("May", "7")}</table:table></chart:chart></office:chart></office:body></office:document-content>`
  const object =
    '<draw:frame><draw:object xlink:href="./Object 1"><loext:p/></draw:object></draw:frame>'
  const { markdown } = await read("odp", odp(page(object), "", { "Object 1/content.xml": chart }))
  expect(markdown).toBe("Ships\n\n| Month | Count |\n| --- | --- |\n| May | 7 |\n")
})

const spaces =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const shape = (text: string, kind = "") =>
  `<p:sp><p:nvSpPr><p:nvPr>${kind && `<p:ph type="${kind}"/>`}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
const tree = (name: string, shapes: string, attributes = "") =>
  `<p:${name} ${spaces}${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:${name}>`
const relation = (id: string, type: string, target: string) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`

test("texts of PowerPoint layouts and masters are with the first slide that shows them", async () => {
  const texts = ["Tides", "Cranes", "Kites"]
  const slides = texts.flatMap((text, at) => [
    [
      `ppt/slides/slide${at}.xml`,
      tree("sld", shape(text, "title"), at === 0 ? ' showMasterSp="0"' : ""),
    ],
    [
      `ppt/slides/_rels/slide${at}.xml.rels`,
      relation("l", "slideLayout", `../slideLayouts/slideLayout${at === 2 ? 2 : 1}.xml`),
    ],
  ])
  const layouts = [1, 2].flatMap((at) => [
    [
      `ppt/slideLayouts/slideLayout${at}.xml`,
      tree("sldLayout", shape("Click to edit", "title") + shape(`Layout ${at}`)),
    ],
    [
      `ppt/slideLayouts/_rels/slideLayout${at}.xml.rels`,
      relation("m", "slideMaster", "../slideMasters/slideMaster1.xml"),
    ],
  ])
  const presentation = {
    "ppt/presentation.xml": `<p:presentation ${spaces}><p:sldIdLst>${texts.map((_, at) => `<p:sldId r:id="s${at}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${texts.map((_, at) => `<Relationship Id="s${at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide${at}.xml"/>`).join("")}</Relationships>`,
    "ppt/slideMasters/slideMaster1.xml": tree("sldMaster", shape("Harbour Board, 4 Quay")),
  }
  const bytes = zip({ ...presentation, ...Object.fromEntries([...slides, ...layouts]) })
  expect((await read("pptx", bytes)).markdown).toBe(
    "## Tides\n\n## Cranes\n\nLayout 1\n\nHarbour Board, 4 Quay\n\n## Kites\n\nLayout 2\n",
  )
})
