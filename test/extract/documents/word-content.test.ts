import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { read, refusal } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const spaces = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:wps="http://wps" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:c="http://c"',
].join(" ")
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (content: string) => `<w:p>${content}</w:p>`
const word = (body: string, parts: Record<string, string> = {}) =>
  zip({
    "word/document.xml": `<w:document ${spaces}><w:body>${body}</w:body></w:document>`,
    ...parts,
  })
const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`
const drawn = (content: string) => `<w:drawing><wps:wsp>${content}</wps:wsp></w:drawing>`
const image = (description: string) =>
  `<w:r><w:drawing><wp:inline><wp:docPr descr="${description}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="rId1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
const choice = (newer: string, older: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${newer}</mc:Choice><mc:Fallback>${older}</mc:Fallback></mc:AlternateContent>`

test.each<[what: string, body: string, markdown: string]>([
  [
    "results of simple fields, as in captions and merged letters",
    paragraph(
      `${run("Figure ")}<w:fldSimple w:instr=" SEQ Figure ">${run("7")}</w:fldSimple>${run(": Tides")}`,
    ),
    "Figure 7: Tides\n",
  ],
  [
    "a carriage return in a paragraph",
    paragraph(`${run("Before")}<w:r><w:cr/></w:r>${run("After")}`),
    "Before\\\nAfter\n",
  ],
  [
    "descriptions of images, but no names of files",
    paragraph(
      `${run("Kites:")}${image("A red kite over the sea.&#xA;&#xA;Description automatically generated")}${image("C:\\my files\\of today\\kite.png")}${image("Picture 1")}`,
    ),
    "Kites:\n\n*A red kite over the sea*\n",
  ],
  [
    "a text box that has no copy for older programs",
    paragraph(`${run("Before")}<w:r>${drawn(`<wps:txbx>${box("In a box")}</wps:txbx>`)}</w:r>`),
    "Before\n\nIn a box\n",
  ],
  [
    "a text box with a copy, once",
    paragraph(
      `${run("Before")}<w:r>${choice(drawn(box("In a box")), `<w:pict><v:oval><v:textbox>${box("In a box")}</v:textbox></v:oval></w:pict>`)}</w:r>`,
    ),
    "Before\n\nIn a box\n",
  ],
  [
    "a text box in a text box, and one in a shape of older programs",
    paragraph(
      `<w:r>${drawn(`<w:txbxContent>${paragraph(`${run("Outer")}<w:r>${drawn(box("Inner"))}</w:r>`)}</w:txbxContent>`)}<w:pict><v:oval><v:textbox>${box("Round")}</v:textbox></v:oval></w:pict></w:r>`,
    ),
    "Outer\n\nInner\n\nRound\n",
  ],
  [
    "a sign that only the copy for older programs holds as text",
    paragraph(
      `${run("Hi ")}<w:r>${choice('<w16se:symEx xmlns:w16se="http://s" w16se:char="1F60A"/>', "<w:t>😊</w:t>")}</w:r>`,
    ),
    "Hi 😊\n",
  ],
  [
    "pronunciation above a text, and a text of another direction",
    paragraph(
      `<w:r><w:ruby><w:rubyPr/><w:rt>${run("とう")}</w:rt><w:rubyBase>${run("東")}</w:rubyBase></w:ruby></w:r><w:bdo w:val="rtl">${run(" abc")}</w:bdo>`,
    ),
    "東(とう) abc\n",
  ],
  [
    "letters drawn as a picture",
    paragraph(
      '<w:r><w:pict><v:shape><v:textpath string="Sale &amp; more"/></v:shape></w:pict></w:r>',
    ),
    "Sale & more\n",
  ],
])("Word: %s", async (_, body, markdown) => {
  expect((await read("docx", word(body))).markdown).toBe(markdown)
})

test("Word: a chart is a table, a diagram a list", async () => {
  const docx = word(
    paragraph(`${run("Sales")}<w:r><w:drawing><c:chart r:id="rId1"/></w:drawing></w:r>`) +
      paragraph('<w:r><w:drawing><dgm:relIds xmlns:dgm="http://d" r:dm="rId2"/></w:drawing></w:r>'),
    {
      "word/_rels/document.xml.rels":
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="x/chart" Target="charts/chart1.xml"/><Relationship Id="rId2" Type="x/diagramData" Target="diagrams/data1.xml"/></Relationships>',
      "word/charts/chart1.xml":
        '<c:chartSpace xmlns:c="http://c"><c:ser><c:tx><c:v>Tons</c:v></c:tx><c:cat><c:pt idx="0"><c:v>March</c:v></c:pt></c:cat><c:val><c:pt idx="0"><c:v>8.1999999999999993</c:v></c:pt></c:val></c:ser></c:chartSpace>',
      "word/diagrams/data1.xml":
        '<d:dataModel xmlns:d="http://d" xmlns:a="http://a"><d:pt><d:t><a:p><a:r><a:t>Load</a:t></a:r></a:p></d:t></d:pt></d:dataModel>',
    },
  )
  expect((await read("docx", docx)).markdown).toBe(
    "Sales\n\n|  | Tons |\n| --- | --- |\n| March | 8.2 |\n\n- Load\n",
  )
})

test("Word: drawings that are nested endlessly cost little", async () => {
  const depth = 3000
  const nested = `${"<w:r><w:drawing><w:txbxContent><w:p>".repeat(depth)}${run("deep")}${"</w:p></w:txbxContent></w:drawing></w:r>".repeat(depth)}`
  const start = performance.now()
  await refusal("docx", word(paragraph(run("Text") + nested)))
  expect(performance.now() - start).toBeLessThan(5000)
})

const item = (level: number, text: string, list = 1) =>
  paragraph(
    `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}`,
  )
const numbered = (body: string) => {
  const levels = [0, 1, 2, 3].map(
    (level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="decimal"/></w:lvl>`,
  )
  const restarted = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
  const list = (number: number, override: string) =>
    `<w:num w:numId="${number}"><w:abstractNumId w:val="0"/>${override}</w:num>`
  return word(body, {
    "word/numbering.xml": `<w:numbering ${spaces}><w:abstractNum w:abstractNumId="0">${levels.join("")}</w:abstractNum>${list(1, "")}${list(2, restarted)}</w:numbering>`,
    "word/_rels/document.xml.rels":
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/numbering" Target="numbering.xml"/></Relationships>',
  })
}

test.each<[what: string, body: string[], markdown: string]>([
  [
    "begins at a deeper level or skips one",
    [item(2, "A"), item(3, "in A"), item(2, "B"), item(0, "C"), item(2, "in C")],
    "1. A\n   1. in A\n2. B\n\n1) C\n   1. in C\n",
  ],
  [
    "is restarted directly after another",
    [item(0, "A"), item(1, "in A"), item(0, "B"), item(0, "first", 2), item(0, "second", 2)],
    "1. A\n   1. in A\n2. B\n\n1) first\n2) second\n",
  ],
  [
    "continues after a paragraph, while its lower levels begin again",
    [item(0, "A"), item(1, "in A"), paragraph(run("Text")), item(0, "B"), item(1, "in B")],
    "1. A\n   1. in A\n\nText\n\n2. B\n   1. in B\n",
  ],
  [
    "is restarted",
    [item(0, "A"), paragraph(run("Text")), item(0, "first", 2), item(0, "second", 2)],
    "1. A\n\nText\n\n1. first\n2. second\n",
  ],
])("Word: a list that %s", async (_, body, markdown) => {
  expect((await read("docx", numbered(body.join("")))).markdown).toBe(markdown)
})
