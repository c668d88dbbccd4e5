import type { TextItem } from "./segments.ts"

/** An annotation of a page as PDF.js returns it: a link, a form field or a note. */
export interface Annotation {
  id?: string
  subtype?: string
  url?: string
  rect: [x0: number, y0: number, x1: number, y1: number]
  hidden?: boolean
  hasAppearance?: boolean
  /** `Tx` for texts, `Ch` for choices, `Btn` for buttons, `Sig` for signatures. */
  fieldType?: string
  fieldValue?: unknown
  pushButton?: boolean
  /** The lines of its appearance. */
  textContent?: string[]
}

const maxLines = 200
const usualSize = 10
/** In letter heights. */
const leading = 1.2
const letterWidth = 0.5

/** Returns the visible texts of form fields and free-text annotations, with their positions. */
export function writtenIn(annotations: readonly Annotation[]): TextItem[] {
  return annotations.flatMap((annotation) => {
    if (annotation.hidden) return []
    const lines = linesOf(annotation).slice(0, maxLines)
    const [left, bottom, right, top] = annotation.rect
    const size = Math.min(usualSize, (Math.abs(top - bottom) / Math.max(1, lines.length)) * 0.8)
    if (!(size > 1)) return []
    // A single line is in the middle of its field; several lines start at its top.
    const first =
      lines.length === 1 ? (top + bottom) / 2 - size * 0.35 : Math.max(top, bottom) - size
    return lines.map((str, at) => ({
      str,
      fontName: "annotation",
      dir: "ltr",
      width: Math.min(Math.abs(right - left), str.length * size * letterWidth),
      height: size,
      transform: [size, 0, 0, size, Math.min(left, right) + 1, first - at * size * leading],
      hasEOL: true,
    }))
  })
}

function linesOf({ subtype, fieldType, fieldValue, textContent }: Annotation): string[] {
  const isWritten =
    (subtype === "Widget" && /^(?:Tx|Ch)$/.test(fieldType ?? "")) || subtype === "FreeText"
  if (!isWritten) return []
  const visible = textContent?.filter((line) => line.trim() !== "") ?? []
  if (visible.length > 0) return visible
  const values = Array.isArray(fieldValue) ? fieldValue : [fieldValue]
  return values
    .filter((value) => typeof value === "string")
    .flatMap((value) => value.split(/\r\n?|\n/))
    .filter((line) => line.trim() !== "")
}
