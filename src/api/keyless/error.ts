import type { InputIssue } from "../../catalogue/kit/index.ts"

/** A keyless call that ends before a run: what its answer says. */
export class KeylessError extends Error {
  constructor(
    readonly status: "INVALID_INPUT" | "ERROR",
    message: string,
    readonly details?: InputIssue[] | Record<string, unknown>,
    /** For POST, whose HTTP status is the outcome. */
    readonly httpStatus = status === "INVALID_INPUT" ? 400 : 200,
  ) {
    super(message)
  }
}

/** A field of the scraper's input that the caller gave by a parameter of another name. */
export interface Alias {
  field: string
  parameter: string
}

/** Faults by the names that the caller used. */
export function inCallersNames(issues: InputIssue[], alias: Alias | undefined): InputIssue[] {
  if (!alias) return issues
  return issues.map((issue) => {
    const [field] = issue.field.split(".", 1)
    return field === alias.field ? { ...issue, field: alias.parameter } : issue
  })
}

export function invalidInput(issues: InputIssue[], httpStatus = 400): KeylessError {
  const isJoined = issues.some(
    ({ index, actual }) => index !== undefined && String(actual).includes(","),
  )
  const messages = issues.map((issue) => issue.message)
  if (isJoined) messages.push("Separate the values of a list by |, or repeat the parameter.")
  const message = messages.join(" ")
  return new KeylessError("INVALID_INPUT", message, issues, httpStatus)
}
