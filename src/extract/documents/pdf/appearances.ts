import { getResolvedPDFJS } from "unpdf"
import type { Annotation } from "./annotations.ts"
import type { Pdf } from "./open.ts"
import type { TextItem } from "./segments.ts"

type Page = Awaited<ReturnType<Pdf["getPage"]>>
type Matrix = [a: number, b: number, c: number, d: number, e: number, f: number]

/** Maximum pages of a document whose drawings are examined, because PDF.js decodes their images, too. */
const maxPages = 50
/** In thousandths of the letter height: a step between glyphs that is a space. */
const spaceStep = -200
const maxNesting = 100

const isDrawn = ({ subtype, fieldType, pushButton, hidden, hasAppearance, rect }: Annotation) =>
  (subtype === "Stamp" ||
    (subtype === "Widget" && (/^(?:Sig|Ch)$/.test(fieldType ?? "") || pushButton === true))) &&
  hasAppearance === true &&
  !hidden &&
  Math.abs((rect[2] - rect[0]) * (rect[3] - rect[1])) > 1

/**
 * Reads the texts of signatures, stamps, lists and buttons, which PDF.js returns only as drawings.
 */
export class Appearances {
  private pages = 0

  /** Returns the texts that annotations of a page draw, with their positions, by the annotations' IDs. */
  async items(page: Page, annotations: readonly Annotation[]): Promise<Map<string, TextItem[]>> {
    const drawn = new Set(annotations.filter(isDrawn).map(({ id = "" }) => id))
    if (drawn.size === 0 || ++this.pages > maxPages) return new Map()
    const all = await itemsById(page).catch(() => new Map<string, TextItem[]>())
    return new Map([...all].filter(([id, items]) => drawn.has(id) && items.length > 0))
  }
}

async function itemsById(page: Page): Promise<Map<string, TextItem[]>> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const byId = new Map<string, TextItem[]>()
  let drawing: Drawing | undefined
  for (const [at, operation] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as unknown[]
    if (operation === OPS.beginAnnotation) {
      drawing = new Drawing()
      drawing.transform(args[2])
      drawing.transform(args[3])
      byId.set(String(args[0]), drawing.items)
    } else if (operation === OPS.endAnnotation) drawing = undefined
    else if (!drawing) continue
    else if (operation === OPS.save) drawing.save()
    else if (operation === OPS.restore) drawing.restore()
    else if (operation === OPS.transform) drawing.transform(args)
    else if (operation === OPS.paintFormXObjectBegin) {
      drawing.save()
      drawing.transform(args[0])
    } else if (operation === OPS.paintFormXObjectEnd) drawing.restore()
    else if (operation === OPS.beginText) drawing.startLine(identity)
    else if (operation === OPS.setTextMatrix)
      drawing.startLine(matrixOf(args.length === 1 ? args[0] : args) ?? identity)
    else if (operation === OPS.moveText) drawing.move(args)
    else if (operation === OPS.setLeading) drawing.leading = Number(args[0])
    else if (operation === OPS.setLeadingMoveText) {
      drawing.leading = Number(args[1])
      drawing.move(args)
    } else if (operation === OPS.nextLine) drawing.move([0, drawing.leading])
    else if (operation === OPS.setFont) drawing.size = Number(args[1])
    else if (operation === OPS.showText) drawing.show(args[0])
  }
  return byId
}

const identity: Matrix = [1, 0, 0, 1, 0, 0]

function matrixOf(args: unknown): Matrix | undefined {
  const numbers = Array.from((args ?? []) as ArrayLike<unknown>, Number)
  return numbers.length === 6 && numbers.every(Number.isFinite) ? (numbers as Matrix) : undefined
}

/** Returns the matrix that applies `inner` before `outer`. */
const product = (outer: Matrix, inner: Matrix): Matrix => [
  outer[0] * inner[0] + outer[2] * inner[1],
  outer[1] * inner[0] + outer[3] * inner[1],
  outer[0] * inner[2] + outer[2] * inner[3],
  outer[1] * inner[2] + outer[3] * inner[3],
  outer[0] * inner[4] + outer[2] * inner[5] + outer[4],
  outer[1] * inner[4] + outer[3] * inner[5] + outer[5],
]

/** Follows the operators of an appearance, as far as they place its text. */
class Drawing {
  readonly items: TextItem[] = []
  size = 1
  leading = 0
  private matrix = identity
  private line = identity
  private advance = 0
  private readonly saved: Matrix[] = []

  save(): void {
    if (this.saved.length < maxNesting) this.saved.push(this.matrix)
  }

  restore(): void {
    this.matrix = this.saved.pop() ?? this.matrix
  }

  transform(args: unknown): void {
    const matrix = matrixOf(args)
    if (matrix) this.matrix = product(this.matrix, matrix)
  }

  startLine(matrix: Matrix): void {
    this.line = matrix
    this.advance = 0
  }

  move([x, y]: unknown[]): void {
    this.startLine(product(this.line, [1, 0, 0, 1, Number(x), Number(y)]))
  }

  show(glyphs: unknown): void {
    if (!Array.isArray(glyphs)) return
    const start = this.advance
    let str = ""
    for (const glyph of glyphs) {
      if (typeof glyph === "number") {
        if (glyph < spaceStep) str += " "
        this.advance -= (glyph * this.size) / 1000
        continue
      }
      const { unicode = "", width = 0 } = (glyph ?? {}) as { unicode?: string; width?: number }
      str += unicode
      this.advance += (width * this.size) / 1000
    }
    const textMatrix = product(product(this.matrix, this.line), [1, 0, 0, 1, start, 0])
    const [a, b, c, d, e, f] = textMatrix
    const { size } = this
    this.items.push({
      str,
      fontName: "annotation",
      dir: "ltr",
      width: (this.advance - start) * Math.hypot(a, b),
      height: size * Math.hypot(c, d),
      transform: [a * size, b * size, c * size, d * size, e, f],
      hasEOL: false,
    })
  }
}
