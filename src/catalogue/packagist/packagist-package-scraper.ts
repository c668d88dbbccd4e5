import { isoDate, textList, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  Changed,
  defineScraper,
  field,
  inputs,
  items,
  packageName,
  type Row,
  record,
  registryFields,
  required,
  textsByKey,
  versionsStored,
} from "../kit/index.ts"

const requirements = record({
  phpRequirement: field.text(
    "require.php",
    "PHP versions that the package supports, for example ^8.2.",
  ),
  require: textsByKey("require", "Version ranges of the dependencies, by package name."),
  requireDev: textsByKey(
    "require-dev",
    "Version ranges of the development dependencies, by package name.",
  ),
  keywords: field.texts("keywords", "Keywords of the package."),
  authors: field.objects("authors", "Authors of the version.", {
    name: field.text("name", "Name of the author."),
    email: field.text("email", "Email address of the author."),
    homepage: field.text("homepage", "URL of the author's site."),
    role: field.text("role", "Role of the author in the project, for example Developer."),
  }),
})

const licenseOf = (version: Row | undefined): string | null =>
  textOrNull(textList(version?.license).join(" OR "))

const release = record({
  version: required(
    field.text("version", "Version or development branch, for example 3.5.0 or dev-main."),
  ),
  publishedAt: field.time("time", "Time of the publication (ISO 8601, UTC)."),
  php: field.text("require.php", "PHP versions that the version supports, for example ^8.2."),
  license: field.text(licenseOf, "Licences of the version (SPDX), joined by OR."),
  reference: field.text("source.reference", "Commit of the version in its repository."),
})

const popularity = record({
  downloadsTotal: field.integer("downloads.total", "Total number of installs."),
  downloadsLastMonth: field.integer("downloads.monthly", "Installs in the last month."),
  downloadsLastDay: field.integer("downloads.daily", "Installs in the last day."),
  favers: field.integer("favers", "Number of users who marked the package as a favourite."),
  githubStars: field.integer("github_stars", "Stars on GitHub."),
  githubWatchers: field.integer("github_watchers", "Watchers on GitHub."),
  githubForks: field.integer("github_forks", "Forks on GitHub."),
  githubOpenIssues: field.integer("github_open_issues", "Number of open issues on GitHub."),
  dependents: field.integer("dependents", "Number of packages that require this package."),
  suggesters: field.integer("suggesters", "Number of packages that suggest this package."),
  maintainers: field.texts("maintainers.*.name", "Packagist users who maintain the package."),
  maintainerAvatars: field.texts("maintainers.*.avatar_url", "URLs of the maintainers' images."),
  // The field is true, or the name of the replacement.
  abandoned: field.flag(
    (row: Row) => Boolean(row.abandoned),
    "Whether the authors have abandoned the package.",
  ),
  replacement: field.text("abandoned", "Package that the authors recommend instead."),
})

type Version = Row & { version: string }
type Package = Row & { name?: string; versions?: Record<string, Version> }

export default defineScraper({
  slug: "packagist-package-scraper",
  name: "Packagist Packages",
  tagline:
    "PHP packages on Packagist: versions, installs, GitHub stars, dependents and maintainers.",
  category: "developer",
  input: {
    packages: inputs.texts(
      "Packages as vendor/name, for example laravel/framework, or packagist.org URLs.",
      { max: 200 },
    ),
  },
  item: {
    input: items.requiredText("Package as written in the input."),
    ...registryFields,
    version: items.text("Highest stable version; if there is none, the newest of the others."),
    description: items.text("Description of the package in one line."),
    packageType: items.text("Composer type, for example library, project or composer-plugin."),
    language: items.text("Main language of the repository."),
    licenses: items.texts("Licences of the version (SPDX)."),
    ...requirements.fields,
    createdAt: items.text("Time of the package's submission (ISO 8601, UTC)."),
    versions: items.objects(
      `The newest ${versionsStored} versions and development branches.`,
      release.fields,
    ),
    ...popularity.fields,
  },
  example: { packages: ["monolog/monolog"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name equals "monolog/monolog"',
      "items[0].downloadsTotal gte 500000000",
      'items[0].license equals "MIT"',
      "items[0].versions.length gte 10",
    ],
  },
  rateLimit: { "packagist.org": { perSecond: 5, concurrency: 4 } },
  pages: { ofTarget: 1 },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const { package: pkg } = await ctx.json<{ package?: Package }>(
      `https://packagist.org/packages/${nameOf(target)}.json`,
    )
    if (typeof pkg?.name !== "string" || typeof pkg.versions !== "object")
      throw new Changed("Packagist's response has no package.")
    const all = Object.entries(pkg.versions ?? {}).map(([version, row]) => ({ ...row, version }))
    const current = currentVersion(all)
    yield {
      input: target,
      name: pkg.name,
      version: current?.version ?? null,
      publishedAt: isoDate(current?.time),
      url: `https://packagist.org/packages/${pkg.name}`,
      description: textOrNull(pkg.description),
      packageType: textOrNull(pkg.type),
      language: textOrNull(pkg.language),
      license: licenseOf(current),
      licenses: textList(current?.license),
      homepage: textOrNull(current?.homepage),
      repository: textOrNull(pkg.repository),
      documentation: textOrNull(at(current, "support", "docs")),
      issueTracker: textOrNull(at(current, "support", "issues")),
      ...requirements.read(current ?? {}),
      createdAt: isoDate(pkg.time),
      versionsCount: all.length,
      versions: newest(all)
        .slice(0, versionsStored)
        .map((row) => release.read(row)),
      ...popularity.read(pkg),
    }
  },
})

const nameOf = (target: string) =>
  packageName(target, {
    page: /^https?:\/\/(?:www\.)?packagist\.org\/packages\/([^/?#]+\/[^/?#]+)/i,
    name: /^[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?\/[a-z0-9](?:[a-z0-9_.-]*[a-z0-9])?$/,
    hint: 'is not a package; write "vendor/package".',
    bare: (written) => written.toLowerCase().replace(/\.json$/, ""),
  })

/** Returns the highest stable version, else the newest tag, else the newest development branch. */
function currentVersion(all: Version[]): Version | undefined {
  const stable = all.filter((version) =>
    /^\d+(?:\.\d+)*(?:-p(?:atch)?\d*)?$/.test(normalized(version)),
  )
  if (stable.length > 0)
    return stable.reduce((best, version) => (compareVersions(version, best) > 0 ? version : best))
  const tagged = all.filter((version) => !/^dev-|-dev$/.test(normalized(version)))
  return newest(tagged)[0] ?? newest(all)[0]
}

const normalized = (version: Version) =>
  textOrNull(version.version_normalized) ?? version.version.replace(/^v/, "")

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

const newest = (versions: Version[]): Version[] =>
  versions
    .map((version) => ({ version, date: isoDate(version.time) ?? "" }))
    .sort((a, b) => b.date.localeCompare(a.date))
    .map(({ version }) => version)
