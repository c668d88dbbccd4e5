const maxTitleChars = 200

/** Returns the title of a run without a name of its own: its first target. Null if it has none. */
export function titleOfTargets(targets: readonly { target: string }[]): string | null {
  const [first] = targets
  const text = first ? targetText(JSON.parse(first.target)).slice(0, maxTitleChars) : ""
  if (text === "") return null
  return targets.length > 1 ? `${text} and ${targets.length - 1} more` : text
}

/** Returns a target as text: a URL without its scheme, a query, or the first text of an object. */
function targetText(target: unknown): string {
  if (typeof target === "string") return target.replace(/^https?:\/\/(?:www\.)?/i, "")
  if (typeof target !== "object" || target === null) return String(target ?? "")
  const text = Object.values(target).find((value) => typeof value === "string" && value !== "")
  return text === undefined ? "" : targetText(text)
}
