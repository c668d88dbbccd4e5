import type { Figure } from "./figures.ts"

interface Row {
  name: string
  before: number
  after: number
  unit: string
  /** After divided by before. */
  ratio: number
  change: "better" | "worse" | "same"
}

/** Changes below this share are noise on a machine that has other work. */
const noise = 0.05

/** Returns a row for each figure in both lists. A figure that occurs several times counts with its median. */
export function compareFigures(before: readonly Figure[], after: readonly Figure[]): Row[] {
  const [one, other] = [medians(before), medians(after)]
  return [...one].flatMap(([key, { value, unit }]) => {
    const match = other.get(key)
    if (!match) return []
    const ratio = match.value / value
    const gain = isRate(unit) ? ratio : 1 / ratio
    const change = gain > 1 + noise ? "better" : gain < 1 - noise ? "worse" : "same"
    return [{ name: key, before: value, after: match.value, unit, ratio, change }]
  })
}

/** Returns the comparison as lines of text, with the commit, date, processor and load of both. */
export function comparison(before: readonly Figure[], after: readonly Figure[]): string[] {
  const rows = compareFigures(before, after)
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const number = (value: number) => value.toLocaleString("en", { maximumSignificantDigits: 4 })
  const [one, other] = [machineOf(before), machineOf(after)]
  return [
    `A  ${one.text}`,
    `B  ${other.text}`,
    ...(one.cpu === other.cpu ? [] : ["The processors differ: compare the ratios to rivals only."]),
    ...rows.map(
      ({ name, before, after, unit, ratio, change }) =>
        `${name.padEnd(width)}  ${number(before).padStart(9)}  ${number(after).padStart(9)} ${unit.padEnd(8)} ${ratio.toFixed(2).padStart(6)}  ${change}`,
    ),
    `${rows.length} figures in both files`,
  ]
}

function medians(figures: readonly Figure[]): Map<string, { value: number; unit: string }> {
  const groups = Map.groupBy(
    figures,
    ({ benchmark, name, unit }) => `${benchmark}: ${name}, ${unit}`,
  )
  return new Map(
    [...groups].map(([key, group]) => {
      const values = group.map(({ value }) => value).sort((a, b) => a - b)
      const middle = values.length >> 1
      const value =
        values.length % 2 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2
      return [key, { value, unit: group[0]!.unit }]
    }),
  )
}

/** Higher is better for rates and for ratios to a rival; lower for times, memory and tokens. */
const isRate = (unit: string) => unit.endsWith("/s") || unit === "times"

function machineOf(figures: readonly Figure[]): { cpu: string; text: string } {
  const [first] = figures
  if (!first) return { cpu: "", text: "no figures" }
  const load = Math.max(...figures.map((one) => one.load))
  const { commit, date, cpu } = first
  return { cpu, text: `${commit}, ${date}, ${cpu}, load up to ${load}` }
}
