import { Type } from "@sinclair/typebox"
import { textList, textOrNull, textRecord } from "../../../extract/core/index.ts"
import { textField } from "../fields.ts"
import { field, type Row, record } from "../record.ts"

/**
 * Fields that the five package registries have in common (crates, npm, Packagist, PyPI, RubyGems).
 */
export const registryFields = {
  name: Type.String({ description: "Name of the package." }),
  version: Type.String({ description: "Version of a plain install." }),
  publishedAt: textField("When that version was published (ISO 8601, UTC)."),
  url: Type.String({ description: "The package's page." }),
  license: textField("Licence, as an SPDX expression if known."),
  homepage: textField("Home page."),
  repository: textField("Source repository."),
  documentation: textField("Documentation."),
  issueTracker: textField("Issue tracker."),
  versionsCount: Type.Integer({ description: "Number of published versions." }),
}

export const downloads = record({
  downloadsLastDay: field.number("last_day", "Downloads of the last day."),
  downloadsLastWeek: field.number("last_week", "Downloads of the last week."),
  downloadsLastMonth: field.number("last_month", "Downloads of the last month."),
})

/** Returns the texts of an object, such as version ranges by package; `{}` if there is none. */
export const textsByKey = (key: string, description: string) =>
  field.of(Type.Record(Type.String(), Type.String(), { description }), (row: Row) =>
    textRecord(row[key]),
  )

export const homepageNames = ["homepage", "home"]
export const repositoryNames = ["source", "repository", "source code", "code", "github"]
export const documentationNames = ["documentation", "docs"]
export const issueNames = ["issues", "bug reports", "bug tracker", "issue tracker", "tracker"]

/**
 * Returns the link whose label is one of the names (ignoring case), by the order of the names.
 * @example
 * ```ts
 * issueTracker: linkNamed(info.project_urls, issueNames)
 * ```
 */
export function linkNamed(links: Record<string, string>, names: string[]): string | null {
  const byLabel = new Map(Object.entries(links).map(([label, link]) => [label.toLowerCase(), link]))
  for (const name of names) {
    const link = byLabel.get(name)
    if (link) return link
  }
  return null
}

/** Returns the first URL of a known code host that is not a sponsors page. */
export function repositoryAmong(links: (string | null)[]): string | null {
  return (
    links.find((link) =>
      /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+\/(?!sponsors\/)/i.test(
        link ?? "",
      ),
    ) ?? null
  )
}

/** Returns keywords, which packages write as a list, or as one text with commas or spaces. */
export function keywordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return textList(value)
  const written = textOrNull(value) ?? ""
  return written
    .split(written.includes(",") ? "," : /\s+/)
    .map((word) => word.trim())
    .filter(Boolean)
}
