import { getResolvedPDFJS } from "unpdf"
import { isoDate, textOrNull } from "../core/index.ts"
import {
  type DocumentMetadata,
  escaped,
  type OutlineEntry,
  type ReadDocument,
  UnreadableDocument,
  unreadable,
} from "./document-page.ts"
import { type Block, blocksOf } from "./pdf-blocks.ts"
import { bare, blocksHtml, headingLevels, roundedSize } from "./pdf-html.ts"
import { type Row, regionsOf, rowsOf } from "./pdf-order.ts"
import { type LinkArea, segmentsOf, type TextItem, textOfSegment } from "./pdf-segments.ts"

type Pdf = Awaited<
  ReturnType<Awaited<ReturnType<typeof getResolvedPDFJS>>["getDocument"]>["promise"]
>
type PdfPage = Awaited<ReturnType<Pdf["getPage"]>>

const mostPages = 1000
const mostOutline = 2000
/** Rows at the top and bottom of each page that are compared, to find running headers. */
const edgeRows = 2

interface SetPage {
  regions: Row[][]
  height: number
  askew: string[]
}

/** A PDF: text in reading order, with headings by outline and size, tables, lists and links. */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  // What is left of a document would be read as if it were all.
  const end = Buffer.from(bytes.subarray(-4096)).toString("latin1")
  if (!/%%EOF|startxref/.test(end)) throw unreadable("The PDF breaks off before its end.")
  const pdf = await open(bytes)
  try {
    const pages: SetPage[] = []
    const count = Math.min(pdf.numPages, mostPages)
    for (let number = 1; number <= count; number++) pages.push(await readPage(pdf, number))
    const empty = pages.filter(({ regions, askew }) => regions.length + askew.length === 0).length
    if (empty === pages.length) throw await withoutText(pdf, pages.length)
    const outline = await outlineOf(pdf)
    const titles = new Map(outline.map(({ title, level }) => [bare(title), Math.min(6, level)]))
    const repeated = repeatedLines(pages)
    const blocks = pages.map((page) =>
      page.regions
        .map((rows) => rows.filter((row) => !repeated.has(edgeKey(row, page))))
        .filter((rows) => rows.length > 0)
        .flatMap(blocksOf),
    )
    const headings = headingLevels(sizesOf(blocks), titles)
    return {
      metadata: await metadataOf(pdf),
      parts: pages.map(({ askew }, at) => {
        const aside = askew.length > 0 ? `<p>${escaped(askew.join(" "))}</p>` : ""
        return blocksHtml(blocks[at]!, headings) + aside
      }),
      facts: { pageCount: pdf.numPages, pagesRead: count, pagesWithoutText: empty, outline },
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  const { getDocument } = await getResolvedPDFJS()
  try {
    return await getDocument({
      data: bytes,
      disableFontFace: true,
      useSystemFonts: true,
      useWorkerFetch: false,
      stopAtErrors: false,
      verbosity: 0,
    }).promise
  } catch (error) {
    const { name, message } = error as Error
    if (name === "PasswordException") {
      throw new UnreadableDocument(
        "The PDF is encrypted, and opens with a password only.",
        "encrypted_document",
      )
    }
    throw unreadable(`The PDF is broken (${message}).`)
  }
}

async function readPage(pdf: Pdf, number: number): Promise<SetPage> {
  const page = await pdf.getPage(number).catch((error) => {
    throw unreadable(`Page ${number} of the PDF is broken (${(error as Error).message}).`)
  })
  try {
    const view = page.getViewport({ scale: 1 })
    const toPage = (x: number, y: number) => view.convertToViewportPoint(x, y) as [number, number]
    const { items } = await page.getTextContent()
    const texts = items.filter((item) => "str" in item) as TextItem[]
    const { segments, askew } = segmentsOf(texts, toPage, await linksOf(page, toPage))
    return { regions: regionsOf(segments), height: view.height, askew }
  } finally {
    page.cleanup()
  }
}

async function linksOf(
  page: PdfPage,
  toPage: (x: number, y: number) => readonly [number, number],
): Promise<LinkArea[]> {
  const annotations = await page.getAnnotations().catch(() => [])
  const links: LinkArea[] = []
  for (const { subtype, url, rect } of annotations) {
    if (subtype !== "Link" || !/^(?:https?|mailto):/i.test(url ?? "") || links.length >= 2000)
      continue
    const [ax, ay] = toPage(rect[0], rect[1])
    const [bx, by] = toPage(rect[2], rect[3])
    links.push({
      url,
      x0: Math.min(ax, bx),
      x1: Math.max(ax, bx),
      y0: Math.min(ay, by),
      y1: Math.max(ay, by),
    })
  }
  return links
}

/** Nothing on any page is text: it is scanned, or empty. */
async function withoutText(pdf: Pdf, pages: number): Promise<UnreadableDocument> {
  const first = await pdf.getPage(1)
  const { fnArray } = await first.getOperatorList()
  if (fnArray.length === 0) return unreadable("The PDF is empty: no page holds anything.")
  return new UnreadableDocument(
    `The PDF's ${pages === 1 ? "page is a picture" : `${pages} pages are pictures`}, as of a scanner, and holds no text to be read.`,
    "scanned_document",
  )
}

async function metadataOf(pdf: Pdf): Promise<DocumentMetadata> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const said = info as Record<string, unknown>
  const text = (name: string) => {
    const value = said[name]
    return typeof value === "string" ? textOrNull(value) : null
  }
  return {
    // What a printer driver puts there is the file's name.
    title: text("Title")?.replace(/^Microsoft Word - /, "") ?? null,
    author: text("Author"),
    description: text("Subject"),
    keywords: text("Keywords"),
    language: text("Language"),
    createdAt: pdfDate(text("CreationDate")),
    modifiedAt: pdfDate(text("ModDate")),
  }
}

