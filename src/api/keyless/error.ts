import { type InputIssue, topField } from "../../catalogue/kit/index.ts"

/** The error of a keyless call that ends before a run. */
export class KeylessError extends Error {
  constructor(
    readonly status: "INVALID_INPUT" | "ERROR",
    message: string,
    readonly details?: InputIssue[] | Record<string, unknown>,
    /** For POST: the HTTP status of the outcome. */
    readonly httpStatus = status === "INVALID_INPUT" ? 400 : 200,
  ) {
    super(message)
  }
}

/** A field of the scraper's input that the caller sets by another parameter name. */
export interface Alias {
  field: string
  parameter: string
}

/** Returns the issues with the parameter names that the caller used. */
export function inCallersNames(issues: InputIssue[], alias: Alias | undefined): InputIssue[] {
  if (!alias) return issues
  return issues.map((issue) => {
    return topField(issue.field) === alias.field ? { ...issue, field: alias.parameter } : issue
  })
}

export function invalidInput(issues: InputIssue[], httpStatus = 400): KeylessError {
  const isJoined = issues.some(
    ({ index, actual }) => index !== undefined && String(actual).includes(","),
  )
  const messages = issues.map((issue) => issue.message)
  if (isJoined) messages.push("Separate list values with |, or repeat the parameter.")
  const message = messages.join(" ")
  return new KeylessError("INVALID_INPUT", message, issues, httpStatus)
}
