import { deflateSync } from "node:zlib"

interface WrittenText {
  /** Characters of the font's own encoding, or bytes. */
  text: string | Uint8Array
  x: number
  /** Distance from the top of a page of 842 points. */
  y: number
  size?: number
}

interface WrittenPage {
  texts?: WrittenText[]
  links?: { url: string; x: number; y: number; width: number; height: number }[]
  /** An image that fills the page, as in a scan. */
  image?: boolean
  /** Bytes of the page's commands, written unchanged instead of texts. */
  packed?: Uint8Array
  /** Objects of annotations, written unchanged. */
  annotations?: string[]
  /** Makes the page tree refer to itself. */
  isBroken?: boolean
}

/** Returns a small PDF with the standard fonts. */
export function writePdf(
  pages: WrittenPage[],
  {
    title,
    outline = [],
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    structure,
  }: {
    title?: string
    outline?: { title: string; page: number }[]
    font?: string
    /**
     * Returns the objects of the first page's structure, the root first, by the object numbers of
     * root and page.
     */
    structure?: (root: number, page: number) => string[]
  } = {},
): Uint8Array {
  const objects: (string | Buffer)[] = ["", "", font]
  const add = (object: string | Buffer) => objects.push(object)
  const image = pages.some((page) => page.image)
    ? add(
        stream(
          "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8",
          Buffer.from([128]),
        ),
      )
    : 0
  const kids = pages.map(
    ({ texts = [], links = [], image: isScan, packed, annotations: own = [], isBroken }) => {
      if (isBroken) return 2
      const commands = [
        isScan ? "q 595 0 0 842 0 0 cm /P Do Q" : "",
        ...texts.map(
          ({ text, x, y, size = 11 }) =>
            `BT /F ${size} Tf 1 0 0 1 ${x} ${842 - y} Tm ${written(text)} Tj ET`,
        ),
      ].join("\n")
      const content = add(
        packed ? stream("/Filter/FlateDecode", packed) : stream("", Buffer.from(commands)),
      )
      const annotations = links.map(({ url, x, y, width, height }) =>
        add(
          `<</Type/Annot/Subtype/Link/Rect[${x} ${842 - y} ${x + width} ${842 - y + height}]/A<</S/URI/URI(${url})>>>>`,
        ),
      )
      for (const object of own) annotations.push(add(object))
      const resources = `<</Font<</F 3 0 R>>${image ? `/XObject<</P ${image} 0 R>>` : ""}>>`
      return add(
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/StructParents 0/Contents ${content} 0 R/Resources${resources}/Annots[${annotations.map((n) => `${n} 0 R`).join(" ")}]>>`,
      )
    },
  )
  const first = objects.length + 2
  const list = outline.length > 0 ? add("") : 0
  for (const [at, { title: name, page }] of outline.entries()) {
    const next = at + 1 < outline.length ? `/Next ${first + at + 1} 0 R` : ""
    add(`<</Title(${name})/Parent ${list} 0 R/Dest[${kids[page - 1]} 0 R/Fit]${next}>>`)
  }
  if (list) {
    objects[list - 1] =
      `<</Type/Outlines/First ${first} 0 R/Last ${first + outline.length - 1} 0 R>>`
  }
  const root = objects.length + 1
  for (const object of structure?.(root, kids[0]!) ?? []) add(object)
  const marked = structure ? `/MarkInfo<</Marked true>>/StructTreeRoot ${root} 0 R` : ""
  objects[0] = `<</Type/Catalog/Pages 2 0 R${marked}${list ? `/Outlines ${list} 0 R` : ""}>>`
  objects[1] = `<</Type/Pages/Count ${kids.length}/Kids[${kids.map((n) => `${n} 0 R`).join(" ")}]>>`
  const info = title === undefined ? 0 : add(`<</Title(${title})/CreationDate(D:20250309101500Z)>>`)
  return assembled(objects, info)
}

const written = (text: string | Uint8Array) =>
  typeof text === "string"
    ? `(${text.replace(/[\\()]/g, "\\$&")})`
    : `<${Buffer.from(text).toString("hex")}>`

/**
 * A font of Chinese, Japanese or Korean letters that is not embedded, and has no map to Unicode.
 */
export const cjkFont = (encoding: string, ordering: string) =>
  `<</Type/Font/Subtype/Type0/BaseFont/Song/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Song/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/Song/Flags 4>>/DW 1000>>]>>`

function stream(entries: string, bytes: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`<<${entries}/Length ${bytes.length}>>stream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ])
}

function assembled(objects: (string | Buffer)[], info: number): Uint8Array {
  const chunks: Buffer[] = [Buffer.from("%PDF-1.5\n")]
  const offsets: number[] = []
  let size = chunks[0]!.length
  for (const [at, object] of objects.entries()) {
    offsets.push(size)
    const chunk = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ])
    chunks.push(chunk)
    size += chunk.length
  }
  const table = offsets.map((index) => `${String(index).padStart(10, "0")} 00000 n \n`).join("")
  const count = objects.length + 1
  chunks.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer<</Size ${count}/Root 1 0 R${info ? `/Info ${info} 0 R` : ""}>>\nstartxref\n${size}\n%%EOF`,
    ),
  )
  return new Uint8Array(Buffer.concat(chunks))
}

/** Commands that expand to much more than their size. */
export const bomb = (megabytes: number): Uint8Array =>
  deflateSync(Buffer.alloc(megabytes * 1024 * 1024, "BT (a) Tj ET "))