/** D:20240131120000+01'00' */
function pdfDate(written: string | null): string | null {
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:Z|([+-]\d\d)'?(\d\d)?)?/.exec(
    written ?? "",
  )
  if (!parts) return null
  const [, year, month = "01", day = "01", hour, minute = "00", second = "00", zone, rest = "00"] =
    parts
  if (hour === undefined) return isoDate(`${year}-${month}-${day}`)
  return isoDate(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${zone ? `${zone}:${rest}` : "Z"}`,
  )
}

type PdfOutline = Awaited<ReturnType<Pdf["getOutline"]>>

async function outlineOf(pdf: Pdf): Promise<OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  const add = async (items: PdfOutline, level: number): Promise<void> => {
    for (const { title, dest, items: below } of items ?? []) {
      if (entries.length >= mostOutline) return
      entries.push({ level, title: title.trim(), page: await pageOf(pdf, dest) })
      if (level < 10) await add(below, level + 1)
    }
  }
  await add(await pdf.getOutline().catch(() => []), 1)
  return entries
}

async function pageOf(pdf: Pdf, destination: unknown): Promise<number | null> {
  try {
    const place =
      typeof destination === "string" ? await pdf.getDestination(destination) : destination
    const [page] = (place ?? []) as [unknown]
    if (typeof page === "number") return page + 1
    return page ? (await pdf.getPageIndex(page as Parameters<Pdf["getPageIndex"]>[0])) + 1 : null
  } catch {
    return null
  }
}

function sizesOf(pages: Block[][]): Map<number, number> {
  const sizes = new Map<number, number>()
  for (const block of pages.flat()) {
    if (block.kind !== "text") continue
    const size = roundedSize(block.size)
    const length = block.lines.flat().reduce((sum, { text }) => sum + text.length, 0)
    sizes.set(size, (sizes.get(size) ?? 0) + length)
  }
  return sizes
}

/** Lines at the top or bottom that most pages have, numbers aside: running heads and page numbers. */
function repeatedLines(pages: SetPage[]): Set<string> {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const rows = rowsOf(page.regions.flat().flatMap((row) => row.segments))
    const edges = new Set([...rows.slice(0, edgeRows), ...rows.slice(-edgeRows)])
    for (const key of new Set([...edges].map((row) => edgeKey(row, page)))) {
      if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const least = Math.max(3, Math.min(5, pages.length / 3))
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key))
}

/** A line by what it says and where; "" where no running head stands. */
function edgeKey(row: Row, { height }: SetPage): string {
  const place = row.y / height
  if (place > 0.12 && place < 0.88) return ""
  const text = row.segments
    .map(textOfSegment)
    .join(" ")
    .replace(/\d+/g, "#")
    .replace(/\s+/g, " ")
    .trim()
  return `${Math.round(row.y / 4)} ${text}`
}
