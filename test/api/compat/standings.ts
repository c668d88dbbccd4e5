import { join } from "node:path"
import type { ScrapeError } from "./observed.ts"

/** Rows of docs/guide/use/compatibility.md: names in code, their status, and a note. */
const row = /^\| (`.*?`) \| (works|partly|not|untested) \| ?(.*?) ?\|$/
const heading = /^\| (call|header|method) \| status \| notes \|$/

/** Observed results of each name, by the kind of its table. */
export type Observed = ReadonlyMap<string, ReadonlySet<ScrapeError>>

export function readObserved(lines: string): Observed {
  const seen = new Map<string, Set<ScrapeError>>()
  for (const line of lines.split("\n").filter(Boolean)) {
    const [kind, name, outcome] = JSON.parse(line) as [string, string, ScrapeError]
    const key = `${kind} ${name}`
    seen.set(key, (seen.get(key) ?? new Set()).add(outcome))
  }
  return seen
}

/** Splits `/{v1,v2}/map` into two paths. */
export function expanded(path: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/.exec(path) ?? []
  if (whole === undefined) return [path]
  return choices!.split(",").flatMap((one) => expanded(path.replace(whole, one)))
}

/**
 * Returns the page with the status of each row according to the tests: `not` if every call was
 * rejected, else `partly` if the row lists an omission ("Not …", or by the row that it refers to),
 * else `works`. A name that no test calls is `untested`.
 */
export function withStandings(page: string, seen: Observed): string {
  const partly = new Set<string>()
  const marked = () => {
    let kind = ""
    return page.split("\n").map((line) => {
      const methods = /^### Methods of `(.*)`$/.exec(line)?.[1]
      if (methods) kind = methods
      const table = heading.exec(line)?.[1]
      if (table && table !== "method") kind = table
      const [, names, , text] = row.exec(line) ?? []
      if (names === undefined) return line
      const each = [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)
      const standings = each.map((name) => standingOf(kind, name, text!, seen, partly))
      const standing = ["untested", "partly", "works", "not"].find((one) =>
        standings.includes(one),
      )!
      if (standing === "partly")
        for (const name of [...each, ...each.flatMap(expanded)]) partly.add(name)
      const differs = new Set(standings.map((one) => one === "not")).size > 1
      return `| ${names} | ${differs ? "untested" : standing} | ${text}${text ? " " : ""}|`
    })
  }
  // Rows refer to others that may be further down.
  marked()
  return marked().join("\n")
}

function standingOf(
  kind: string,
  name: string,
  text: string,
  seen: Observed,
  partly: ReadonlySet<string>,
): string {
  const parts = kind === "call" ? expanded(name) : [name]
  const outcomes = parts.map((part) => seen.get(`${kind} ${part}`) ?? new Set<ScrapeError>())
  // All paths of a row have the same handler.
  if (outcomes.every((set) => set.size === 0)) return "untested"
  if (outcomes.every((set) => !set.has("answered"))) return "not"
  const other = /^As (?:`([^`]+)`)/.exec(text)?.[1]
  const leavesOut =
    /(?:^|[.;:,] )Not |; not /.test(text) || (other !== undefined && partly.has(other))
  return leavesOut ? "partly" : "works"
}

export const pagePath = join(import.meta.dir, "../../../docs/guide/use/compatibility.md")

/** Returns the calls that the page names, one for each path. */
export function rowsOf(page: string): { method: string; path: string; standing: string }[] {
  const rows = page.matchAll(/^\| `([A-Z]+) (\/[^`]*)` \| (works|partly|not|untested) \|/gm)
  return [...rows].flatMap(([, method, path, standing]) =>
    expanded(path!).map((one) => ({ method: method!, path: one, standing: standing! })),
  )
}
