import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { read } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const spaces =
  'xmlns:a="http://a" xmlns:p="http://p" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const shape = (kind: string, text: string) =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph ${kind}/></p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`
const line = (text: string, style = "") => `<a:p>${style}<a:r><a:t>${text}</a:t></a:r></a:p>`

test("slides' equations in shapes with an older copy, data of charts, texts of diagrams", async () => {
  const relations = (rows: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${rows}</Relationships>`
  const alternatives = `<mc:AlternateContent xmlns:mc="http://mc"><mc:Choice>${shape(
    "",
    `<a:p><a:r><a:t>For </a:t></a:r><a14:m xmlns:a14="http://a14"><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath></a14:m></a:p>`,
  )}</mc:Choice><mc:Fallback>${shape("", line("an older copy"))}</mc:Fallback></mc:AlternateContent>`
  const frame = (inner: string) =>
    `<p:graphicFrame><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`
  const series = (name: string, values: number[]) =>
    `<c:ser><c:tx><c:v>${name}</c:v></c:tx><c:cat><c:pt idx="0"><c:v>March</c:v></c:pt><c:pt idx="1"><c:v>April</c:v></c:pt></c:cat>
    <c:val>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")}</c:val></c:ser>`
  const pptx = zip({
    "ppt/presentation.xml": `<p:presentation ${spaces}><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations(
      '<Relationship Id="rId1" Type="x/slide" Target="slides/slide1.xml"/>',
    ),
    "ppt/slides/slide1.xml": `<p:sld ${spaces}><p:cSld><p:spTree>${alternatives}
      ${frame('<c:chart xmlns:c="http://c" r:id="rId1"/>')}${frame('<dgm:relIds xmlns:dgm="http://d" r:dm="rId2"/>')}</p:spTree></p:cSld></p:sld>`,
    "ppt/slides/_rels/slide1.xml.rels": relations(
      '<Relationship Id="rId1" Type="x/chart" Target="../charts/chart1.xml"/><Relationship Id="rId2" Type="x/diagramData" Target="../diagrams/data1.xml"/>',
    ),
    "ppt/charts/chart1.xml": `<c:chartSpace xmlns:c="http://c" xmlns:a="http://a"><c:title><a:t>Ships</a:t></c:title>${series("In", [3, 4])}${series("Out", [5])}</c:chartSpace>`,
    "ppt/diagrams/data1.xml":
      '<d:dataModel xmlns:d="http://d" xmlns:a="http://a"><d:pt><d:t><a:p><a:r><a:t>Load</a:t></a:r></a:p></d:t></d:pt><d:pt><d:t><a:p/></d:t></d:pt></d:dataModel>',
  })
  expect((await read("pptx", pptx)).markdown).toBe(
    "For $\\frac{1}{2}$\n\nShips\n\n|  | In | Out |\n| --- | --- | --- |\n| March | 3 | 5 |\n| April | 4 |  |\n\n- Load\n",
  )
})

const odfSpaces = ["office", "table", "text", "style", "drawing"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ")
const odt = (text: string, parts: Record<string, string> = {}) =>
  zip({
    "content.xml": `<office:document-content ${odfSpaces} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>${text}</office:text></office:body></office:document-content>`,
    ...parts,
  })

test("cells of OpenDocument: lists, frames and tables in them, no comments", async () => {
  const point = (text: string, inner = "") =>
    `<text:list-item><text:p>${text}</text:p>${inner}</text:list-item>`
  const cell = (inner: string) => `<table:table-cell>${inner}</table:table-cell>`
  const list = `<text:list>${point("first", `<text:list>${point("below")}</text:list>`)}${point("second")}</text:list>`
  const boxed =
    "<text:p>by<drawing:frame><drawing:text-box><text:p>a box</text:p></drawing:text-box></drawing:frame></text:p>"
  const inner = `<table:table><table:table-row>${cell("<text:p>inner</text:p>")}</table:table-row></table:table>`
  const comment = "<office:annotation><text:p>no</text:p></office:annotation>"
  const rows = [
    [cell("<text:p>Alpha</text:p>"), cell(list)],
    [cell(boxed + comment), cell(inner)],
  ].map((cells) => `<table:table-row>${cells.join("")}</table:table-row>`)
  const { markdown } = await read("odt", odt(`<table:table>${rows.join("")}</table:table>`))
  expect(markdown).toBe(
    "| Alpha | first<br>below<br>second |\n| --- | --- |\n| by<br>a box | inner |\n",
  )
})

test("OpenDocument: texts of shapes follow the paragraph that contains them", async () => {
  const shape = "<drawing:custom-shape><text:p>Drawn</text:p></drawing:custom-shape>"
  const { markdown } = await read(
    "odt",
    odt(`<text:p>${shape}This is <text:span>a</text:span> test.</text:p>`),
  )
  expect(markdown).toBe("This is a test.\n\nDrawn\n")
})

test("OpenDocument: formulas in separate parts or in the text, data of charts, footnotes", async () => {
  const math = (inner: string) =>
    `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow>${inner}</mrow><annotation encoding="StarMath 5.0">x over 2</annotation></semantics></math>`
  const frame = (object: string) => `<drawing:frame>${object}</drawing:frame>`
  const text = `<text:p>For ${frame('<drawing:object xlink:href="./Object 1"/>')}, it is ${frame(`<drawing:object>${math("<mi>y</mi>")}</drawing:object>`)}.<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Or so.</text:p></text:note-body></text:note></text:p>
    <text:p>${frame('<drawing:object xlink:href="./Object 2"/>')}</text:p>`
  const chart = `<office:document-content ${odfSpaces}><table:table><table:table-row><table:table-cell><text:p>March</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell></table:table-row></table:table></office:document-content>`
  const { markdown } = await read(
    "odt",
    odt(text, {
      "Object 1/content.xml": math("<mfrac><mi>x</mi><mn>2</mn></mfrac>"),
      "Object 2/content.xml": chart,
    }),
  )
  expect(markdown).toBe(
    "For $\\frac{x}{2}$, it is $y$.[^1]\n\n| March | 3 |\n| --- | --- |\n\n[^1]: Or so.\n",
  )
})

const mathSpace = "http://schemas.openxmlformats.org/officeDocument/2006/math"
const mathRun = (text: string, style = "") => `<m:r>${style}<m:t>${text}</m:t></m:r>`

test.each([
  [
    "a fraction",
    `<m:f><m:num>${mathRun("1")}</m:num><m:den>${mathRun("2a")}</m:den></m:f>`,
    "\\frac{1}{2a}",
  ],
  [
    "a sum with its bounds",
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${mathRun("i=1")}</m:sub><m:sup>${mathRun("n")}</m:sup><m:e>${mathRun("i")}</m:e></m:nary>`,
    "\\sum_{i=1}^{n}i",
  ],
  [
    "an integral without bounds",
    `<m:nary><m:naryPr><m:subHide/><m:supHide/></m:naryPr><m:sub/><m:sup/><m:e>${mathRun("x")}</m:e></m:nary>`,
    "\\int x",
  ],
  [
    "a function",
    `<m:func><m:fName>${mathRun("sin", '<m:rPr><m:sty m:val="p"/></m:rPr>')}</m:fName><m:e>${mathRun("θ")}</m:e></m:func>`,
    "\\sin \\theta",
  ],
  [
    "roots",
    `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${mathRun("2")}</m:e></m:rad><m:rad><m:deg>${mathRun("3")}</m:deg><m:e>${mathRun("2")}</m:e></m:rad>`,
    "\\sqrt{2}\\sqrt[3]{2}",
  ],
  [
    "cases",
    `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr><m:e><m:eqArr><m:e>${mathRun("a&amp;=1")}</m:e><m:e>${mathRun("b")}</m:e></m:eqArr></m:e></m:d>`,
    "\\left\\{\\begin{matrix}a=1 \\\\ b\\end{matrix}\\right.",
  ],
  ["an accent", `<m:acc><m:e>${mathRun("v")}</m:e></m:acc>`, "\\hat{v}"],
  [
    "raised and lowered signs",
    `<m:sSubSup><m:e>${mathRun("x")}</m:e><m:sub>${mathRun("1")}</m:sub><m:sup>${mathRun("2")}</m:sup></m:sSubSup>`,
    "x_{1}^{2}",
  ],
  ["words", mathRun("if so", "<m:rPr><m:nor/></m:rPr>"), "\\text{if so}"],
  ["a part of no known kind", `<m:new><m:e>${mathRun("z")}</m:e></m:new>`, "z"],
])("an equation of Word: %s", async (_, equation, tex) => {
  const docx = zip({
    "word/document.xml": `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="${mathSpace}"><w:body>
      <w:p><w:r><w:t xml:space="preserve">For </w:t></w:r><m:oMath>${equation}</m:oMath><w:r><w:t>, so.</w:t></w:r></w:p>
      <w:p><m:oMathPara><m:oMath>${equation}</m:oMath></m:oMathPara></w:p></w:body></w:document>`,
  })
  expect((await read("docx", docx)).markdown).toBe(`For $${tex}$, so.\n\n$$${tex}$$\n`)
})
