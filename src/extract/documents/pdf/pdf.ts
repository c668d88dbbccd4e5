import { isoDate, textOrNull } from "../../core/index.ts"
import {
  type DocumentMetadata,
  type DocumentResources,
  escaped,
  type OutlineEntry,
  type ReadDocument,
  unreadable,
} from "../pages/document-page.ts"
import { type Annotation, writtenIn } from "./annotations.ts"
import { Appearances } from "./appearances.ts"
import { type Block, blocksOf } from "./blocks.ts"
import { correctMathLetters, GlyphNames } from "./glyph-names.ts"
import { bare, blocksHtml, headingLevels, roundedSize } from "./html.ts"
import { LineNumbers } from "./line-numbers.ts"
import { LostLigatures } from "./lost-ligatures.ts"
import { openPdf, type Pdf } from "./open.ts"
import { type Row, regionsOf, rowsOf } from "./order.ts"
import { RtlLigatures } from "./rtl-ligatures.ts"
import { type LinkArea, segmentsOf, type TextItem, textOfSegment } from "./segments.ts"
import { type MarkedItem, type TagNode, taggedBlocks } from "./tags.ts"
import { countUnmapped, withoutText } from "./unread.ts"

const maxPdfPages = 1000
const maxOutline = 2000
/** Rows at the top and bottom of each page that are compared, to find running headers. */
const edgeRows = 2

interface SetPage {
  regions: Row[][]
  /** Blocks by the page's tags. */
  tagged?: Block[] | null
  height: number
  /** Paragraphs after the text: its rotated text. */
  aside: string[]
  unmapped: number
}

/**
 * Reads a PDF: text in reading order, with headings by outline and size, tables, lists and links.
 */
