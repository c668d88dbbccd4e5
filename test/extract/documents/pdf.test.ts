import { expect, test } from "bun:test"
import { writePdf } from "./pdf-writer.ts"
import { caseFile, read, refusal } from "./read.ts"

const lorem = (words: number, from = 0) =>
  Array.from({ length: words }, (_, at) => `w${from + at}`).join(" ")

test("a link that is a piece of its own stands apart from the words beside it", async () => {
  const texts = [
    { text: "Words before a", x: 60, y: 120 },
    { text: "link", x: 140, y: 120 },
    { text: "and after.", x: 162, y: 120 },
  ]
  const links = [{ url: "https://harbour.example/", x: 139, y: 122, width: 20, height: 14 }]
  const { markdown } = await read("pdf", writePdf([{ texts, links }]))
  expect(markdown).toBe("Words before a [link](https://harbour.example/) and after.\n")
})

test("headings by size and outline, paragraphs, links, metadata", async () => {
  const { markdown, facts, document } = await read(
    "pdf",
    writePdf(
      [
        {
          texts: [
            { text: "Harbour report", x: 60, y: 80, size: 24 },
            { text: "The first line of a paragraph is joined with the sec-", x: 60, y: 120 },
            { text: "ond, and holds a link to the harbour.", x: 60, y: 134 },
            { text: "Cranes", x: 60, y: 170 },
            { text: "There are two of them.", x: 60, y: 200 },
          ],
          // Over "harbour" alone.
          links: [{ url: "https://harbour.example/", x: 205, y: 137, width: 40, height: 14 }],
        },
      ],
      { title: "Report", outline: [{ title: "Cranes", page: 1 }] },
    ),
  )
  expect(markdown).toBe(
    "# Harbour report\n\nThe first line of a paragraph is joined with the second, and holds a link to the [harbour.](https://harbour.example/)\n\n# Cranes\n\nThere are two of them.\n",
  )
  expect(document.title).toBe("Report")
  expect(facts).toEqual({
    pageCount: 1,
    pagesRead: 1,
    pagesWithoutText: 0,
    outline: [{ level: 1, title: "Cranes", page: 1 }],
    createdAt: "2025-03-09T10:15:00.000Z",
  })
})

test("cells that stand under each other are a table, and columns of text are none", async () => {
  const cells = [
    ["Quarter", "Ships", "Tonnes"],
    ["First", "120", "4,500"],
    ["Second", "131", "4,910"],
  ]
  const table = cells.flatMap((row, line) =>
    row.map((text, column) => ({ text, x: 60 + column * 120, y: 120 + line * 18 })),
  )
  const columns = [60, 320].flatMap((x, column) =>
    Array.from({ length: 8 }, (_, line) => ({
      text: `${lorem(6, column * 100 + line * 6)} filling.`,
      x,
      y: 300 + line * 14,
    })),
  )
  const { markdown } = await read("pdf", writePdf([{ texts: [...table, ...columns] }]))
  expect(markdown).toContain(
    "| Quarter | Ships | Tonnes |\n| --- | --- | --- |\n| First | 120 | 4,500 |\n| Second | 131 | 4,910 |",
  )
  const words = [...markdown.matchAll(/\bw(\d+)/g)].map(([, number]) => Number(number))
  expect(words).toEqual(words.toSorted((a, b) => a - b))
  expect(words.length).toBe(96)
})

test("running heads and page numbers are no text; pages are sections", async () => {
  const pages = [1, 2, 3, 4].map((number) => ({
    texts: [
      { text: "Annals of tides", x: 60, y: 30 },
      { text: `Page ${number} tells of tide ${number}.`, x: 60, y: 200 },
      { text: String(number), x: 290, y: 820 },
    ],
  }))
  const { markdown, document, facts } = await read("pdf", writePdf(pages))
  expect(markdown).toBe(
    [1, 2, 3, 4].map((number) => `Page ${number} tells of tide ${number}.\n`).join("\n"),
  )
  expect(document.querySelectorAll("section").length).toBe(4)
  expect(facts.pageCount).toBe(4)
})

test("scanned, locked, empty and broken ones are said to be so", async () => {
  expect(await refusal("pdf", writePdf([{ picture: true }, { picture: true }]))).toBe(
    "scanned_document: The PDF's 2 pages are pictures, as of a scanner, and holds no text to be read.",
  )
  const partly = await read(
    "pdf",
    writePdf([{ picture: true }, { texts: [{ text: "Read me.", x: 60, y: 60 }] }]),
  )
  expect(partly.facts.pagesWithoutText).toBe(1)
  expect(await refusal("pdf", await caseFile("locked.pdf"))).toBe(
    "encrypted_document: The PDF is encrypted, and opens with a password only.",
  )
  const whole = await caseFile("tides.pdf")
  expect(await refusal("pdf", whole.subarray(0, whole.length / 2))).toBe(
    "unreadable_document: The PDF breaks off before its end.",
  )
  expect(await refusal("pdf", "%PDF-1.4 nothing startxref 0 %%EOF")).toStartWith(
    "unreadable_document: ",
  )
})

const poppler = Bun.which("pdftotext")
if (!poppler) console.warn("pdftotext (poppler-utils) is not installed: no second opinion on PDF.")

test.skipIf(!poppler)("the reading order is that of pdftotext", async () => {
  const bytes = await caseFile("tides.pdf")
  const { stdout } = Bun.spawnSync([poppler!, "-raw", "-", "-"], { stdin: bytes })
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []
  const { document } = await read("pdf", bytes)
  expect(words(document.body.textContent ?? "").join(" ")).toBe(words(stdout.toString()).join(" "))
})

test("lines of a paragraph that stands close above a table are kept when its last is the head", async () => {
  const texts = [
    { text: "A paragraph of two lines stands close above", x: 60, y: 100 },
    { text: "a table, whose head it seems to go on with.", x: 60, y: 114 },
    { text: "Quarter Ships", x: 60, y: 128 },
    { text: "First", x: 60, y: 142 },
    { text: "120", x: 140, y: 142 },
    { text: "Second", x: 60, y: 156 },
    { text: "131", x: 140, y: 156 },
  ]
  const { markdown } = await read("pdf", writePdf([{ texts }]))
  expect(markdown).toContain("A paragraph of two lines stands close above a table")
  expect(markdown).toContain("131")
})

test("columns whose lines stand at heights of their own are read one after the other", async () => {
  const side = (x: number, y: number, step: number, mark: string) =>
    Array.from({ length: 12 }, (_, line) => [
      { text: `${mark}${line}`, x, y: y + line * step },
      { text: `what ${mark} ${line} does`, x: x + 60, y: y + line * step },
    ]).flat()
  const texts = [...side(50, 100, 15, "left"), ...side(320, 106, 17.3, "right")]
  const { document } = await read("pdf", writePdf([{ texts }]))
  const words = document.body.textContent!
  expect(words.indexOf("left11")).toBeGreaterThan(0)
  expect(words.indexOf("left11")).toBeLessThan(words.indexOf("right0"))
})
