import {
  integerOrNull,
  isoDate,
  textList,
  textOrNull,
  textRecord,
} from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  packageName,
  type Row,
  record,
  registryFields,
  required,
  textsByKey,
} from "../kit/index.ts"

const dependencies = (kind: "runtime" | "development", description: string) =>
  field.objects<Row>(`dependencies.${kind}`, description, {
    name: required(field.text("name", "Name of the gem.")),
    requirements: field.of(
      items.requiredText("Accepted versions of the gem, for example >= 2.2, < 4."),
      (row: Row) => String(row.requirements ?? ""),
    ),
  })

const link = (key: string, description: string) =>
  field.text<Row>(`${key}|metadata.${key}`, description)

const facts = record({
  changelog: link("changelog_uri", "URL of the change log."),
  wiki: link("wiki_uri", "URL of the wiki."),
  mailingList: link("mailing_list_uri", "URL of the mailing list."),
  funding: link("funding_uri", "URL of the page for sponsors."),
  gemUrl: field.text("gem_uri", "URL of the gem file."),
  sha256: field.text("sha", "SHA-256 of the gem file, in hex."),
  yanked: field.boolean("yanked", "Whether the version was withdrawn."),
  mfaRequired: field.flag(
    (gem: Row) => textRecord(gem.metadata).rubygems_mfa_required === "true",
    "Whether owners need a second factor to publish.",
  ),
  runtimeDependencies: dependencies("runtime", "Gems that the gem requires at run time."),
  developmentDependencies: dependencies(
    "development",
    "Gems that development of the gem requires.",
  ),
  metadata: textsByKey("metadata", "Additional entries of the author, by name."),
})

const historyEntry = record({
  version: required(field.text("number", "Version number, for example 7.1.3.")),
  platform: field.text("platform", "Platform of the version, for example ruby or java."),
  publishedAt: field.time("created_at", "Time of the publication (ISO 8601, UTC)."),
  downloads: field.integer("downloads_count", "Downloads of the version."),
  builtAt: field.time("built_at", "Time of the build, as the gem states it (ISO 8601, UTC)."),
  prerelease: field.boolean("prerelease", "Whether the version is a prerelease."),
  licenses: field.texts("licenses", "Licences of the version."),
  rubyVersion: field.text(
    "ruby_version",
    "Ruby versions that the version supports, for example >= 3.1.",
  ),
  sha256: field.text("sha", "SHA-256 of the gem file, in hex."),
  summary: field.text("summary", "Summary of the gem in this version."),
})

export default defineScraper({
  slug: "rubygems-package-scraper",
  name: "RubyGems Packages",
  tagline: "Ruby gems: version, downloads, dependencies, links and version history.",
  category: "developer",
  input: {
    gems: inputs.texts("Gem names, for example rails, or rubygems.org URLs.", { max: 200 }),
    includeVersionHistory: inputs.flag("Whether to add all versions, one entry per platform."),
  },
  item: {
    input: items.requiredText("Gem as written in the input."),
    ...registryFields,
    platform: items.text("Platform of the version, for example ruby or java."),
    description: items.text("Description of the gem."),
    authors: items.texts("Names of the authors."),
    licenses: items.texts("Licences of the gem."),
    downloadsTotal: items.requiredInteger("Total number of downloads."),
    downloadsOfVersion: items.integer("Downloads of the version."),
    ...facts.fields,
    versionsCount: items.integer(
      "Number of versions, counted per platform; null without the version history.",
    ),
    versions: nullable(
      items.objects("All versions, newest first; null unless requested.", historyEntry.fields),
    ),
  },
  example: { gems: ["rails"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name equals "rails"',
      "items[0].downloadsTotal gte 400000000",
      'items[0].license matches "MIT"',
      "items[0].sha256 share 1",
    ],
  },
  rateLimit: { "rubygems.org": { perSecond: 8, concurrency: 4 } },
  pages: { ofTarget: 2 },
  targets: (input) => input.gems,

  async *scrape(target, ctx) {
    const requested = nameOf(target)
    const gem = await ctx.json<Row>(`https://rubygems.org/api/v1/gems/${requested}.json`)
    const { name, version } = gem
    const downloadsTotal = integerOrNull(gem.downloads)
    if (typeof name !== "string" || typeof version !== "string" || downloadsTotal === null)
      throw new Changed("RubyGems' response has no gem.")
    const metadata = textRecord(gem.metadata)
    const link = (key: string) => textOrNull(gem[key]) ?? textOrNull(metadata[key])
    const licenses = textList(gem.licenses)
    const versions = ctx.input.includeVersionHistory
      ? await orNull(ctx, `version history of ${name}`, () => versionHistory(requested, ctx))
      : null
    yield {
      input: target,
      name,
      version,
      platform: textOrNull(gem.platform),
      publishedAt: isoDate(gem.version_created_at),
      url: textOrNull(gem.project_uri) ?? `https://rubygems.org/gems/${name}`,
      description: textOrNull(gem.info)?.trim() ?? null,
      authors: textOrNull(gem.authors)?.split(", ") ?? [],
      licenses,
      license: textOrNull(licenses.join(" OR ")),
      downloadsTotal,
      downloadsOfVersion: integerOrNull(gem.version_downloads),
      homepage: link("homepage_uri"),
      documentation: link("documentation_uri"),
      repository: link("source_code_uri"),
      issueTracker: link("bug_tracker_uri"),
      ...facts.read(gem),
      versionsCount: versions?.length ?? null,
      versions,
    }
  },
})

const nameOf = (target: string) =>
  packageName(target, {
    page: /^https?:\/\/(?:www\.)?rubygems\.org\/gems\/([^/?#]+)/i,
    name: /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/,
    hint: 'is not the name of a gem; names look like "rails".',
  })

async function versionHistory(name: string, ctx: Context) {
  const versions = await ctx.json<Row[]>(`https://rubygems.org/api/v1/versions/${name}.json`)
  if (!Array.isArray(versions)) throw new Changed("RubyGems' response is not a list of versions.")
  return versions.map((row) => historyEntry.read(row))
}
