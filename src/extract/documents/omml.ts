import { parseBrokenXml, type XmlElement } from "../core/index.ts"
import { escaped } from "./pages/document-page.ts"

const namespace = "http://schemas.openxmlformats.org/officeDocument/2006/math"

/** Returns an equation of an Office document (`oMath`, `oMathPara`) as MathML. */
export function mathOf(equation: XmlElement): string {
  const display = equation.name === "oMathPara" ? ' display="block"' : ""
  return `<math${display}>${row(equation)}</math>`
}

/** Like `mathOf`, for the XML of one equation without namespace declarations; "" for malformed XML. */
export function mathOfXml(xml: string, prefix: string): string {
  const wrapped = `<root xmlns:${prefix}="${namespace}" xmlns:w="w">${xml}</root>`
  const [equation] = parseBrokenXml(wrapped)?.elements() ?? []
  return equation ? mathOf(equation) : ""
}

/** Returns the parts of an element that has no notation in MathML. */
const row = (parent: XmlElement | undefined): string =>
  (parent?.elements() ?? []).map(written).join("")

const mrow = (parent: XmlElement | undefined) => `<mrow>${row(parent)}</mrow>`
const operator = (sign: string) => `<mo>${escaped(sign)}</mo>`
const tag = (name: string, ...parts: string[]) => `<${name}>${parts.join("")}</${name}>`

/** Returns a property of an equation's part, such as `chr` of `naryPr`; null if it has none. */
function property(element: XmlElement, name: string): string | null {
  const property = element.first(`${element.name}Pr`)?.first(name)
  if (!property) return null
  return property.attribute("val", namespace) ?? property.attribute("val") ?? ""
}

/** Returns whether a flag is on; a flag without a value is on. */
const isOn = (value: string | null) => value !== null && !/^(?:0|false|off)$/i.test(value)

const writers: Record<string, (element: XmlElement) => string> = {
  r: run,
  f(element) {
    const attribute = property(element, "type") === "noBar" ? ' linethickness="0"' : ""
    return `<mfrac${attribute}>${mrow(element.first("num"))}${mrow(element.first("den"))}</mfrac>`
  },
  rad(element) {
    const degree = row(element.first("deg"))
    const isSquare = degree === "" || isOn(property(element, "degHide"))
    const inner = mrow(element.first("e"))
    return isSquare ? tag("msqrt", inner) : tag("mroot", inner, tag("mrow", degree))
  },
  sSup: (element) => tag("msup", ...parts(element, "e", "sup")),
  sSub: (element) => tag("msub", ...parts(element, "e", "sub")),
  sSubSup: (element) => tag("msubsup", ...parts(element, "e", "sub", "sup")),
  sPre: (element) =>
    tag("msubsup", "<mrow></mrow>", ...parts(element, "sub", "sup")) + mrow(element.first("e")),
  nary,
  d: delimited,
  func: (element) => row(element.first("fName")) + mrow(element.first("e")),
  fName: row,
  acc: (element) => above(element, accentSign(property(element, "chr") ?? "\u0302")),
  bar: (element) =>
    property(element, "pos") === "top" ? above(element, "‾") : below(element, "_"),
  groupChr(element) {
    const sign = property(element, "chr") ?? "⏟"
    return property(element, "pos") === "top" ? above(element, sign) : below(element, sign)
  },
  limLow: (element) => tag("munder", ...parts(element, "e", "lim")),
  limUpp: (element) => tag("mover", ...parts(element, "e", "lim")),
  m: (element) =>
    tag(
      "mtable",
      ...element
        .all("mr")
        .map((line) => tag("mtr", ...line.all("e").map((cell) => tag("mtd", row(cell))))),
    ),
  // Alignment marks are between its parts.
  eqArr: (element) =>
    tag(
      "mtable",
      ...element
        .all("e")
        .map((line) => tag("mtr", tag("mtd", row(line).replaceAll("<mo>&amp;</mo>", "")))),
    ),
}

const parts = (element: XmlElement, ...names: string[]) =>
  names.map((name) => mrow(element.first(name)))

const above = (element: XmlElement, sign: string) =>
  tag("mover", mrow(element.first("e")), operator(sign))
const below = (element: XmlElement, sign: string) =>
  tag("munder", mrow(element.first("e")), operator(sign))

/** Accents are stored as combining characters. */
const accents: Record<string, string> = {
  "\u0300": "`",
  "\u0301": "´",
  "\u0302": "^",
  "\u0303": "~",
  "\u0304": "¯",
  "\u0305": "‾",
  "\u0307": "˙",
  "\u0308": "¨",
  "\u030c": "ˇ",
  "\u20d7": "→",
}
const accentSign = (sign: string) => accents[sign] ?? sign

function nary(element: XmlElement): string {
  const sign = operator(property(element, "chr") || "∫")
  const lower = isOn(property(element, "subHide")) ? "" : row(element.first("sub"))
  const upper = isOn(property(element, "supHide")) ? "" : row(element.first("sup"))
  const inner = row(element.first("e"))
  if (lower === "" && upper === "") return sign + inner
  if (upper === "") return tag("msub", sign, tag("mrow", lower)) + inner
  if (lower === "") return tag("msup", sign, tag("mrow", upper)) + inner
  return tag("munderover", sign, tag("mrow", lower), tag("mrow", upper)) + inner
}

function delimited(element: XmlElement): string {
  const open = property(element, "begChr") ?? "("
  const close = property(element, "endChr") ?? ")"
  const inner = element
    .all("e")
    .map(row)
    .join(operator(property(element, "sepChr") ?? "|"))
  return `<mfenced open="${escaped(open)}" close="${escaped(close)}"><mrow>${inner}</mrow></mfenced>`
}

/** Single letters, whole numbers and other signs. */
const token = /(\d+(?:[.,]\d+)*)|(\p{L})\p{M}*|(\S)/gu
const uprightToken = /(\d+(?:[.,]\d+)*)|(\p{L}[\p{L}\p{M}]*)|(\S)/gu

function run(element: XmlElement): string {
  const style = element.first("rPr")
  const text = element
    .all("t")
    .map((part) => part.text)
    .join("")
    .normalize("NFKC")
  if (style?.first("nor")) return tag("mtext", escaped(text))
  const isUpright = style?.first("sty")?.attribute("val", namespace) === "p"
  return [...text.matchAll(isUpright ? uprightToken : token)]
    .map(([sign, number, letters]) => {
      if (number) return tag("mn", number)
      return letters ? tag("mi", escaped(sign)) : operator(sign)
    })
    .join("")
}

function written(element: XmlElement): string {
  const { name } = element
  if (name.endsWith("Pr")) return ""
  return Object.hasOwn(writers, name) ? writers[name]!(element) : row(element)
}
