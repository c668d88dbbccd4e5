import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import type { DocumentFormat } from "../../../src/extract/documents/index.ts"
import { caseFile, file, read, refusal } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const report = [
  "# Harbour report 2025",
  "[Nordhaven](https://harbour.example/) handled **more ships** than in any year before.",
  "## Traffic",
  "| Third | 150 | 5,320 |",
  "- Grain and timber\n- Machines",
  "1. Loading\n2. Unloading",
  "### Outlook",
  "Grüße aus dem Hafen — 2026 wird *besser*.",
]

test.each([
  ["docx", caseFile("report.docx")],
  ["odt", file("report.odt")],
  ["rtf", file("report.rtf")],
] as const)("a text in %s: headings, links, tables and lists", async (format, bytes) => {
  const { markdown, document } = await read(format, await bytes)
  for (const part of report) expect(markdown).toContain(part)
  expect(document.title).toBe("Harbour report 2025")
  expect(document.querySelector("meta[name=author]")?.getAttribute("content")).toBe("Ada Quay")
})

test.each([
  ["xlsx", caseFile("sheet.xlsx")],
  ["ods", file("sheet.ods")],
] as const)("sheets of %s are tables under their names", async (format, bytes) => {
  const { markdown, facts } = await read(format, await bytes)
  expect(markdown).toContain(
    "## Ships\n\n| Name | Arrived | Tonnes |\n| --- | --- | --- |\n" +
      "| [Aurora](https://ships.example/aurora) | 2025-03-09 | 1200.5 |\n" +
      "| Borea\\|lis | 2025-04-01 | 0.3 |\n",
  )
  expect(markdown).toContain("## Crew\n\nCaptain\n\nIda")
  expect(facts.pageCount).toBe(3)
})

const spaces =
  'xmlns:a="http://a" xmlns:p="http://p" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const shape = (kind: string, text: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph ${kind}/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`
const line = (text: string, style = "") => `<a:p>${style}<a:r><a:t>${text}</a:t></a:r></a:p>`

test("slides of pptx: title first, points by their depth, links, notes; no slide numbers", async () => {
  const relations = (rows: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows}</Relationships>`
  const pptx = zip({
    "ppt/presentation.xml": `<p:presentation ${spaces}><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      '<Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/>',
    ),
    "ppt/slides/slide1.xml": `<p:sld ${spaces}><p:cSld><p:spTree>
      ${shape('type="sldNum"', line("7"))}
      ${shape('idx="1"', line("no point", "<a:pPr><a:buNone/></a:pPr>"))}
      ${shape('type="body" idx="2"', `${line("Deepen the basin") + line("by two metres", '<a:pPr lvl="1"/>')}<a:p><a:r><a:rPr><a:hlinkClick r:id="rId2"/></a:rPr><a:t>Plans</a:t></a:r></a:p>`)}
      ${shape('type="title"', line("Harbour plans"))}
      </p:spTree></p:cSld></p:sld>`,
    "ppt/slides/_rels/slide1.xml.rels": relations(
      '<Relationship Id="rId2" Type="x/hyperlink" Target="https://plans.example/" TargetMode="External"/>' +
        '<Relationship Id="rId3" Type="x/notesSlide" Target="../notesSlides/notesSlide1.xml"/>',
    ),
    "ppt/notesSlides/notesSlide1.xml": `<p:notes ${spaces}><p:cSld><p:spTree>${shape('type="body"', line("Say what it costs."))}</p:spTree></p:cSld></p:notes>`,
  })
  const { markdown, facts } = await read("pptx", pptx)
  expect(markdown).toBe(
    "## Harbour plans\n\nno point\n\n- Deepen the basin\n  - by two metres\n- [Plans](https://plans.example/)\n\n> Say what it costs.\n",
  )
  expect(facts).toMatchObject({ pageCount: 1, pagesRead: 1 })
})

