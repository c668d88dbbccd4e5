import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull, textRecord } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed } from "../outcome.ts"
import { registryFields } from "./registries.ts"

const dependencies = (description: string) =>
  Type.Array(itemObject({ name: Type.String(), requirements: Type.String() }), { description })

const item = itemObject({
  input: Type.String({ description: "The gem as it was asked for." }),
  ...registryFields,
  platform: textField("Platform of that version: ruby, java and so on."),
  description: textField("What the gem says of itself."),
  authors: textsField("Authors."),
  licenses: textsField("Licences."),
  downloadsTotal: Type.Integer({ description: "Downloads in all." }),
  downloadsOfVersion: integerField("Downloads of that version."),
  changelog: textField("Change log."),
  wiki: textField("Wiki."),
  mailingList: textField("Mailing list."),
  funding: textField("Page for sponsors."),
  gemUrl: textField("Address of the file."),
  sha256: textField("SHA-256 of the file, in hex."),
  yanked: booleanField("The version was withdrawn."),
  mfaRequired: Type.Boolean({ description: "Owners need a second factor." }),
  runtimeDependencies: dependencies("Gems that it needs to run."),
  developmentDependencies: dependencies("Gems that its developers need."),
  metadata: Type.Record(Type.String(), Type.String(), { description: "What the author added." }),
  versionsCount: integerField(
    "Number of versions, one for each platform; null without the history.",
  ),
  versions: nullable(
    Type.Array(
      itemObject({
        version: Type.String(),
        platform: nullable(Type.String()),
        publishedAt: nullable(Type.String()),
        downloads: nullable(Type.Integer()),
        builtAt: nullable(Type.String()),
        prerelease: nullable(Type.Boolean()),
        licenses: Type.Array(Type.String()),
        rubyVersion: nullable(Type.String()),
        sha256: nullable(Type.String()),
        summary: nullable(Type.String()),
      }),
      { description: "All versions, the newest first; null when not asked for." },
    ),
  ),
})

type Gem = Record<string, unknown>

export default defineScraper({
  slug: "rubygems-package-scraper",
  name: "RubyGems Packages",
  tagline: "Ruby gems: version, downloads, dependencies, links and version history.",
  category: "developer",
  tier: "free",
  input: inputObject({
    gems: inputs.texts("Gem names, or addresses such as https://rubygems.org/gems/rails.", {
      max: 200,
    }),
    includeVersionHistory: inputs.flag("Adds all versions, one for each platform."),
  }),
  item,
  example: { gems: ["rails"] },
  pace: { "rubygems.org": { perSecond: 8, concurrency: 4 } },
  targets: (input) => input.gems,

  async *scrape(target, ctx) {
    const asked = gemName(target)
    const gem = await ctx.json<Gem>(`https://rubygems.org/api/v1/gems/${asked}.json`)
    const { name, version } = gem
    const downloadsTotal = integerOrNull(gem.downloads)
    if (typeof name !== "string" || typeof version !== "string" || downloadsTotal === null) {
      throw new Changed("The answer of RubyGems holds no gem.")
    }
    const metadata = textRecord(gem.metadata)
    const link = (key: string) => textOrNull(gem[key]) ?? textOrNull(metadata[key])
    const licenses = textList(gem.licenses)
    const versions = ctx.input.includeVersionHistory
      ? await orNull(ctx, `version history of ${name}`, () => versionHistory(asked, ctx))
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
      changelog: link("changelog_uri"),
      wiki: link("wiki_uri"),
      mailingList: link("mailing_list_uri"),
      funding: link("funding_uri"),
      gemUrl: textOrNull(gem.gem_uri),
      sha256: textOrNull(gem.sha),
      yanked: booleanOrNull(gem.yanked),
      mfaRequired: metadata.rubygems_mfa_required === "true",
      runtimeDependencies: dependenciesOf(gem, "runtime"),
      developmentDependencies: dependenciesOf(gem, "development"),
      metadata,
      versionsCount: versions?.length ?? null,
      versions,
    }
  },
})

function gemName(target: string): string {
  const address = /^https?:\/\/(?:www\.)?rubygems\.org\/gems\/([^/?#]+)/i.exec(target.trim())
  const name = address?.[1] ?? target.trim()
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(name)) {
    throw new BadInput(`"${target}" is not the name of a gem; names look like "rails".`)
  }
  return name
}

function dependenciesOf(gem: Gem, kind: "runtime" | "development") {
  const all = gem.dependencies as Record<string, Gem[] | undefined> | null | undefined
  return (all?.[kind] ?? []).map(({ name, requirements }) => ({
    name: String(name),
    requirements: String(requirements ?? ""),
  }))
}

async function versionHistory(name: string, ctx: Context) {
  const versions = await ctx.json<Gem[]>(`https://rubygems.org/api/v1/versions/${name}.json`)
  if (!Array.isArray(versions)) throw new Changed("The answer of RubyGems is no list of versions.")
  return versions.map((version) => ({
    version: String(version.number),
    platform: textOrNull(version.platform),
    publishedAt: isoDate(version.created_at),
    downloads: integerOrNull(version.downloads_count),
    builtAt: isoDate(version.built_at),
    prerelease: booleanOrNull(version.prerelease),
    licenses: textList(version.licenses),
    rubyVersion: textOrNull(version.ruby_version),
    sha256: textOrNull(version.sha),
    summary: textOrNull(version.summary),
  }))
}
