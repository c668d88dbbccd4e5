import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { numberIn } from "../../../src/extract/documents/list-labels.ts"
import { read } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

test("numbers of lists as Word and LibreOffice write them", () => {
  const written = (format: "1" | "a" | "A" | "i" | "I", ...numbers: number[]) =>
    numbers.map((number) => numberIn(format, number)).join(" ")
  expect(written("a", 1, 26, 27, 53)).toBe("a z aa aaa")
  expect(written("A", 2, 28)).toBe("B BB")
  expect(written("i", 4, 9, 14, 1994)).toBe("iv ix xiv mcmxciv")
  expect(written("I", 3, 0, 4000)).toBe("III 0 4000")
})

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

function docx(
  levels: string,
  nums: string,
  ...items: [num: number, level: number, text: string][]
) {
  const paragraphs = items.map(
    ([num, level, text]) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${num}"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
  )
  return zip({
    "word/document.xml": `<w:document ${word}><w:body>${paragraphs.join("")}</w:body></w:document>`,
    "word/numbering.xml": `<w:numbering ${word}><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum>${nums}</w:numbering>`,
    "word/_rels/document.xml.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>',
  })
}
const level = (at: number, start: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const num = (id: number, override = "") =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="1"/>${override}</w:num>`

test("lists of Word with letters, Roman numbers, and other first numbers", async () => {
  const levels =
    level(0, 1, "lowerLetter", "(%1)") +
    level(1, 3, "upperRoman", "%2.") +
    level(2, 4, "decimal", "%3.")
  const restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
  const bytes = docx(
    levels,
    num(1) + num(2, restart),
    [1, 0, "One"],
    [1, 1, "Deep"],
    [1, 1, "Deeper"],
    [1, 0, "Two"],
    [2, 0, "Again"],
  )
  expect((await read("docx", bytes)).markdown).toBe(
    "- (a) One\n  - III. Deep\n  - IV. Deeper\n- (b) Two\n- (e) Again\n",
  )
  const decimal = docx(levels, num(1), [1, 2, "Four"], [1, 2, "Five"])
  expect((await read("docx", decimal)).markdown).toBe("4. Four\n5. Five\n")
})

test("lists of Word whose levels belong to paragraph styles", async () => {
  const styled = (style: string, text: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const ofStyle = (at: number, start: number, format: string, style: string) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:pStyle w:val="${style}"/><w:lvlText w:val="%${at + 1})"/></w:lvl>`
  const bytes = zip({
    "word/document.xml": `<w:document ${word}><w:body>${styled("Clause", "One")}${styled("SubClause", "Deep")}${styled("SubClause", "Deeper")}${styled("Clause", "Two")}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${word}>${["Clause", "SubClause"].map((id) => `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/></w:style>`).join("")}</w:styles>`,
    "word/numbering.xml": `<w:numbering ${word}><w:abstractNum w:abstractNumId="1">${ofStyle(0, 1, "upperLetter", "Clause")}${ofStyle(1, 3, "decimal", "SubClause")}</w:abstractNum>${num(1)}</w:numbering>`,
    "word/_rels/document.xml.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
  })
  expect((await read("docx", bytes)).markdown).toBe(
    "- A) One\n\n  3. Deep\n  4. Deeper\n\n- B) Two\n",
  )
})

test("lists of Word that styles inherit from the styles on which they are based", async () => {
  const paragraph = (style: string, text: string, own = "") =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/>${own}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
  const based = (id: string, on: string, own = "") =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${on}"/><w:pPr>${own}</w:pPr></w:style>`
  const list = (content: string) => `<w:numPr>${content}</w:numPr>`
  const styles = [
    based("Point", "Normal", list('<w:numId w:val="1"/>')),
    based("SmallPoint", "Point"),
    based("Deep", "SmallPoint", list('<w:ilvl w:val="1"/>')),
    based("Plain", "SmallPoint", list('<w:numId w:val="0"/>')),
    // Styles that are based on each other must not cause an endless loop.
    based("Round", "About"),
    based("About", "Round"),
  ]
  const paragraphs = [
    paragraph("Point", "One"),
    paragraph("SmallPoint", "Two"),
    paragraph("Deep", "Inner"),
    paragraph("SmallPoint", "Inner too", list('<w:ilvl w:val="1"/>')),
    paragraph("SmallPoint", "Three"),
    paragraph("SmallPoint", "No item", list('<w:numId w:val="0"/>')),
    paragraph("Plain", "Text"),
    paragraph("Round", "End"),
  ]
  const levels = level(0, 1, "decimal", "%1.") + level(1, 1, "lowerLetter", "%2)")
  const bytes = zip({
    "word/document.xml": `<w:document ${word}><w:body>${paragraphs.join("")}</w:body></w:document>`,
    "word/styles.xml": `<w:styles ${word}>${styles.join("")}</w:styles>`,
    "word/numbering.xml": `<w:numbering ${word}><w:abstractNum w:abstractNumId="1">${levels}</w:abstractNum>${num(1)}</w:numbering>`,
    "word/_rels/document.xml.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/><Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
  })
  expect((await read("docx", bytes)).markdown).toBe(
    "1. One\n2. Two\n   - a) Inner\n   - b) Inner too\n3. Three\n\nNo item\n\nText\n\nEnd\n",
  )
})

