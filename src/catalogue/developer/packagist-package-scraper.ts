import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull, textRecord } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import {
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

const versionsKept = 20

const ranges = (description: string) => Type.Record(Type.String(), Type.String(), { description })

const item = itemObject({
  input: Type.String({ description: "The package as it was asked for." }),
  ...registryFields,
  version: textField("Highest stable version, else the newest of the others."),
  description: textField("One line on the package."),
  packageType: textField("Composer type: library, project, composer-plugin and so on."),
  language: textField("Main language of the repository."),
  licenses: textsField("Licences of the version."),
  phpRequirement: textField("PHP versions that it runs on."),
  require: ranges("What the version needs, with ranges."),
  requireDev: ranges("What its developers need."),
  keywords: textsField("Keywords."),
  authors: Type.Array(
    itemObject({
      name: nullable(Type.String()),
      email: nullable(Type.String()),
      homepage: nullable(Type.String()),
      role: nullable(Type.String()),
    }),
    { description: "Authors." },
  ),
  createdAt: textField("When the package was submitted (ISO 8601, UTC)."),
  versions: Type.Array(
    itemObject({
      version: Type.String(),
      publishedAt: nullable(Type.String()),
      php: nullable(Type.String()),
      license: nullable(Type.String()),
      reference: nullable(Type.String()),
    }),
    { description: `The newest ${versionsKept} versions and development branches.` },
  ),
  downloadsTotal: integerField("Installs in all."),
  downloadsLastMonth: integerField("Installs of the last month."),
  downloadsLastDay: integerField("Installs of the last day."),
  favers: integerField("Users who marked it as a favourite."),
  githubStars: integerField("Stars on GitHub."),
  githubWatchers: integerField("Watchers on GitHub."),
  githubForks: integerField("Forks on GitHub."),
  githubOpenIssues: integerField("Open issues on GitHub."),
  dependents: integerField("Packages that need it."),
  suggesters: integerField("Packages that suggest it."),
  maintainers: textsField("Packagist users who maintain it."),
  maintainerAvatars: textsField("Their pictures."),
  abandoned: Type.Boolean({ description: "The authors gave it up." }),
  replacement: textField("Package that they name in its place."),
})

type Version = Record<string, unknown> & { version: string }

interface Package extends Record<string, unknown> {
  name?: string
  versions?: Record<string, Version>
  maintainers?: { name?: string; avatar_url?: string }[]
}

export default defineScraper({
  slug: "packagist-package-scraper",
  name: "Packagist Packages",
  tagline:
    "PHP packages on Packagist: versions, installs, GitHub stars, dependents and maintainers.",
  category: "developer",
  tier: "free",
  input: inputObject({
    packages: inputs.texts("Packages as vendor/package, or their addresses on packagist.org.", {
      max: 200,
    }),
  }),
  item,
  example: { packages: ["monolog/monolog"] },
  pace: { "packagist.org": { perSecond: 5, concurrency: 4 } },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const asked = packageName(target)
    const { package: found } = await ctx.json<{ package?: Package }>(
      `https://packagist.org/packages/${asked}.json`,
    )
    if (typeof found?.name !== "string" || typeof found.versions !== "object") {
      throw new Changed("Packagist's answer holds no package.")
    }
    const all = Object.entries(found.versions ?? {}).map(([version, row]) => ({ ...row, version }))
    const current = currentVersion(all)
    const maintainers = found.maintainers ?? []
    const require = textRecord(current?.require)
    yield {
      input: target,
      name: found.name,
      version: current?.version ?? null,
      publishedAt: isoDate(current?.time),
      url: `https://packagist.org/packages/${found.name}`,
      description: textOrNull(found.description),
      packageType: textOrNull(found.type),
      language: textOrNull(found.language),
      license: licenseOf(current),
      licenses: textList(current?.license),
      homepage: textOrNull(current?.homepage),
      repository: textOrNull(found.repository),
      documentation: textOrNull(at(current, "support", "docs")),
      issueTracker: textOrNull(at(current, "support", "issues")),
      phpRequirement: textOrNull(require.php),
      require,
      requireDev: textRecord(current?.["require-dev"]),
      keywords: textList(current?.keywords),
      authors: authorsOf(current),
      createdAt: isoDate(found.time),
      versionsCount: all.length,
      versions: newest(all)
        .slice(0, versionsKept)
        .map((row) => ({
          version: row.version,
          publishedAt: isoDate(row.time),
          php: textOrNull(at(row, "require", "php")),
          license: licenseOf(row),
          reference: textOrNull(at(row, "source", "reference")),
        })),
      downloadsTotal: integerOrNull(at(found, "downloads", "total")),
      downloadsLastMonth: integerOrNull(at(found, "downloads", "monthly")),
      downloadsLastDay: integerOrNull(at(found, "downloads", "daily")),
      favers: integerOrNull(found.favers),
      githubStars: integerOrNull(found.github_stars),
      githubWatchers: integerOrNull(found.github_watchers),
      githubForks: integerOrNull(found.github_forks),
      githubOpenIssues: integerOrNull(found.github_open_issues),
      dependents: integerOrNull(found.dependents),
      suggesters: integerOrNull(found.suggesters),
      maintainers: maintainers.flatMap((maintainer) => maintainer.name ?? []),
      maintainerAvatars: maintainers.flatMap((maintainer) => maintainer.avatar_url ?? []),
      // True, or the name of the package that replaces it.
      abandoned: Boolean(found.abandoned),
      replacement: textOrNull(found.abandoned),
    }
  },
})

function packageName(target: string): string {
  const address = /^https?:\/\/(?:www\.)?packagist\.org\/packages\/([^/?#]+\/[^/?#]+)/i.exec(
    target.trim(),
  )
  const name = (address?.[1] ?? target.trim()).toLowerCase().replace(/\.json$/, "")
  if (!/^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?\/[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/.test(name)) {
    throw new BadInput(`"${target}" is not a package; write "vendor/package".`)
  }
  return name
}

/** The highest stable version; else the newest tagged one; else the newest development branch. */
function currentVersion(all: Version[]): Version | undefined {
  const stable = all.filter((version) =>
    /^\d+(?:\.\d+)*(?:-p(?:atch)?\d*)?$/.test(normalized(version)),
  )
  if (stable.length > 0) {
    return stable.reduce((best, version) => (compareVersions(version, best) > 0 ? version : best))
  }
  const tagged = all.filter((version) => !/^dev-|-dev$/.test(normalized(version)))
  return newest(tagged)[0] ?? newest(all)[0]
}

function normalized(version: Version): string {
  return textOrNull(version.version_normalized) ?? version.version.replace(/^v/, "")
}

function compareVersions(a: Version, b: Version): number {
  const [left, right] = [a, b].map((version) => normalized(version).split(/\D+/).map(Number)) as [
    number[],
    number[],
  ]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function newest(versions: Version[]): Version[] {
  return versions
    .map((version) => ({ version, date: isoDate(version.time) ?? "" }))
    .sort((a, b) => b.date.localeCompare(a.date))
    .map(({ version }) => version)
}

function licenseOf(version: Version | undefined): string | null {
  return textOrNull(textList(version?.license).join(" OR "))
}

function authorsOf(version: Version | undefined) {
  const authors = Array.isArray(version?.authors) ? version.authors : []
  return authors.map((author: Record<string, unknown>) => ({
    name: textOrNull(author.name),
    email: textOrNull(author.email),
    homepage: textOrNull(author.homepage),
    role: textOrNull(author.role),
  }))
}
