import { expect, test } from "bun:test"
import { deflateSync } from "node:zlib"
import { cjkFont, writePdf } from "./pdf-writer.ts"
import { caseFile, read, refusal } from "./read.ts"

const lorem = (words: number, from = 0) =>
  Array.from({ length: words }, (_, at) => `w${from + at}`).join(" ")

test("a link that is its own piece is separated from the words next to it", async () => {
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
          // Over "harbour" only.
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

test("aligned cells are a table, and columns of text are not", async () => {
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

test("running heads are read once, and page numbers are left out; pages are sections", async () => {
  const pages = [1, 2, 3, 4].map((number) => ({
    texts: [
      { text: "Annals of tides", x: 60, y: 30 },
      { text: `Page ${number} lists tide ${number}.`, x: 60, y: 200 },
      { text: String(number), x: 290, y: 820 },
    ],
  }))
  const { markdown, document, facts } = await read("pdf", writePdf(pages))
  expect(markdown).toBe(
    [
      "Annals of tides\n",
      ...[1, 2, 3, 4].map((number) => `Page ${number} lists tide ${number}.\n`),
    ].join("\n"),
  )
  expect(document.querySelectorAll("section").length).toBe(4)
  expect(facts.pageCount).toBe(4)
})

test("a running head whose text is in the document as well is left out", async () => {
  const pages = [1, 2, 3, 4].map((number) => ({
    texts: [
      { text: "Annals of tides", x: 60, y: number === 1 ? 300 : 30 },
      { text: `Tide ${number} was low.`, x: 60, y: 400 },
    ],
  }))
  const { markdown } = await read("pdf", writePdf(pages))
  expect(markdown.match(/Annals of tides/g)?.length).toBe(1)
  expect(markdown).toStartWith("Annals of tides\n\nTide 1 was low.")
})

test("pages that have only lines in their margins keep them", async () => {
  const pages = [1, 2, 3, 4, 5].map((number) => ({
    texts: [
      { text: `Chart ${number}`, x: 60, y: 40 },
      ...(number === 1 ? [{ text: "All charts", x: 60, y: 300 }] : []),
    ],
  }))
  const { markdown } = await read("pdf", writePdf(pages))
  for (const number of [1, 2, 3, 4, 5]) expect(markdown).toContain(`Chart ${number}`)
})

test("scanned, locked, empty and broken files are reported as such", async () => {
  expect(await refusal("pdf", writePdf([{ image: true }, { image: true }]))).toBe(
    "scanned_document: The PDF's 2 pages are images, as from a scanner, without text.",
  )
  const partly = await read(
    "pdf",
    writePdf([{ image: true }, { texts: [{ text: "Read me.", x: 60, y: 60 }] }]),
  )
  expect(partly.facts.pagesWithoutText).toBe(1)
  expect(await refusal("pdf", await caseFile("locked.pdf"))).toBe(
    "encrypted_document: The PDF is encrypted, and opens with a password only.",
  )
  const whole = await caseFile("tides.pdf")
  expect(await refusal("pdf", whole.subarray(0, whole.length / 2))).toBe(
    "unreadable_document: The PDF is truncated: its end is missing.",
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

test("lines of a paragraph close above a table are kept if its last line is the header", async () => {
  const texts = [
    { text: "A paragraph of two lines is close above", x: 60, y: 100 },
    { text: "a table, whose head it seems to go on with.", x: 60, y: 114 },
    { text: "Quarter Ships", x: 60, y: 128 },
    { text: "First", x: 60, y: 142 },
    { text: "120", x: 140, y: 142 },
    { text: "Second", x: 60, y: 156 },
    { text: "131", x: 140, y: 156 },
  ]
  const { markdown } = await read("pdf", writePdf([{ texts }]))
  expect(markdown).toContain("A paragraph of two lines is close above a table")
  expect(markdown).toContain("131")
})

test("columns with lines at different heights are read one after the other", async () => {
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

test("each of three columns is read as a whole, for example on a reference card", async () => {
  const marks = ["east", "hub", "west"]
  const texts = marks.flatMap((mark, column) =>
    Array.from({ length: 48 }, (_, line) => ({
      text: line % 2 === 0 ? `set ${mark}${line}` : `of ${line} ${mark}`,
      x: 40 + column * 180 + (line % 2) * 12,
      y: 100 + (column % 2) * 6.5 + line * 13,
      size: 9,
    })),
  )
  const { document } = await read("pdf", writePdf([{ texts }]))
  const words = document.body.textContent!
  const at = marks.flatMap((mark) => [`${mark}0`, `${mark}46`])
  const positions = at.map((word) => words.indexOf(word))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(positions[0]).toBeGreaterThanOrEqual(0)
})

test("three columns of a newspaper share their baselines, and cells of a table do not fill theirs", async () => {
  const columns = (fill: (line: number, column: number) => string) =>
    Array.from({ length: 10 }, (_, line) =>
      [0, 1, 2].map((column) => ({
        text: fill(line, column),
        x: 40 + column * 180,
        y: 120 + line * 13,
      })),
    ).flat()
  const text = (line: number, column: number) => `the tide ${column}x${line} is seen on the quay`
  const cell = (line: number, column: number) =>
    column === 1 && line % 3 !== 0
      ? `at ${column}x${line}`
      : `a mooring ${column}x${line}, by the quay`
  const wordsIn = async (texts: ReturnType<typeof columns>) =>
    (await read("pdf", writePdf([{ texts }]))).document.body.textContent!
  const news = await wordsIn(columns(text))
  const order = ["0x0", "0x9", "1x0", "1x9", "2x0", "2x9"].map((word) => news.indexOf(word))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThanOrEqual(0)
  const table = await wordsIn(columns(cell))
  expect(table.indexOf("1x0")).toBeLessThan(table.indexOf("0x1"))
  expect(table.indexOf("2x0")).toBeLessThan(table.indexOf("0x1"))
})

test.each([
  ["GBK-EUC-H", "GB1", [0xd6, 0xd0, 0xb9, 0xfa], "中国"],
  ["90ms-RKSJ-H", "Japan1", [0x93, 0xfa, 0x96, 0x7b], "日本"],
  ["EUC-H", "Japan1", [0xc6, 0xfc, 0xcb, 0xdc], "日本"],
  ["ETen-B5-H", "CNS1", [0xa4, 0xa4, 0xa4, 0xe5], "中文"],
  ["KSCms-UHC-H", "Korea1", [0xc7, 0xd1, 0xb1, 0xb9], "한국"],
  ["UniGB-UTF16-H", "GB1", [0x4e, 0x2d, 0x65, 0x87], "中文"],
  // Numbers of characters in Adobe's collection.
  ["Identity-H", "Korea1", [0x04, 0x3e, 0x04, 0x3f], "가각"],
])("text in %s without a map to Unicode", async (encoding, ordering, codes, text) => {
  const texts = [{ text: Uint8Array.from(codes), x: 60, y: 120 }]
  const { markdown, facts } = await read(
    "pdf",
    writePdf([{ texts }], { font: cjkFont(encoding, ordering) }),
  )
  expect(markdown).toBe(`${text}\n`)
  expect(facts).not.toHaveProperty("unmappedGlyphs")
})

test("glyphs without characters are counted, and are not scanned images", async () => {
  const font = cjkFont("Identity-H", "Identity")
  const text = new Uint8Array(
    [...Buffer.from("7KH#FUDQH#LV#KHUH#", "latin1")].flatMap((code) => [0, code === 35 ? 3 : code]),
  )
  const { facts } = await read("pdf", writePdf([{ texts: [{ text, x: 60, y: 120 }] }], { font }))
  expect(facts.unmappedGlyphs).toBe(text.length / 2)
  const unknown = new Uint8Array([0xe0, 0x01, 0xe0, 0x02, 0x20, 0x20])
  const some = await read(
    "pdf",
    writePdf([{ texts: [{ text: unknown, x: 60, y: 120 }] }], { font }),
  )
  expect(some.facts.unmappedGlyphs).toBe(2)
  const nothing = new Uint8Array([0, 1, 0, 2])
  expect(
    await refusal("pdf", writePdf([{ texts: [{ text: nothing, x: 60, y: 120 }] }], { font })),
  ).toBe(
    "unreadable_document: The PDF has no readable text: its fonts do not map glyphs to characters.",
  )
})

test("columns of vertical text are read from the right", async () => {
  const text = (written: string) => new Uint8Array(Buffer.from(written, "utf16le").swap16())
  const texts = [
    { text: text("第二行。"), x: 280, y: 100 },
    { text: text("第一行。"), x: 300, y: 100 },
  ]
  const font = cjkFont("UniCNS-UTF16-V", "CNS1")
  expect((await read("pdf", writePdf([{ texts }], { font }))).markdown).toBe("第一行。第二行。\n")
})

test("letters that are drawn twice to look bold are read once", async () => {
  let x = 60
  const letters = [..."Bold all"].flatMap((text) => {
    const at = x
    x += 14 * (text === "l" ? 0.222 : text === " " ? 0.278 : text === "B" ? 0.667 : 0.556)
    return text === " " ? [] : [0, 0.4].map((shift) => ({ text, x: at + shift, y: 120, size: 14 }))
  })
  const word = [0, 1].map((shift) => ({ text: "HOW BIG", x: 60 + shift, y: 160 + shift, size: 20 }))
  // The third copy of a letter is in the same piece as the next letter.
  const joined = [
    { text: "T", x: 60, y: 200, size: 14 },
    { text: "Te", x: 60.3, y: 200, size: 14 },
    { text: "e", x: 68.8, y: 200, size: 14 },
    { text: "es", x: 69.1, y: 200, size: 14 },
  ]
  const { markdown } = await read("pdf", writePdf([{ texts: [...letters, ...word, ...joined] }]))
  expect(markdown.replace(/#+ |\n+/g, "|")).toBe("Bold all||HOW BIG|Tes|")
})

test("a raised number belongs to its line, also if it is hardly smaller", async () => {
  const texts = [
    { text: "Area: 5,070 mi", x: 60, y: 120, size: 10 },
    { text: "2", x: 125.5, y: 116, size: 8 },
    { text: ", approximately.", x: 130, y: 120, size: 10 },
  ]
  const { markdown } = await read("pdf", writePdf([{ texts }]))
  expect(markdown).toBe("Area: 5,070 mi2, approximately.\n")
})

test("a drawn space separates words, however narrow", async () => {
  const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 32/Widths[40]>>"
  const texts = [{ text: "Care for all", x: 60, y: 120 }]
  const { markdown } = await read("pdf", writePdf([{ texts }], { font }))
  expect(markdown).toBe("Care for all\n")
})

test("values of form fields are next to their labels, and a damaged page does not affect others", async () => {
  const field = "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/V(Aurora)/Rect[160 712 300 728]/F 4>>"
  const texts = [{ text: "Name of ship:", x: 60, y: 126 }]
  const { markdown } = await read("pdf", writePdf([{ texts, annotations: [field] }]))
  expect(markdown).toContain("Name of ship")
  expect(markdown).toContain("Aurora")
  const { facts, markdown: others } = await read("pdf", writePdf([{ texts }, { isBroken: true }]))
  expect(others).toBe("Name of ship:\n")
  expect(facts).toMatchObject({ pageCount: 2, pagesRead: 1, pagesWithoutText: 0 })
})

test("signatures, stamps and buttons are read at their positions, except hidden ones", async () => {
  const drawing =
    "BT /F 11 Tf 1 0 0 1 2 20 Tm (Signed by ) Tj (Ada) Tj 0 -10 Td [(May)-300(5)] TJ ET"
  const form = `<</Type/XObject/Subtype/Form/BBox[0 0 120 30]/Resources<</Font<</F 3 0 R>>>>/Length ${drawing.length}>>stream\n${drawing}\nendstream`
  const shown = (kind: string, flags: number) =>
    `<</Type/Annot${kind}/Rect[60 600 180 630]/F ${flags}/AP<</N 5 0 R>>>>`
  const signature = "/Subtype/Widget/FT/Sig/T(s)"
  const texts = [
    { text: "Contract", x: 60, y: 126 },
    { text: "Annex", x: 60, y: 400 },
  ]
  const markdownOf = async (...annotations: string[]) =>
    (await read("pdf", writePdf([{ texts, annotations: [form, ...annotations] }]))).markdown
  const signed = "Contract\n\nSigned by Ada May 5\n\nAnnex\n"
  expect(await markdownOf(shown(signature, 4))).toBe(signed)
  expect(await markdownOf(shown("/Subtype/Stamp", 4))).toBe(signed)
  expect(await markdownOf(shown("/Subtype/Widget/FT/Btn/Ff 65536/T(b)", 4))).toBe(signed)
  expect(await markdownOf(shown(signature, 2))).toBe("Contract\n\nAnnex\n")
})

test("a list of a form shows its choices, not its value only", async () => {
  const list =
    "<</Type/Annot/Subtype/Widget/FT/Ch/T(l)/Opt[(Alpha)(Beta)]/V(Beta)/Rect[160 690 300 730]/F 4/AP<</N 5 0 R>>>>"
  const drawing = "BT /F 9 Tf 2 28 Td (Alpha) Tj 0 -12 Td (Beta) Tj ET"
  const form = `<</Type/XObject/Subtype/Form/BBox[0 0 140 40]/Resources<</Font<</F 3 0 R>>>>/Length ${drawing.length}>>stream\n${drawing}\nendstream`
  const texts = [{ text: "Choices:", x: 60, y: 120 }]
  const { markdown } = await read("pdf", writePdf([{ texts, annotations: [form, list] }]))
  expect(markdown.match(/Choices|Alpha|Beta/g)).toEqual(["Choices", "Alpha", "Beta"])
})

test("the mark of a footnote is apart from its text, and a raised letter is in its word", async () => {
  const texts = [
    { text: "Typeset on paper by", x: 60, y: 120, size: 10 },
    { text: "L", x: 153, y: 120, size: 10 },
    { text: "A", x: 158, y: 117.8, size: 7 },
    { text: "TEX", x: 162, y: 120, size: 10 },
    { text: "1", x: 60, y: 696, size: 6 },
    { text: "There is more.", x: 64, y: 700, size: 9 },
  ]
  const { markdown } = await read("pdf", writePdf([{ texts }]))
  expect(markdown).toBe("Typeset on paper by LATEX\n\n1 There is more.\n")
})

test("rotated text is read along its lines, however its pieces are ordered", async () => {
  const piece = (text: string, x: number, y: number) =>
    `BT /F 11 Tf 0 1 -1 0 ${x} ${y} Tm (${text}) Tj ET`
  const commands = [
    piece("of 1953", 114, 300),
    piece("th", 100, 317.8),
    piece("Nor", 100, 300),
    piece("Sea flood", 100, 330),
  ].join("\n")
  const { markdown } = await read("pdf", writePdf([{ packed: deflateSync(commands) }]))
  expect(markdown).toBe("North Sea flood of 1953\n")
})

test("a table continues after labels of several lines, of groups, and cells that span columns", async () => {
  const row = (y: number, ...cells: string[]) =>
    cells.map((text, at) => ({ text, x: 60 + (at === 0 ? 0 : 140 + at * 80), y, size: 10 }))
  const texts = [
    ...row(100, "Ship", "March", "April"),
    ...row(116, "Aurora", "120", "131"),
    ...row(140, "Ships of other companies"),
    ...row(156, "Tugs and pilots,"),
    { text: "40", x: 280, y: 161, size: 10 },
    { text: "41", x: 360, y: 161, size: 10 },
    ...row(166, "hired by the day"),
    ...row(182, "Borealis", "7", "8"),
    ...row(198, "Corona", "9", "3"),
    { text: "Delta", x: 60, y: 214, size: 10 },
    { text: "none in either of both", x: 282, y: 214, size: 10 },
    ...row(
      260,
      "The table ends here, and this is a line of text that is as wide as all of it was above.",
    ),
  ]
  const { markdown } = await read("pdf", writePdf([{ texts }]))
  expect(markdown).toBe(
    [
      "| Ship | March | April |",
      "| --- | --- | --- |",
      "| Aurora | 120 | 131 |",
      "| Ships of other companies |  |  |",
      "| Tugs and pilots, hired by the day | 40 | 41 |",
      "| Borealis | 7 | 8 |",
      "| Corona | 9 | 3 |",
      "| Delta | none in either of both |  |",
      "",
      "The table ends here, and this is a line of text that is as wide as all of it was above.",
      "",
    ].join("\n"),
  )
})

test("a line of a paragraph with a gap in it starts no table", async () => {
  const texts = [
    { text: "[6] A. Aho, R. Sethi and J. Ullman.", x: 60, y: 100, size: 10 },
    { text: "Compilers: Principles,", x: 240, y: 100, size: 10 },
    { text: "techniques, and tools, 2006.", x: 75, y: 112, size: 10 },
    { text: "[7] V. Bala and E. Duesterwald.", x: 60, y: 124, size: 10 },
    { text: "Dynamo: A transparent", x: 240, y: 124, size: 10 },
  ]
  expect((await read("pdf", writePdf([{ texts }]))).markdown).not.toContain("|")
})

/**
 * Returns a page whose parts have tags, in the order of its content; `P` is the root's child unless
 * it has another parent.
 */
function taggedPdf(
  parts: [tag: string, text: string, x: number, y: number][],
  groups: { role: string; from: number; to: number }[] = [],
) {
  const commands = parts.map(
    ([tag, text, x, y], at) =>
      `${tag === "" ? "/Artifact BMC" : `/Span <</MCID ${at}>> BDC`} BT /F 11 Tf 1 0 0 1 ${x} ${842 - y} Tm (${text}) Tj ET EMC`,
  )
  const structure = (root: number, page: number) => {
    const first = root + 2
    const group = first + parts.length
    const parentOf = (at: number) => {
      const found = groups.findIndex(({ from, to }) => at >= from && at < to)
      return found < 0 ? root : group + found
    }
    const elements = parts.map(
      ([tag], at) =>
        `<</Type/StructElem/S/${tag || "P"}/P ${parentOf(at)} 0 R/Pg ${page} 0 R${tag === "" ? "" : `/K ${at}`}>>`,
    )
    const ids = parts.map((_, at) => first + at)
    const kids = (parent: number) =>
      ids.filter((_, at) => parentOf(at) === parent).map((id) => `${id} 0 R`)
    const order = ids.flatMap((id, at) => {
      const parent = parentOf(at)
      if (parent === root) return [`${id} 0 R`]
      return at === groups[parent - group]!.from ? [`${parent} 0 R`] : []
    })
    return [
      `<</Type/StructTreeRoot/K[${order.join(" ")}]/ParentTree ${root + 1} 0 R>>`,
      `<</Nums[0[${ids.map((id) => `${id} 0 R`).join(" ")}]]>>`,
      ...elements,
      ...groups.map(
        ({ role }, at) =>
          `<</Type/StructElem/S/${role}/P ${root} 0 R/Pg ${page} 0 R/K[${kids(group + at).join(" ")}]>>`,
      ),
    ]
  }
  return writePdf([{ packed: deflateSync(commands.join("\n")) }], { structure })
}

test("a tagged PDF has the headings, items, order and artifacts that its tags state", async () => {
  const bytes = taggedPdf([
    ["H2", "Kites over the sea", 60, 126],
    ["P", "The second column is read later,", 60, 150],
    ["LI", "Red kites are back.", 60, 300],
    ["LI", "Black kites are not.", 60, 320],
    ["", "Running head", 60, 40],
    ["P", "even if it is above.", 320, 100],
  ])
  const { markdown } = await read("pdf", bytes)
  expect(markdown).toBe(
    "## Kites over the sea\n\nThe second column is read later,\n\n- Red kites are back.\n- Black kites are not.\n\neven if it is above.\n",
  )
})

test("a tagged PDF whose tags miss a part of the text is read by its layout", async () => {
  const parts: [string, string, number, number][] = [["H2", "Kites over the sea", 60, 126]]
  const bytes = taggedPdf(parts)
  const missing = Buffer.from(bytes).toString("latin1").replace("/K 0>>", "/X 0>>")
  expect((await read("pdf", bytes)).markdown).toBe("## Kites over the sea\n")
  expect((await read("pdf", new Uint8Array(Buffer.from(missing, "latin1")))).markdown).toBe(
    "Kites over the sea\n",
  )
})

test("cells of a tagged PDF in a table, and in groups without a kind", async () => {
  const cells: [string, string, number, number][] = [
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
  ].map((text, at) => ["TD", text, 60 + (at % 2) * 200, 126 + Math.floor(at / 2) * 16])
  const table = taggedPdf(cells, [
    { role: "TR", from: 0, to: 2 },
    { role: "TR", from: 2, to: 4 },
    { role: "TR", from: 4, to: 6 },
  ])
  // Rows without a table are groups: Chrome writes a table without a header this way.
  expect((await read("pdf", table)).markdown).toBe(
    "| One | Two |\n| --- | --- |\n| Three | Four |\n| Five | Six |\n",
  )
})

test("texts of a tagged PDF outside its structure are kept, also if they are marked as artifacts", async () => {
  const long = "A line of the text that is marked as an artifact by mistake"
  const lines = Array.from({ length: 8 }, (_, at): [string, string, number, number] => [
    "",
    `${long}.`,
    60,
    140 + at * 14,
  ])
  const { markdown } = await read("pdf", taggedPdf([["P", "Tagged.", 60, 100], ...lines]))
  expect(markdown.split(long)).toHaveLength(9)
})