const odf = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
  'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"',
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
].join(" ")
const odt = (body: string) =>
  zip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<office:document-content ${odf}><office:automatic-styles><text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/><text:list-level-style-number text:level="2" style:num-format="1" text:start-value="7"/></text:list-style><text:list-style style:name="L2"><text:list-level-style-number text:level="1" style:num-format="I"/></text:list-style></office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
  })
const item = (text: string, more = "", value = "") =>
  `<text:list-item${value}><text:p>${text}</text:p>${more}</text:list-item>`

test("lists of OpenDocument with letters, Roman numbers, and other first numbers", async () => {
  const nested = `<text:list>${item("Seven")}${item("Eight")}</text:list>`
  const first = `<text:list text:style-name="L1">${item("One", nested)}${item("Four", "", ' text:start-value="4"')}</text:list>`
  const second = `<text:list text:style-name="L2">${item("Roman")}</text:list>`
  const { markdown } = await read("odt", odt(first + second))
  expect(markdown).toBe("- a) One\n\n  7. Seven\n  8. Eight\n\n- d) Four\n\n* I. Roman\n")
})

test("descriptions of images in texts and slides, but no names of files", async () => {
  const frame = (description: string) =>
    `<text:p><draw:frame><draw:image/><svg:desc>${description}</svg:desc></draw:frame></text:p>`
  const text = odt(`<text:p>Kites:</text:p>${frame("A red kite over the sea")}${frame("kite.png")}`)
  expect((await read("odt", text)).markdown).toBe("Kites:\n\n*A red kite over the sea*\n")
  const picture = (description: string) =>
    `<p:pic><p:nvPicPr><p:cNvPr id="2" name="x" descr="${description}"/></p:nvPicPr></p:pic>`
  const slides = pptx(
    picture("A kite &amp; its owner.") + picture("C:\\\\my files\\\\of today\\\\kite.png"),
  )
  expect((await read("pptx", slides)).markdown).toBe("*A kite & its owner.*\n")
})

