import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import type { DocumentFormat } from "../../../src/extract/documents/index.ts"
import { writePdf } from "./pdf-writer.ts"
import { read, refusal } from "./read.ts"

const zip = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

const blank = "unreadable_document: The document is blank: it has no text."
const images = "scanned_document: The document has images, but no text."

const relations = (type: string, ...targets: string[]) =>
  `<Relationships>${targets.map((target, at) => `<Relationship Id="r${at}" Type="x/${type}" Target="${target}"/>`).join("")}</Relationships>`
const reference = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const slide = (text: string) =>
  `<p:sld xmlns:p="http://p" xmlns:a="http://a"><p:spTree><p:pic/><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:sld>`
const deck = (...texts: string[]) => {
  const names = texts.map((_, at) => `slides/slide${at}.xml`)
  return {
    "ppt/presentation.xml": `<p:presentation xmlns:p="http://p" xmlns:r="${reference}"><p:sldIdLst>${names.map((_, at) => `<p:sldId r:id="r${at}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relations("slide", ...names),
    ...Object.fromEntries(names.map((name, at) => [`ppt/${name}`, slide(texts[at]!)])),
  }
}
const book = (...chapters: string[]) => ({
  "META-INF/container.xml":
    '<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>',
  "b.opf": `<package><metadata/><manifest>${chapters.map((_, at) => `<item id="c${at}" href="c${at}.svg"/>`).join("")}</manifest><spine>${chapters.map((_, at) => `<itemref idref="c${at}"/>`).join("")}</spine></package>`,
  ...Object.fromEntries(chapters.map((chapter, at) => [`c${at}.svg`, chapter])),
})
const page = (body: string) => `<html><body>${body}</body></html>`
const word = (body: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
const workbook = (sheet: string) => ({
  "xl/workbook.xml": `<workbook xmlns:r="${reference}"><sheets><sheet name="Sheet1" r:id="r0"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": relations("worksheet", "worksheets/sheet1.xml"),
  "xl/worksheets/sheet1.xml": `<worksheet>${sheet}</worksheet>`,
})
const png = { "media/a.png": "x" }

test.each<[what: string, format: DocumentFormat, content: Uint8Array | string, refusal: string]>([
  ["slides of pictures", "pptx", zip({ ...deck("", ""), ...png }), images],
  ["blank slides", "pptx", zip(deck("", "")), blank],
  [
    "blank slides with the small picture that programs make of them",
    "pptx",
    zip({ ...deck(""), "docProps/thumbnail.jpeg": "x" }),
    blank,
  ],
  ["a text of pictures", "docx", zip({ "word/document.xml": word("<w:p/>"), ...png }), images],
  ["a blank text", "docx", zip({ "word/document.xml": word("<w:p/>") }), blank],
  ["a book of pictures", "epub", zip({ ...book(page("<img src='a.png'>")), ...png }), images],
  ["a book without chapters", "epub", zip(book()), blank],
  ["sheets without cells", "xlsx", zip(workbook("<sheetData/>")), blank],
  [
    "OpenDocument sheets without cells",
    "ods",
    zip({
      "content.xml":
        '<a><body><spreadsheet><table name="Sheet1"><table-row><table-cell/></table-row></table></spreadsheet></body></a>',
    }),
    blank,
  ],
  [
    "a blank OpenDocument text",
    "odt",
    zip({ "content.xml": "<a><body><text><p/></text></body></a>" }),
    blank,
  ],
  ["a rich text of a picture", "rtf", "{\\rtf1 {\\pict 00ff}\\par}", images],
  ["a blank rich text", "rtf", "{\\rtf1 \\par}", blank],
  [
    "a notebook of pictures",
    "ipynb",
    JSON.stringify({ cells: [{ cell_type: "code", outputs: [{ data: { "image/png": "x" } }] }] }),
    images,
  ],
  ["a notebook without cells", "ipynb", '{"cells": []}', blank],
  ["a blank message", "eml", "\r\n\r\n", blank],
  [
    "plain words that are called a message",
    "eml",
    "Just plain words.\n".repeat(3),
    "unreadable_document: The document is not an email: it has no headers.",
  ],
  [
    "a page that is called Rich Text",
    "rtf",
    "<p>Gone</p>",
    "unreadable_document: The document is not Rich Text: it does not start with {\\rtf.",
  ],
  [
    "a book whose chapters are missing",
    "epub",
    zip(Object.fromEntries(Object.entries(book("x")).filter(([name]) => name !== "c0.svg"))),
    "unreadable_document: The book's chapters are missing or damaged.",
  ],
  [
    "a book whose chapters are encrypted without a word about it",
    "epub",
    zipSync({
      ...Object.fromEntries(Object.entries(book("x")).map(([name, text]) => [name, strToU8(text)])),
      "c0.svg": Uint8Array.from({ length: 2000 }, (_, at) => (at * at * 73) % 251),
    }),
    "unreadable_document: The book's chapters are missing or damaged.",
  ],
  [
    "a workbook in Excel's binary format",
    "xlsx",
    zip({
      "_rels/.rels": relations("officeDocument", "xl/workbook.bin"),
      "xl/workbook.bin": "x",
    }),
    "unreadable_document: The workbook has Excel's binary format. Save it as XLSX.",
  ],
  ["a file of zeros that is called a table", "tsv", "\0".repeat(2000), blank],
  ["a file of zeros that is called a text", "text", "\0".repeat(2000), blank],
  ["a table without cells", "csv", ";;\n;;\n", blank],
  ["a text of spaces", "text", " \n\u00a0", blank],
])("%s is not a success", async (_, format, content, expected) => {
  expect(await refusal(format, content)).toBe(expected)
})

test("texts that are drawn on a sheet are read", async () => {
  const shape = "<txBody><p><r><t>Read </t></r><r><t>me</t></r></p><p/></txBody>"
  const xlsx = zip({
    ...workbook('<sheetData/><drawing id="r0"/>'),
    "xl/worksheets/_rels/sheet1.xml.rels": relations("drawing", "../drawings/drawing1.xml"),
    "xl/drawings/drawing1.xml": `<wsDr><sp>${shape}</sp></wsDr>`,
  })
  expect((await read("xlsx", xlsx)).markdown).toBe("## Sheet1\n\nRead me\n")
  const ods = zip({
    "content.xml":
      '<a><body><spreadsheet><table name="One"><shapes><custom-shape><p>Read me</p></custom-shape></shapes></table></spreadsheet></body></a>',
  })
  expect((await read("ods", ods)).markdown).toContain("Read me")
})

test("slides and chapters without text are counted", async () => {
  expect((await read("pptx", zip(deck("Cranes", "", "&#160;")))).facts.pagesWithoutText).toBe(2)
  const contents = page('<nav><a href="c0.svg">One</a></nav>')
  const { facts } = await read("epub", zip(book(page("<p>Ebb.</p>"), page("<img>"), contents)))
  expect(facts).toMatchObject({ pageCount: 3, pagesWithoutText: 1 })
})

test("texts of drawings in a book are read, also of chapters that are one drawing", async () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg"><title>Cover</title><text x="1">The <tspan>tide</tspan></text><g><text><tspan x="1" y="2">comes</tspan><tspan x="1" y="3">in</tspan></text></g></svg>'
  const chapters = [page(`<div>${drawing}</div>`), `<?xml version="1.0"?>${drawing}`]
  const { markdown } = await read("epub", zip(book(...chapters)))
  expect(markdown).toBe("The tide\n\ncomes in\n\nThe tide\n\ncomes in\n")
})

test("lines that each page has are read if the pages have nothing else", async () => {
  const line = { texts: [{ text: "Harbour office", x: 60, y: 40 }] }
  const { markdown } = await read("pdf", writePdf([line, line, line, line]))
  expect(markdown).toContain("Harbour office")
})

test("a message in UTF-16 is read like any other", async () => {
  const message =
    "From: Ada <ada@harbour.example>\r\nSubject: Crane\r\nContent-Type: text/plain; charset=UTF-16\r\n\r\nGrüße: it is here.\r\n"
  const little = Buffer.from(message, "utf16le")
  const big = Buffer.from(little).swap16()
  const mark = Buffer.from("\ufeff", "utf16le")
  for (const bytes of [little, big, Buffer.concat([mark, little])]) {
    const { markdown, document } = await read("eml", new Uint8Array(bytes))
    expect(document.title).toBe("Crane")
    expect(markdown).toContain("Grüße: it is here.")
  }
})

test("errors of a document have Trawl's own messages", async () => {
  const broken = "unreadable_document: "
  const unknown = word("<w:p><w:r><w:t>a&testent;</w:t></w:r></w:p>")
  for (const [format, content, expected] of [
    [
      "docx",
      zip({ "word/document.xml": unknown }),
      "The Word document cannot be read: one of its parts is damaged.",
    ],
    [
      "odt",
      "no archive",
      "The document is not a complete ZIP archive: it is damaged or truncated.",
    ],
    ["ipynb", "{", "The notebook is not valid JSON."],
    ["pdf", "%PDF-1.4\n%%EOF", "The PDF is damaged: its pages cannot be found."],
  ] as const) {
    expect(await refusal(format, content)).toBe(broken + expected)
  }
  const authors = (value: unknown) =>
    read("ipynb", JSON.stringify({ metadata: { authors: value }, cells: [{ source: "x" }] }))
  for (const value of ["Ida", { name: "Ida" }, [{ name: "Ida" }, 7, null]]) {
    const { document } = await authors(value)
    expect(document.querySelector("meta[name=author]")?.getAttribute("content")).toBe("Ida")
  }
})