test("a book's chapters in the order of its spine", async () => {
  const book = (encryption = "") =>
    zip({
      mimetype: "application/epub+zip",
      "META-INF/container.xml":
        '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
      ...(encryption === "" ? {} : { "META-INF/encryption.xml": encryption }),
      "OPS/book.opf": `<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Tides</dc:title><dc:creator>Ida Hollis</dc:creator><dc:language>en</dc:language></metadata>
        <manifest><item id="b" href="text/two.xhtml"/><item id="c" href="100%.xhtml"/><item id="a" href="text/one%20a.xhtml"/></manifest>
        <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="a"/></spine></package>`,
      "OPS/text/one a.xhtml":
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>One</h1><p>Ebb, see <a href="two.xhtml">two</a>.</p></body></html>',
      "OPS/text/two.xhtml": "<html><body><h1>Two</h1><p>Flood.</p></body></html>",
    })
  const { markdown, facts, document } = await read("epub", book())
  expect(markdown).toBe("# One\n\nEbb, see two.\n\n# Two\n\nFlood.\n")
  expect(document.title).toBe("Tides")
  expect(facts.outline).toEqual([
    { level: 1, title: "One", page: 1 },
    { level: 1, title: "Two", page: 2 },
  ])
  const locked =
    '<encryption><EncryptedData><CipherData><CipherReference URI="OPS/text/two.xhtml"/></CipherData></EncryptedData></encryption>'
  expect(await refusal("epub", book(locked))).toStartWith("encrypted_document: ")
})

test("a notebook: texts, code in its language, outputs", async () => {
  const { markdown } = await read(
    "ipynb",
    JSON.stringify({
      metadata: { language_info: { name: "python" } },
      cells: [
        { cell_type: "markdown", source: ["# Tides\n", "\n", "| a | b |\n|---|---|\n| 1 | 2 |"] },
        {
          cell_type: "code",
          source: "print(1)",
          outputs: [
            { text: ["1\n"] },
            {
              data: {
                "text/html":
                  "<table><tr><th>h</th><th>i</th></tr><tr><td>3</td><td>4</td></tr></table>",
              },
            },
          ],
        },
      ],
    }),
  )
  expect(markdown).toBe(
    "# Tides\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```python\nprint(1)\n```\n\n```\n1\n```\n\n| h | i |\n| --- | --- |\n| 3 | 4 |\n",
  )
  expect(await refusal("ipynb", "{}")).toBe("unreadable_document: The notebook has no cells.")
})

test("a notebook's title is text, even if its source is HTML", async () => {
  for (const [title, visible] of [
    ["<h1><b>Tides</b> &amp;<br> <i>ebbs</i></h1>", "Tides & ebbs"],
    ["Tides &amp; ebbs", "Tides & ebbs"],
    ["List<T> of tides", "List<T> of tides"],
    ["<p></p>", ""],
  ]) {
    const { document } = await read(
      "ipynb",
      JSON.stringify({ metadata: { title }, cells: [{ source: "x" }] }),
    )
    expect(document.title).toBe(visible!)
  }
})

test("a message: sender, time, text, attachments", async () => {
  const { markdown, document } = await read(
    "eml",
    [
      "From: Ada Quay <ada@harbour.example>",
      "To: Ida <ida@harbour.example>",
      "Date: Sun, 9 Mar 2025 10:15:00 +0000",
      "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
      "Content-Type: multipart/mixed; boundary=b",
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "The crane is here.",
      "--b",
      'Content-Type: application/pdf; name="crane.pdf"',
      'Content-Disposition: attachment; filename="crane.pdf"',
      "",
      "x",
      "--b--",
    ].join("\r\n"),
  )
  expect(document.title).toBe("Grüße")
  expect(markdown).toContain("**From:** Ada Quay \\<ada@harbour.example>")
  expect(markdown).toContain("The crane is here.")
  expect(markdown).toContain("## Attachments\n\n- crane.pdf")
})

test("cut texts, messages and feeds are read as far as they go, and marked as cut", async () => {
  const rtf = "{\\rtf1 {\\pict\\bin4 }}}}}The crane {\\b is} here.\\par }"
  const parts =
    'Content-Type: multipart/mixed;\r\n boundary="b b"\r\n\r\n--b b\r\n\r\nThe crane is here.\r\n'
  const packed = "Content-Transfer-Encoding: base64\r\n\r\nVGhlIGNyYW5lIGlz\r\nIGhlcmUu\r\n"
  const feed =
    "<rss version='2.0'><channel><item><title>The crane is here.</title></item></channel></rss><!-- 1 -->"
  const cases: [DocumentFormat, string, number][] = [
    ["rtf", rtf, 3],
    ["eml", `${parts}--b b--\r\n`, 8],
    ["eml", packed, 4],
    ["feed", feed, 12],
  ]
  for (const [format, whole, less] of cases) {
    expect((await read(format, whole)).facts).not.toHaveProperty("isCut")
    const { facts, markdown } = await read(format, whole.slice(0, -less))
    expect([format, facts.isCut]).toEqual([format, true])
    expect(markdown).toMatch(/The crane (?:\*\*)?is/)
  }
})