export async function readPdf(
  bytes: Uint8Array,
  resources: DocumentResources,
  maxPages = maxPdfPages,
): Promise<ReadDocument> {
  // Otherwise the rest of a truncated document would be read as the whole.
  const end = Buffer.from(bytes.subarray(-4096)).toString("latin1")
  if (!/%%EOF|startxref/.test(end)) throw unreadable("The PDF is truncated: its end is missing.")
  const pdf = await openPdf(bytes, resources)
  try {
    const pages: SetPage[] = []
    const count = Math.min(pdf.numPages, maxPdfPages, maxPages)
    const reader = {
      appearances: new Appearances(),
      glyphNames: new GlyphNames(),
      ligatures: new RtlLigatures(),
      lineNumbers: new LineNumbers(),
      lostLigatures: new LostLigatures(),
      isTagged: (await pdf.getMarkInfo().catch(() => null))?.Marked === true,
    }
    let broken = 0
    for (let number = 1; number <= count; number++) {
      const page = await readPage(pdf, number, reader)
      if (!page) broken++
      pages.push(page ?? { regions: [], aside: [], height: 1, unmapped: 0 })
    }
    if (broken === count) throw unreadable("The PDF is damaged: none of its pages can be read.")
    const empty = pages.filter(
      ({ regions, aside, tagged }) => regions.length + aside.length + (tagged?.length ?? 0) === 0,
    ).length
    if (empty === pages.length) throw await withoutText(pdf)
    const outline = await outlineOf(pdf)
    const titles = new Map(outline.map(({ title, level }) => [bare(title), Math.min(6, level)]))
    const repeated = repeatedLines(pages)
    const stored = blocksOfPages(pages, isLeftOut(pages, repeated))
    // If most pages have only such lines, the lines are their text.
    const withText = stored.filter((page) => page.length > 0).length
    const areHeads = withText * 2 > pages.length - empty
    const blocks = areHeads ? stored : blocksOfPages(pages, () => false)
    const unmapped = pages.reduce((sum, page) => sum + page.unmapped, 0)
    const areTagged = blocks.flat().some((block) => block.kind === "text" && block.tag?.level)
    const headings = headingLevels(sizesOf(blocks), titles, areTagged)
    return {
      metadata: await metadataOf(pdf),
      parts: pages.map(({ aside }, at) => {
        const paragraphs = aside.map((text) => `<p>${escaped(text)}</p>`)
        return blocksHtml(blocks[at]!, headings) + paragraphs.join("")
      }),
      facts: {
        pageCount: pdf.numPages,
        pagesRead: count - broken,
        pagesWithoutText: empty - broken,
        ...(unmapped > 0 ? { unmappedGlyphs: unmapped } : {}),
        outline,
      },
    }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

const blocksOfPages = (
  pages: readonly SetPage[],
  leftOut: (row: Row, page: SetPage) => boolean,
): Block[][] =>
  pages.map(
    (page) =>
      page.tagged ??
      page.regions
        .map((rows) => rows.filter((row) => !leftOut(row, page)))
        .filter((rows) => rows.length > 0)
        .flatMap(blocksOf),
  )

const lettersOf = (text: string) => text.replace(/[^\p{L}]+/gu, "").toLowerCase()

/** In letters: shorter running heads are page numbers, for example "Page 3 of 7". */
const minHead = 12

/**
 * Returns whether a row is a repeated line that is left out. A running head is kept once if the
 * document has its text nowhere else, for example the address of a letterhead.
 */
function isLeftOut(pages: readonly SetPage[], repeated: ReadonlySet<string>) {
  const seen = new Set<string>()
  const rest = pages
    .flatMap((page) => page.regions.flat().filter((row) => !repeated.has(edgeKey(row, page))))
    .flatMap(({ segments }) => segments.map((segment) => lettersOf(textOfSegment(segment))))
    .join("")
  return (row: Row, page: SetPage): boolean => {
    const key = edgeKey(row, page)
    if (!repeated.has(key)) return false
    const letters = lettersOf(key)
    const isKept = letters.length >= minHead && !seen.has(letters) && !rest.includes(letters)
    seen.add(letters)
    return !isKept
  }
}

/** State of a document that its pages share. */
interface PageReader {
  appearances: Appearances
  glyphNames: GlyphNames
  ligatures: RtlLigatures
  lineNumbers: LineNumbers
  lostLigatures: LostLigatures
  isTagged: boolean
}

/** Returns null for a page that is broken. */
async function readPage(
  pdf: Pdf,
  number: number,
  { appearances, glyphNames, ligatures, lineNumbers, lostLigatures, isTagged }: PageReader,
): Promise<SetPage | null> {
  const page = await pdf.getPage(number).catch(() => null)
  if (!page) return null
  try {
    const view = page.getViewport({ scale: 1 })
    const toPage = (x: number, y: number) => view.convertToViewportPoint(x, y) as [number, number]
    const content = await page.getTextContent({ includeMarkedContent: isTagged }).catch(() => null)
    if (!content) return null
    const { items } = content
    const annotations = await page.getAnnotations().catch(() => [])
    const texts = items.filter((item) => "str" in item) as TextItem[]
    await glyphNames.apply(page, texts)
    await ligatures.apply(page, texts)
    await lostLigatures.apply(page, texts)
    correctMathLetters(texts)
    const drawn = await appearances.items(page, annotations)
    texts.push(...writtenIn(annotations.filter(({ id = "" }) => !drawn.has(id))))
    texts.push(...[...drawn.values()].flat())
    const links = linksOf(annotations, toPage)
    const { segments, askew } = segmentsOf(texts, toPage, links, (pieces) =>
      lineNumbers.without(pieces),
    )
    // Texts of annotations have no tags.
    const isWhole = texts.length === items.filter((item) => "str" in item).length
    const tree = isTagged && isWhole ? await page.getStructTree().catch(() => null) : null
    const tagged = taggedBlocks(tree as TagNode | null, items as MarkedItem[], toPage, links)
    return {
      regions: regionsOf(segments),
      tagged,
      height: view.height,
      aside: askew.length > 0 && !tagged ? [askew.join(" ")] : [],
      unmapped: countUnmapped(texts),
    }
  } finally {
    page.cleanup()
  }
}

function linksOf(
  annotations: Annotation[],
  toPage: (x: number, y: number) => readonly [number, number],
): LinkArea[] {
  const links: LinkArea[] = []
  for (const { subtype, url = "", rect } of annotations) {
    if (subtype !== "Link" || !/^(?:https?|mailto):/i.test(url) || links.length >= 2000) continue
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

async function metadataOf(pdf: Pdf): Promise<DocumentMetadata> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }))
  const stated = info as Record<string, unknown>
  const text = (name: string) => {
    const value = stated[name]
    return typeof value === "string" ? textOrNull(value) : null
  }
  return {
    // Printer drivers put the file's name into the title.
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
      if (entries.length >= maxOutline) return
      entries.push({ level, title: title.trim(), page: await pageOf(pdf, dest) })
      if (level < 10) await add(below, level + 1)
    }
  }
  await add(await pdf.getOutline().catch(() => []), 1)
  return entries
}

async function pageOf(pdf: Pdf, destination: unknown): Promise<number | null> {
  try {
    const target =
      typeof destination === "string" ? await pdf.getDestination(destination) : destination
    const [page] = (target ?? []) as [unknown]
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

/**
 * Returns the lines at the top or bottom that many pages share, apart from numbers: running heads
 * and page numbers.
 */
function repeatedLines(pages: SetPage[]): Set<string> {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const rows = rowsOf(page.regions.flat().flatMap((row) => row.segments))
    const edges = new Set([...rows.slice(0, edgeRows), ...rows.slice(-edgeRows)])
    for (const key of new Set([...edges].map((row) => edgeKey(row, page)))) {
      if (key !== "") counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  const min = Math.max(3, Math.min(5, pages.length / 3))
  return new Set([...counts].filter(([, count]) => count >= min).map(([key]) => key))
}

/** Returns the text and position of a line as a key, or "" outside the page's margins. */
function edgeKey(row: Row, { height }: SetPage): string {
  const share = row.y / height
  if (share > 0.12 && share < 0.88) return ""
  const text = row.segments
    .map(textOfSegment)
    .join(" ")
    .replace(/(?<![\d.,])\d+(?![.,]?\d)/g, "#")
    .replace(/\s+/g, " ")
    .trim()
  return `${Math.round(row.y / 4)} ${text}`
}
