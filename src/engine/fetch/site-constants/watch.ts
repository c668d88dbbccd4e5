import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { secondMs } from "../../../base/time.ts"
import type { UpstreamTable } from "../../../catalogue/kit/index.ts"
import type { Upstreams } from "./site-constants.ts"

const everyMs = 5 * secondMs

/** What is wrong with the operator's file and settings of tables, in sentences. */
export function upstreamIssues(upstreams: Upstreams, tables: readonly UpstreamTable[]): string[] {
  const whole = upstreams.fileIssues(tables.map(({ site }) => site))
  return [...whole, ...tables.flatMap((table) => upstreams.table(table).issues)]
}

/**
 * Reports, now and after each change, which values the operator overrides and what is wrong with
 * them.
 */
export function watchUpstreams(
  upstreams: Upstreams,
  tables: readonly UpstreamTable[],
  tell: (level: "info" | "warn", message: string) => void,
): Loop {
  const reported = new Map<string, string>()
  let issues = new Set<string>()
  const look = () => {
    const now = upstreamIssues(upstreams, tables)
    for (const issue of now) {
      if (!issues.has(issue)) tell("warn", `${issue} The table before it stays in force.`)
    }
    issues = new Set(now)
    for (const table of tables) {
      const { values, origins } = upstreams.table(table)
      const names = Object.keys(origins)
      const state = names.length > 0 ? JSON.stringify([values, origins]) : ""
      if (state === (reported.get(table.site) ?? "")) continue
      reported.set(table.site, state)
      const published = names.filter((name) => origins[name] === "published")
      const own = names.filter((name) => origins[name] !== "published")
      const parts = [
        ...(published.length > 0 ? [`${listed(published)} from the published tables`] : []),
        ...(own.length > 0 ? [`${listed(own)} from the operator`] : []),
      ]
      const what = parts.length > 0 ? `takes ${parts.join(", and ")}` : "is the compiled one"
      tell("info", `The table of upstream "${table.site}" ${what}.`)
    }
  }
  look()
  return every(everyMs, async () => look(), { onError: (error) => tell("warn", messageOf(error)) })
}

const maxNames = 6

function listed(names: string[]): string {
  const rest = names.length - maxNames
  return names.slice(0, maxNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}
