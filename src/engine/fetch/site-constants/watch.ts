import { messageOf } from "../../../base/error-message.ts"
import { every, type Loop } from "../../../base/every.ts"
import { secondMs } from "../../../base/time.ts"
import type { UpstreamTable } from "../../../catalogue/kit/index.ts"
import type { Upstreams } from "./site-constants.ts"

const everyMs = 5 * secondMs

/** Returns the issues of the operator's file and settings of site constants, as sentences. */
export function upstreamIssues(upstreams: Upstreams, tables: readonly UpstreamTable[]): string[] {
  const whole = upstreams.fileIssues(tables.map(({ site }) => site))
  return [...whole, ...tables.flatMap((table) => upstreams.table(table).issues)]
}

/** Logs which values the operator overrides and their issues, now and after each change. */
export function watchUpstreams(
  upstreams: Upstreams,
  tables: readonly UpstreamTable[],
  log: (level: "info" | "warn", message: string) => void,
): Loop {
  const reported = new Map<string, string>()
  let issues = new Set<string>()
  const look = () => {
    const now = upstreamIssues(upstreams, tables)
    for (const issue of now) {
      if (!issues.has(issue)) log("warn", `${issue} The previous table stays in use.`)
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
      log("info", `The table of upstream "${table.site}" ${what}.`)
    }
  }
  look()
  return every(everyMs, async () => look(), { onError: (error) => log("warn", messageOf(error)) })
}

const maxNames = 6

function listed(names: string[]): string {
  const rest = names.length - maxNames
  return names.slice(0, maxNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}