test("tables of text with any separator of columns", async () => {
  const expected = "| Name | Note |\n| --- | --- |\n| Aurora | 1,5 t |\n"
  expect((await read("csv", 'Name;Note\nAurora;"1,5 t"\n')).markdown).toBe(expected)
  expect((await read("csv", 'Name,Note\nAurora,"1,5 t"\n')).markdown).toBe(expected)
  expect((await read("tsv", "Name\tNote\nAurora\t1,5 t\n")).markdown).toBe(expected)
})

test("data and feeds", async () => {
  expect((await read("json", '{"a":[1,2]}')).markdown).toBe(
    '```json\n{\n  "a": [\n    1,\n    2\n  ]\n}\n```\n',
  )
  const feed =
    '<rss version="2.0"><channel><title>Quay</title><item><title>Crane</title><link>https://quay.example/1</link><description>It came.</description></item></channel></rss>'
  expect((await read("feed", feed)).markdown).toBe(
    "# Quay\n\n## [Crane](https://quay.example/1)\n\nIt came.\n",
  )
})

test("broken, locked and too large documents are reported as such", async () => {
  const docx = await caseFile("report.docx")
  expect(await refusal("docx", docx.subarray(0, docx.length / 2))).toStartWith(
    "unreadable_document: ",
  )
  expect(await refusal("docx", zip({ "a.xml": "<a/>" }))).toBe(
    "unreadable_document: The document has no part word/document.xml.",
  )
  // The declared size of a decompression bomb: 200 MB in some bytes.
  const blown = zip({ "word/document.xml": "<a/>" })
  const size = blown.length - 22 - 46 - "word/document.xml".length + 24
  new DataView(blown.buffer).setUint32(size, 200 * 1024 * 1024, true)
  const many = `<w:document><w:body>${"<w:p/>".repeat(100_001)}</w:body></w:document>`
  expect(await refusal("docx", zip({ "word/document.xml": many }))).toBe(
    "too_large: The document has more than 100,000 paragraphs.",
  )
  expect(await refusal("docx", blown)).toBe(
    "too_large: The document is too large: more than 150 MB unpacked.",
  )
  const deep = zip({
    "content.xml": `<office:document-content>${"<text:p>".repeat(20_000)}x${"</text:p>".repeat(20_000)}</office:document-content>`,
  })
  expect(await refusal("odt", deep)).not.toBe("read")
  expect(await refusal("rtf", `{\\rtf1 ${"{".repeat(1000)}x`)).toStartWith("unreadable_document: ")
  const secret = zip({
    "META-INF/manifest.xml": "<manifest:encryption-data/>",
    "content.xml": "garbage",
  })
  expect(await refusal("odt", secret)).toStartWith("encrypted_document: ")
})

