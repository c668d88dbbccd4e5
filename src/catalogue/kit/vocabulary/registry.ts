import { Type } from "@sinclair/typebox"
import { textList, textOrNull, textRecord } from "../../../extract/core/index.ts"
import { textField } from "../fields.ts"
import { field, type Row } from "../record.ts"

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

/** Returns the texts of an object, such as version ranges by package; `{}` if there is none. */
export const textsByKey = (key: string, description: string) =>
  field.of(Type.Record(Type.String(), Type.String(), { description }), (row: Row) =>
    textRecord(row[key]),
  )

/** Returns keywords, which packages write as a list, or as one text with commas or spaces. */
export function keywordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return textList(value)
  const written = textOrNull(value) ?? ""
  return written
    .split(written.includes(",") ? "," : /\s+/)
    .map((word) => word.trim())
    .filter(Boolean)
}
