import type { SeoPage } from "./page.ts"
import { type Delivery, rules, type Severity } from "./rules.ts"

export interface SeoIssue {
  code: string
  severity: Severity
  message: string
  /** The value that breaks the rule, if the message needs it. */
  value: string | number | null
}

const penalties: Record<Severity, number> = { error: 15, warning: 6, notice: 2 }

/** 100 less the penalties of all issues. */
export function seoScore(issues: readonly SeoIssue[]): number {
  const lost = issues.reduce((sum, issue) => sum + penalties[issue.severity], 0)
  return Math.max(0, 100 - lost)
}

export function seoIssues(page: SeoPage, delivery: Delivery): SeoIssue[] {
  return rules.flatMap(({ code, severity, message, check }) => {
    const value = check(page, delivery)
    if (value === false || value === null || value === "") return []
    return [{ code, severity, message, value: value === true ? null : value }]
  })
}