test("deeply nested documents are refused at little cost", async () => {
  const tooDeep = "unreadable_document: The document's content is nested too deeply."
  expect(await refusal("json", "[".repeat(2_000_000) + "]".repeat(2_000_000))).toBe(tooDeep)
  expect((await read("json", `{"a": "${"[".repeat(5000)}", "b": "\\"[[\\\\"}`)).markdown).toContain(
    "[[[[",
  )
  const tables = "<w:tbl><w:tr><w:tc>".repeat(20_000) + "</w:tc></w:tr></w:tbl>".repeat(20_000)
  const body = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${tables}</w:body></w:document>`
  expect(await refusal("docx", zip({ "word/document.xml": body }))).toBe(tooDeep)
})

test("a table reports the columns that it leaves out", async () => {
  const row = (mark: string) => Array.from({ length: 300 }, (_, at) => `${mark}${at}`).join(",")
  const { markdown } = await read("csv", `${row("h")}\n${row("v")}\n`)
  expect(markdown).toContain("(The table continues to column 300: those after 200 are left out.)")
  const sheet = zip({
    "xl/workbook.xml":
      '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Far" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="sheet.xml"/></Relationships>',
    "xl/sheet.xml":
      '<worksheet><sheetData><row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row></sheetData></worksheet>',
  })
  expect((await read("xlsx", sheet)).markdown).toContain("continues to column 16384")
})

test("cells of a workbook: percentages, hours without a day, days from 1904", async () => {
  const sheet = (properties: string) =>
    zip({
      "xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr ${properties}/><sheets><sheet name="Tides" r:id="r1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="x/styles" Target="styles.xml"/></Relationships>',
      "xl/styles.xml":
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0&quot;d&quot;%"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="22"/></cellXfs></styleSheet>',
      "xl/sheet.xml":
        '<worksheet><sheetData><row><c s="1"><v>0.256</v></c><c s="2"><v>0.07</v></c><c s="3"><v>0.75</v></c><c s="3"><v>43831.5</v></c><c t="e"><v>#DIV/0!</v></c></row></sheetData></worksheet>',
    })
  const cells = async (properties: string) =>
    (await read("xlsx", sheet(properties))).markdown.split("\n")[2]
  expect(await cells("")).toBe("| 25.6% | 7% | 18:00:00 | 2020-01-01 12:00:00 | #DIV/0! |")
  expect(await cells('date1904="1"')).toContain("| 1904-01-01 18:00:00 | 2024-01-02 12:00:00 |")
})

test("parts whose names differ in slashes and letter case from their references", async () => {
  const parts = {
    "_rels/.rels":
      '<Relationships><Relationship Id="r1" Type="x/officeDocument" Target="/xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml":
      '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Tides" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/Sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml":
      "<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>",
  }
  const turned = Object.entries(parts).map(([name, text]) => [name.replaceAll("/", "\\"), text])
  const { markdown } = await read("xlsx", zip(Object.fromEntries(turned)))
  expect(markdown).toBe("## Tides\n\n7\n")
})

test("cells of OpenDocument: dates and hours by value, empty text, no hidden sheet, no notes", async () => {
  const cell = (value: string, text = "") => `<table:table-cell ${value}>${text}</table:table-cell>`
  const sheet = (name: string, style: string, cells: string) =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:table-row>${cells}</table:table-row></table:table>`
  const cells = [
    cell('office:value-type="date" office:date-value="2026-05-12"', "<text:p>5/12/26</text:p>"),
    cell('office:value-type="date" office:date-value="2026-05-12T16:30:00"', "<text:p>x</text:p>"),
    cell('office:value-type="time" office:time-value="PT7H05M00.000S"', "<text:p>7:05 AM</text:p>"),
    cell(
      'office:value-type="percentage" office:value="0.25"',
      "<office:annotation><text:p>note</text:p></office:annotation><text:p>25%</text:p>",
    ),
    cell('office:value-type="float" office:value="1250"'),
    cell('office:value-type="boolean" office:boolean-value="true"'),
  ].join("")
  const spaces = ["office", "table", "text", "style"]
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(" ")
  const ods = zip({
    "content.xml": `<office:document-content ${spaces}><office:automatic-styles><style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
      <office:body><office:spreadsheet>${sheet("Tides", "v", cells)}${sheet("Secret", "h", cells)}</office:spreadsheet></office:body></office:document-content>`,
  })
  const { markdown, facts } = await read("ods", ods)
  expect(markdown).toStartWith(
    "## Tides\n\n| 2026-05-12 | 2026-05-12 16:30:00 | 07:05:00 | 25% | 1250 | TRUE |",
  )
  expect(markdown).not.toContain("Secret")
  expect(facts.pageCount).toBe(1)
})

test("a few bytes that expand to gigabytes are refused before they are written", async () => {
  const long = "V".repeat(32_000)
  const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(100)
  const shared = zip({
    "xl/workbook.xml":
      '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="r2" Type="x/sharedStrings" Target="shared.xml"/></Relationships>',
    "xl/shared.xml": `<sst><si><t>${long}</t></si></sst>`,
    "xl/sheet.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
  const tooLong = "too_large: The document has more than 20 million characters."
  expect(await refusal("xlsx", shared)).toBe(tooLong)
  const spaces = ["office", "table", "text"]
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(" ")
  const row = `<table:table-row table:number-rows-repeated="200"><table:table-cell table:number-columns-repeated="200"><text:p>${"V".repeat(300)}</text:p></table:table-cell></table:table-row>`
  const repeated = zip({
    "content.xml": `<office:document-content ${spaces}><office:body><office:spreadsheet>${`<table:table table:name="a">${row}</table:table>`.repeat(3)}</office:spreadsheet></office:body></office:document-content>`,
  })
  expect(await refusal("ods", repeated)).toBe(tooLong)
  const odd = {
    cells: [null, 1, { cell_type: "code", source: "x", outputs: [null, { data: null }] }],
  }
  expect((await read("ipynb", JSON.stringify(odd))).markdown).toContain("x")
})
