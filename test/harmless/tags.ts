/**
 * Splits a page into pieces, so that a change to its markup leaves scripts, styles and texts
 * unchanged.
 */

const attributeForm = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const isWellFormed = /^(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?$/
/** Elements whose text is read verbatim, up to their end tag; a page's source is shown within `pre`. */
const raw = "script|style|textarea|title|noscript|template|pre|svg|math|iframe|xmp"
const pieceForm =
  /<!--[\s\S]*?-->|<(?<name>[a-z][^\s/>]*)(?<attributes>(?:[^>=]|=\s*(?:"[^"]*"|'[^']*')|=(?!\s*["']))*)>|<\/(?<end>[a-z][^\s/>]*)\s*>/gi
const isRaw = new RegExp(`^(?:${raw})$`, "i")

/** The value as it is written; null if there is only the name. */
export type Attribute = readonly [name: string, value: string | null]

/** `raw` is the text between a raw element's tags; `other` a comment, or a tag with stray signs. */
export type Piece =
  | { kind: "tag"; name: string; attributes: Attribute[]; text: string }
  | { kind: "end"; name: string; text: string }
  | { kind: "text" | "raw" | "other"; text: string }

export function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const gap = (until: number, kind: "text" | "raw") => {
    if (until > from) pieces.push({ kind, text: html.slice(from, until) })
  }
  pieceForm.lastIndex = 0
  for (let found = pieceForm.exec(html); found; found = pieceForm.exec(html)) {
    gap(found.index, "text")
    const { name, attributes: written, end } = found.groups!
    const [text] = found
    from = pieceForm.lastIndex
    if (end) pieces.push({ kind: "end", name: end.toLowerCase(), text })
    else if (!name || !isWellFormed.test(written!)) pieces.push({ kind: "other", text })
    else {
      pieces.push({
        kind: "tag",
        name: name.toLowerCase(),
        attributes: [...written!.matchAll(attributeForm)].map(
          ([, key, double, single, plain]) => [key!, double ?? single ?? plain ?? null] as const,
        ),
        text,
      })
    }
    if (name && isRaw.test(name)) {
      const close = html.slice(from).search(new RegExp(`</${name}\\s*>`, "i"))
      const until = close < 0 ? html.length : from + close
      gap(until, "raw")
      from = until
      pieceForm.lastIndex = until
    }
  }
  gap(html.length, "text")
  return pieces
}

export const joined = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join("")

/** Returns a start tag; values keep their character references. */
export function tagText(name: string, list: readonly Attribute[]): string {
  const written = list.map(([key, value]) => {
    if (value === null) return ` ${key}`
    return value.includes('"') ? ` ${key}='${value}'` : ` ${key}="${value}"`
  })
  return `<${name}${written.join("")}>`
}

type Tag = Extract<Piece, { kind: "tag" }>

/** Returns the page with its start tags serialized again. */
export const withTags = (html: string, write: (tag: Tag) => string) =>
  joined(
    piecesOf(html).map((piece) =>
      piece.kind === "tag" ? { ...piece, text: write(piece) } : piece,
    ),
  )

/** Returns the page with changed attributes in its start tags. */
export const withAttributes = (
  html: string,
  change: (list: Attribute[], tag: Tag) => Attribute[],
) =>
  withTags(html, (tag) => {
    if (tag.attributes.length === 0) return tag.text
    return tagText(tag.name, change(tag.attributes, tag))
  })

/** Returns the page with its texts changed, except those within raw elements. */
export const withTexts = (html: string, change: (text: string) => string) =>
  joined(
    piecesOf(html).map((piece) =>
      piece.kind === "text" ? { ...piece, text: change(piece.text) } : piece,
    ),
  )

/** Returns the page with the contents of some scripts changed. */
export function withScripts(
  html: string,
  isMeant: (attributes: string) => boolean,
  change: (content: string) => string,
): string {
  return html.replace(
    /(<script\b)([^>]*)(>)([\s\S]*?)(<\/script\s*>)/gi,
    (whole, open, attributes, close, content, end) =>
      isMeant(attributes) ? `${open}${attributes}${close}${change(content)}${end}` : whole,
  )
}
