import { expect, test } from "bun:test"
import { strToU8, zipSync } from "fflate"
import { documentFormat } from "../../../../src/engine/net/documents/format.ts"

const zip = (...names: string[]) =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])))
const openDocument = (parts: Record<string, string>) =>
  zipSync(
    Object.fromEntries(
      Object.entries({ "content.xml": "x", ...parts }).map(([name, text]) => [name, strToU8(text)]),
    ),
  )
const listed = (type: string) =>
  openDocument({
    "META-INF/manifest.xml": `<manifest:manifest><manifest:file-entry manifest:media-type="application/vnd.oasis.opendocument.chart" manifest:full-path="Object 1/"/>
      <manifest:file-entry manifest:media-type="${type}" manifest:full-path="/"/></manifest:manifest>`,
  })
const ods = "application/vnd.oasis.opendocument.spreadsheet"
const stored = (type: string) =>
  zipSync({ mimetype: [strToU8(type), { level: 0 }], "a.xml": strToU8("x") })

const openXml = (types: string, name: string) =>
  zipSync({
    "[Content_Types].xml": strToU8(`<Types>${types}</Types>`),
    [name]: [zip("xl/workbook.xml", "word/document.xml"), { level: 0 }],
  })
const main = (kind: string) =>
  `<Default Extension="xlsx" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"/>
  <Override PartName="/main.xml" ContentType="${kind}.main+xml"/>`
const office = "application/vnd.openxmlformats-officedocument"

const word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const ole = (part: string) =>
  Buffer.concat([
    Buffer.from("d0cf11e0a1b11ae1", "hex"),
    Buffer.alloc(2000),
    Buffer.from(part, "utf16le"),
  ])
const rss = '<?xml version="1.0"?>\n<!-- made by hand --><rss version="2.0"><channel/></rss>'

test.each<
  [
    what: string,
    content: string | Uint8Array,
    type: string,
    path: string,
    format: string | undefined,
  ]
>([
  ["a PDF", "%PDF-1.7\n", "application/pdf", "/a.pdf", "pdf"],
  [
    "a PDF after a server's warning",
    "<b>Warning</b>: x\n%PDF-1.7\n",
    "application/pdf",
    "/a",
    "pdf",
  ],
  [
    "Rich Text after a byte order mark",
    "\xef\xbb\xbf\r\n{\\rtf1 x}",
    "application/msword",
    "/a",
    "rtf",
  ],
  ["plain words that are called Rich Text", "Words", "application/rtf", "/a.rtf", "text"],
  ["a page that is called Rich Text", "<p>Words", "application/rtf", "/a.rtf", "rtf"],
  ["a table of text that is called Excel", "a;b\n1;2", "application/vnd.ms-excel", "/a.xls", "csv"],
  ["a page that is called Excel", "<table>", "application/vnd.ms-excel", "/a.xls", undefined],
  ["zeros that are called Excel", "\0\0\0", "application/vnd.ms-excel", "/a.xls", undefined],
  ["an old Office document", ole("WordDocument"), "application/msword", "/a.doc", "legacy"],
  ["an encrypted Office document", ole("EncryptedPackage"), word, "/a.docx", "encrypted"],
  ["a PDF that is called a page", "\n%PDF-1.7\n", "text/html", "/a", "pdf"],
  [
    "a page that is called a PDF",
    "<html><body>Gone: %PDF-1</body>",
    "application/pdf",
    "/a.pdf",
    undefined,
  ],
  [
    "Word",
    zip("[Content_Types].xml", "word/document.xml"),
    "application/octet-stream",
    "/a",
    "docx",
  ],
  ["Word by another type", zip("word/document.xml"), "application/zip", "/a.zip", "docx"],
  [
    "a presentation with a workbook stored in it",
    zipSync({
      "ppt/presentation.xml": strToU8("x"),
      "ppt/embeddings/chart.xlsx": [zip("xl/workbook.xml"), { level: 0 }],
    }),
    "",
    "/a.pptx",
    "pptx",
  ],
  [
    "a presentation by its declared types only",
    openXml(main(`${office}.presentationml.slideshow`), "ppt/embeddings/chart.xlsx"),
    "",
    "/a",
    "pptx",
  ],
  [
    "a workbook with a document stored in it",
    openXml(main("application/vnd.ms-excel.sheet.macroEnabled"), "xl/embeddings/a.docx"),
    "",
    "/a",
    "xlsx",
  ],
  [
    "Word whose main part has another name",
    openXml(main(`${office}.wordprocessingml.document`), "word/document2.xml"),
    "",
    "/a",
    "docx",
  ],
  [
    "Word that breaks off",
    zip("[Content_Types].xml", "word/document.xml").subarray(0, 130),
    "",
    "/a",
    "docx",
  ],
  ["Word that is not an archive", "\0\0\0\0", word, "/a", "docx"],
  ["OpenDocument that is not an archive, by its URL", "garbage", "", "/a.odt", "odt"],
  ["a page that is called Word", "<p>Gone", word, "/a.docx", undefined],
  ["Excel", zip("xl/workbook.xml"), word, "/a.docx", "xlsx"],
  ["Excel by a program of Windows", zip("xl\\workbook.xml"), word, "/a.docx", "xlsx"],
  ["PowerPoint", zip("ppt/presentation.xml"), "", "/a", "pptx"],
  ["OpenDocument text", stored("application/vnd.oasis.opendocument.text"), "", "/a", "odt"],
  ["OpenDocument sheet", stored("application/vnd.oasis.opendocument.spreadsheet"), "", "/a", "ods"],
  [
    "OpenDocument whose type is packed",
    openDocument({ mimetype: ods.padEnd(300) }),
    "",
    "/a",
    "ods",
  ],
  ["OpenDocument with its type only in its list", listed(ods), "application/zip", "/a", "ods"],
  ["an archive with a part of that name", openDocument({}), "application/zip", "/a", undefined],
  ["a book", stored("application/epub+zip"), "application/octet-stream", "/a", "epub"],
  ["any other archive", zip("readme.md"), "application/zip", "/a.zip", undefined],
  ["Word of 1997", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "application/msword", "/a.doc", "legacy"],
  ["RTF", "{\\rtf1 x}", "application/msword", "/a.doc", "rtf"],
  ["a table", "a,b\n", "text/csv", "/a", "csv"],
  ["a table that is called text", "a,b\n", "text/plain", "/a.csv", "csv"],
  ["data", "{}", "application/json", "/a", "json"],
  ["data of a kind", "{}", "application/vnd.api+json", "/a", "json"],
  ["a notebook", "{}", "application/octet-stream", "/a.ipynb", "ipynb"],
  ["a feed of any type", rss, "text/xml", "/feed", "feed"],
  ["a message", "From: a@b.example\n", "message/rfc822", "/a", "eml"],
  ["text", "words", "text/plain", "/a", "text"],
  ["code", "a = 1", "text/x-python", "/a.py", "text"],
  ["bytes that are called text", "a\0b", "text/plain", "/a", undefined],
  ["a page", "<!doctype html><p>x", "text/html", "/a.json", undefined],
  ["a sitemap", "<urlset/>", "application/xml", "/sitemap.xml", undefined],
  ["an image", "\x89PNG", "image/png", "/a.png", undefined],
])("%s", (_, content, contentType, path, format) => {
  const bytes = typeof content === "string" ? Buffer.from(content, "latin1") : content
  const response = {
    bytes: new Uint8Array(bytes),
    contentType,
    url: `https://files.example${path}`,
  }
  expect(documentFormat(response)).toBe(format as ReturnType<typeof documentFormat>)
})
