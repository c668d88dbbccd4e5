import type { XmlElement } from "../core/index.ts"
import type { Archive } from "./archive.ts"
import { type Relation, relationAttribute } from "./open-xml.ts"
import { escaped, maxColumns, tableHtml } from "./pages/document-page.ts"

/** Ends of the descriptions that Office writes itself. */
const generated = /[\s.,]*(?:Description (?:automatically )?generated|AI-generated content).*$/is

/**
 * Returns the description of an image as a paragraph, as images themselves have no URL; "" for none. Texts
 * of one or two words are names of files and shapes.
 */
export function imageDescription(written: string): string {
  const text = written.replace(generated, "").trim()
  const isDescription = /\S\s+\S+\s+\S/.test(text) && !/\.\w{2,4}$|[\\/]\S+[\\/]/.test(text)
  return isDescription ? `<p><em>${escaped(text.slice(0, maxDescription))}</em></p>` : ""
}

const maxDescription = 4000

/** Maximum values of a chart. */
const maxPoints = 1000

/** Returns the data of a frame's chart as a table, or the texts of its diagram as a list; "" for neither. */
export function drawingHtml(
  frame: XmlElement,
  archive: Archive,
  relations: Map<string, Relation>,
): string {
  const part = (element: XmlElement | undefined, name?: string) => {
    const target = element && relations.get(relationAttribute(element, name) ?? "")?.target
    return target === undefined ? undefined : archive.xml(target)
  }
  const chart = part([...frame.within("chart")][0])
  if (chart) return chartHtml(chart)
  const diagram = part([...frame.within("relIds")][0], "dm")
  return diagram ? diagramHtml(diagram) : ""
}

const textsIn = (element: XmlElement | undefined, name: string) =>
  [...(element?.within(name) ?? [])].map(({ text }) => text).join("")

/** Returns the data of a chart as a table under its title. */
export function chartHtml(root: XmlElement): string {
  const series = [...root.within("ser")].slice(0, maxColumns - 1).map((ser) => ({
    name: textsIn(ser.first("tx"), "v"),
    labels: pointsOf(ser.first("cat") ?? ser.first("xVal")),
    values: pointsOf(ser.first("val") ?? ser.first("yVal")),
  }))
  const labels = new Map(series.flatMap((one) => [...one.labels]))
  const count = Math.max(
    0,
    ...series.flatMap(({ labels: own, values }) =>
      [...own.keys(), ...values.keys()].map((at) => at + 1),
    ),
  )
  const rows = Array.from({ length: Math.min(count, maxPoints) }, (_, at) =>
    [labels.get(at) ?? "", ...series.map(({ values }) => values.get(at) ?? "")].map(escaped),
  )
  const title = textsIn([...root.within("title")][0], "t")
  const heading = title.trim() === "" ? "" : `<p>${escaped(title)}</p>`
  const head = ["", ...series.map(({ name }) => escaped(name))]
  return heading + (rows.length > 0 ? (tableHtml([head, ...rows]) ?? "") : "")
}

/** Returns the texts of points by their index; missing points have none. */
function pointsOf(source: XmlElement | undefined): Map<number, string> {
  const points = new Map<number, string>()
  // With several levels of labels, the first level is the points' own.
  const [level] = source ? [...source.within("lvl")] : []
  for (const point of (level ?? source)?.within("pt") ?? []) {
    const at = Number(point.attribute("idx") ?? points.size)
    if (at >= 0 && at < maxPoints) points.set(at, shortNumber(point.first("v")?.text ?? ""))
  }
  return points
}

/** Returns 8.2 for 8.1999999999999993, which is how programs store it. */
const shortNumber = (text: string) =>
  /^-?\d+\.\d{12,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : text

/** Returns the texts of a diagram as a list. */
export function diagramHtml(root: XmlElement): string {
  const items = [...root.within("pt")]
    .flatMap((point) => [...point.within("p")].map((paragraph) => textsIn(paragraph, "t")))
    .filter((text) => text.trim() !== "")
    .map((text) => `<li>${escaped(text)}</li>`)
  return items.length > 0 ? `<ul>${items.join("")}</ul>` : ""
}
