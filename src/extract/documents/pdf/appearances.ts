import { getResolvedPDFJS } from "unpdf"
import type { Annotation } from "./annotations.ts"
import type { Pdf } from "./open.ts"
import { plainLetters } from "./text.ts"

type Page = Awaited<ReturnType<Pdf["getPage"]>>

/** Maximum pages of a document whose drawings are examined, because PDF.js decodes their images, too. */
const maxPages = 50
/** In thousandths of the letter height: a step between glyphs that is a space. */
const spaceStep = -200

const isDrawn = ({ subtype, fieldType, hidden, hasAppearance, rect }: Annotation) =>
  (subtype === "Stamp" || (subtype === "Widget" && fieldType === "Sig")) &&
  hasAppearance === true &&
  !hidden &&
  Math.abs((rect[2] - rect[0]) * (rect[3] - rect[1])) > 1

/** Reads the texts of signatures and stamps, which PDF.js returns only as drawings. */
export class Appearances {
  private pages = 0

  /** Returns the text of each signature and stamp of a page. */
  async texts(page: Page, annotations: readonly Annotation[]): Promise<string[]> {
    const drawn = annotations.filter(isDrawn)
    if (drawn.length === 0 || ++this.pages > maxPages) return []
    const lines = await linesById(page).catch(() => new Map<string, string[]>())
    return drawn
      .map(({ id = "" }) =>
        plainLetters((lines.get(id) ?? []).join(" "))
          .replace(/\s+/g, " ")
          .trim(),
      )
      .filter((text) => text !== "")
  }
}

/** Returns the lines of text that each annotation of a page draws, by the annotations' IDs. */
async function linesById(page: Page): Promise<Map<string, string[]>> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const byId = new Map<string, string[]>()
  let lines: string[] | undefined
  let y = 0
  const begin = (nextY: number) => {
    const isSame = nextY === y && lines?.length
    y = nextY
    if (isSame) lines![lines!.length - 1] += " "
    else lines?.push("")
  }
  for (const [at, operation] of fnArray.entries()) {
    const args = (argsArray[at] ?? []) as unknown[]
    if (operation === OPS.beginAnnotation) {
      lines = []
      byId.set(String(args[0]), lines)
    } else if (operation === OPS.endAnnotation) lines = undefined
    else if (!lines) continue
    else if (operation === OPS.beginText) begin(Number.NaN)
    else if (operation === OPS.setTextMatrix) begin((args[0] as ArrayLike<number>)[5]!)
    else if (operation === OPS.moveText || operation === OPS.setLeadingMoveText)
      begin(y + (args[1] as number))
    else if (operation === OPS.nextLine) begin(Number.NaN)
    else if (operation === OPS.showText) {
      if (lines.length === 0) lines.push("")
      lines[lines.length - 1] += textOf(args[0])
    }
  }
  return byId
}

function textOf(glyphs: unknown): string {
  if (!Array.isArray(glyphs)) return ""
  return glyphs
    .map((glyph) => {
      if (typeof glyph === "number") return glyph < spaceStep ? " " : ""
      return (glyph as { unicode?: string } | null)?.unicode ?? ""
    })
    .join("")
}
