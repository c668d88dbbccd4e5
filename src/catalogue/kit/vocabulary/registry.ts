import { textList, textOrNull, textRecord } from "../../../extract/core/index.ts"
import { BadInput } from "../core/errors.ts"
import { items } from "../core/fields.ts"
import { field, type Row } from "../core/record.ts"

/**
 * Fields that the five package registries have in common (crates, npm, Packagist, PyPI, RubyGems).
 * @example const item = itemObject({ ...registryFields, description: items.text("One line.") })
 */
export const registryFields = {
  name: items.requiredText("Name of the package."),
  version: items.requiredText("Version that is installed by default."),
  publishedAt: items.text("Time of publication of that version (ISO 8601, UTC)."),
  url: items.requiredText("URL of the package's page."),
  license: items.text("Licence, as an SPDX expression if known."),
  homepage: items.text("URL of the home page."),
  repository: items.text("URL of the source repository."),
  documentation: items.text("URL of the documentation."),
  issueTracker: items.text("URL of the issue tracker."),
  versionsCount: items.requiredInteger("Number of published versions."),
}

/**
 * Returns a field of texts by name, such as version ranges by package; `{}` if there are none.
 * @example dependencies: textsByKey("dependencies", "Version ranges by package."),
 */
export const textsByKey = (key: string, description: string) =>
  field.of(items.textsByName(description), (row: Row) => textRecord(row[key]))

/**
 * Returns keywords, which packages write as a list, or as one text with commas or spaces.
 * @example keywordsOf("web, http") // ["web", "http"]
 */
export function keywordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return textList(value)
  const written = textOrNull(value) ?? ""
  return written
    .split(written.includes(",") ? "," : /\s+/)
    .map((word) => word.trim())
    .filter(Boolean)
}

/**
 * Returns the name of a package from its name or the URL of its page. `bare` removes what users
 * write next to it, such as a version. Throws BadInput for other texts.
 * @example packageName(target, { page: /gems\.example\/([^/?#]+)/, name: /^[\w.-]+$/, hint })
 */
export function packageName(
  target: string,
  of: { page: RegExp; name: RegExp; hint: string; bare?: (written: string) => string },
): string {
  const text = target.trim()
  const written = of.page.exec(text)?.[1] ?? text
  const name = of.bare?.(written) ?? written
  if (!of.name.test(name)) throw new BadInput(`"${target}" ${of.hint}`)
  return name
}

/**
 * Maximum versions in an item.
 * @example description: `The ${versionsStored} versions published last.`
 */
export const versionsStored = 20

/**
 * Returns the newest `versionsStored` versions of a package. Versions without a date come last.
 * @example newestVersions([{ publishedAt: null }, { publishedAt: "2024-05-01" }]) // reversed
 */
export const newestVersions = <V extends { publishedAt: string | null }>(versions: V[]): V[] =>
  versions
    .toSorted((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""))
    .slice(0, versionsStored)