function pptx(...slides: string[]) {
  const spaces =
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
  return zip({
    "ppt/presentation.xml": `<p:presentation ${spaces}><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${at}" r:id="s${at}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${slides.map((_, at) => `<Relationship Id="s${at}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide" Target="slides/slide${at}.xml"/>`).join("")}</Relationships>`,
    ...Object.fromEntries(
      slides.map((shapes, at) => [
        `ppt/slides/slide${at}.xml`,
        `<p:sld ${spaces}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
  })
}

test("footers of slides are read once, without fields of dates and numbers", async () => {
  const shape = (kind: string, content: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph${kind && ` type="${kind}"`}/></p:nvPr></p:nvSpPr><p:txBody><a:p>${content}</a:p></p:txBody></p:sp>`
  const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`
  const slide = (text: string) =>
    shape("title", run(text)) +
    shape("dt", `<a:fld type="datetime1"><a:t>1 May 2026</a:t></a:fld>`) +
    shape("ftr", run("Harbour Board, 4 Quay")) +
    shape("sldNum", `<a:fld type="slidenum"><a:t>7</a:t></a:fld>`)
  const { markdown, facts } = await read("pptx", pptx(slide("Tides"), slide("Cranes")))
  expect(markdown).toBe("## Tides\n\nHarbour Board, 4 Quay\n\n## Cranes\n")
  expect(facts.pageCount).toBe(2)
})

test("footers of OpenDocument slides are read once", async () => {
  const spaces =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
  const page = (text: string) =>
    `<draw:page presentation:use-footer-name="f1"><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`
  const odp = zip({
    mimetype: "application/vnd.oasis.opendocument.presentation",
    "content.xml": `<office:document-content ${spaces}><office:body><office:presentation><presentation:footer-decl presentation:name="f1">Harbour &amp; Board</presentation:footer-decl>${page("Tides")}${page("Cranes")}</office:presentation></office:body></office:document-content>`,
  })
  expect((await read("odp", odp)).markdown).toBe("Tides\n\nHarbour & Board\n\nCranes\n")
})

test("lists of slides with numbers, letters and Roman numbers", async () => {
  const points: [style: string, text: string][] = [
    ['<a:buAutoNum type="arabicPeriod" startAt="3"/>', "Three"],
    ['<a:buAutoNum type="arabicPeriod" startAt="3"/>', "Four"],
    ['<a:buAutoNum type="alphaLcParenR"/>', "Letter"],
    ['<a:buAutoNum type="alphaLcParenR"/>', "Next letter"],
    ['<a:buAutoNum type="romanUcParenBoth" startAt="2"/>', "Roman"],
    ['<a:buChar char="•"/>', "Bullet"],
    ['<a:buAutoNum type="alphaLcParenR"/>', "Letter again"],
  ]
  const paragraphs = points.map(
    ([style, text]) => `<a:p><a:pPr>${style}</a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`,
  )
  const { markdown } = await read(
    "pptx",
    pptx(`<p:sp><p:txBody>${paragraphs.join("")}</p:txBody></p:sp>`),
  )
  expect(markdown).toBe(
    "3. Three\n4. Four\n\n- a) Letter\n- b) Next letter\n- (II) Roman\n- Bullet\n- a) Letter again\n",
  )
})

test("lists of Rich Text keep their written letters and Roman numbers", async () => {
  const listed = (marker: string, text: string, depth = 0) =>
    `{\\listtext ${marker}\\tab}\\ilvl${depth} ${text}\\par\\pard\n`
  const rtf = `{\\rtf1\\ansi ${listed("a)", "One")}${listed("b)", "Two")}${listed("iv.", "Roman", 1)}XI.\\tab Typed\\par}`
  const { markdown } = await read("rtf", strToU8(rtf))
  expect(markdown).toBe("- a) One\n- b) Two\n  - iv. Roman\n- XI. Typed\n")
})

test("lists of Rich Text without written markers have the numbers of their levels", async () => {
  const level = (kind: number, start: number, text: string) =>
    `{\\listlevel\\levelnfc${kind}\\levelnfcn${kind}\\leveljc0\\levelstartat${start}{\\leveltext\\leveltemplateid1\\'02${text};}{\\levelnumbers\\'01;}}`
  const list = (id: number, ...levels: string[]) =>
    `{\\list\\listtemplateid1${levels.join("")}{\\listname ;}\\listid${id}}`
  const tables = `{\\*\\listtable${list(11, level(4, 1, "\\'00)"), level(2, 4, "(\\'01)"))}${list(12, level(0, 3, "\\'00."))}}{\\*\\listoverridetable{\\listoverride\\listid11\\listoverridecount0\\ls1}{\\listoverride\\listid12\\listoverridecount0\\ls2}}`
  const item = (ls: number, depth: number, text: string) =>
    `\\pard\\ls${ls}\\ilvl${depth} ${text}\\par\n`
  const items = [
    item(1, 0, "One"),
    item(1, 1, "Deep"),
    item(1, 1, "Deeper"),
    item(1, 0, "Two"),
    item(1, 1, "Again"),
    "\\pard Between\\par\n",
    item(1, 0, "Three"),
    item(2, 0, "Counted"),
    item(2, 0, "Counted on"),
  ]
  const { markdown } = await read("rtf", strToU8(`{\\rtf1\\ansi ${tables}${items.join("")}}`))
  expect(markdown).toBe(
    "- a) One\n  - (iv) Deep\n  - (v) Deeper\n- b) Two\n  - (iv) Again\n\nBetween\n\n- c) Three\n\n3. Counted\n4. Counted on\n",
  )
})
