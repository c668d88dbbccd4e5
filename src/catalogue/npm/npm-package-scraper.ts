import {
  distinct,
  integerOrNull,
  isoDate,
  textOrNull,
  textRecord,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  Changed,
  type Context,
  decodedPath,
  defineScraper,
  field,
  inputs,
  items,
  keywordsOf,
  newestVersions,
  orNull,
  packageName,
  type Row,
  record,
  registryFields,
  textsByKey,
  versionsStored,
} from "../kit/index.ts"
import { repositoryUrl } from "./repository-url.ts"

/** Old, large packages such as webpack have documents of well over 10 MB. */
const maxBytes = 40 * 1024 * 1024

const { documentation, ...commonFields } = registryFields

const person = {
  name: field.text("name", "Name of the author, or npm user name of the maintainer."),
  email: field.text("email", "Email address of the person."),
}

const maintainersIn = ({ maintainers }: Row): unknown[] =>
  Array.isArray(maintainers) ? maintainers.map(personIn) : []

const people = record({
  author: field.object((row: Row) => personIn(row.author), "Author of the package.", {
    ...person,
    url: field.text("url", "URL of the author's site."),
  }),
  maintainers: field.objects(maintainersIn, "npm users who may publish the package.", person),
  distTags: textsByKey("dist-tags", 'Version of each tag, for example `{"latest": "1.2.3"}`.'),
})

const needs = record({
  dependencies: textsByKey(
    "dependencies",
    "Version ranges of the runtime dependencies, by package name.",
  ),
  devDependencies: textsByKey(
    "devDependencies",
    "Version ranges of the development dependencies, by package name.",
  ),
  peerDependencies: textsByKey(
    "peerDependencies",
    "Version ranges of the peer dependencies, by package name.",
  ),
  dependenciesCount: field.of(
    items.requiredInteger("Number of dependencies."),
    (manifest: Row) => Object.keys(textRecord(manifest.dependencies)).length,
  ),
  engines: textsByKey(
    "engines",
    'Supported version ranges, by runtime, for example `{"node": ">=18"}`.',
  ),
  types: field.text("types|typings", "Path of the file with the TypeScript types."),
  moduleType: field.text(
    "type",
    "Module type, module or commonjs; null if the package does not specify it.",
  ),
  deprecated: field.text(
    "deprecated",
    "Deprecation message of the authors; null if the version is not deprecated.",
  ),
})

const file = record({
  unpackedSize: field.integer("dist.unpackedSize", "Unpacked size in bytes."),
  fileCount: field.integer("dist.fileCount", "Number of files in the version."),
  tarballUrl: field.text("dist.tarball", "URL of the version's tarball."),
  integrity: field.text("dist.integrity", "Subresource integrity hash of the tarball."),
  shasum: field.text("dist.shasum", "SHA-1 of the tarball, in hex."),
  hasInstallScript: field.flag(
    runsOnInstall,
    "Whether the package runs a script during installation.",
  ),
})

type Packument = Row & { versions?: Record<string, Row | null> | null; time?: Row | null }

export default defineScraper({
  slug: "npm-package-scraper",
  name: "npm Packages",
  tagline:
    "JavaScript packages: versions, maintainers, licence, dependencies, deprecation and downloads.",
  category: "developer",
  input: {
    packages: inputs.texts("Package names, for example react or @types/node, or npmjs.com URLs.", {
      max: 200,
    }),
    includeDownloads: inputs.flag("Whether to add the downloads of the last week and month.", true),
  },
  item: {
    input: items.requiredText("Package as written in the input."),
    ...commonFields,
    version: items.text("Version under the tag `latest`; null if the package was unpublished."),
    description: items.text("Description of the package in one line."),
    keywords: items.texts("Keywords of the package."),
    ...people.fields,
    versions: items.objects(`The ${versionsStored} most recently published versions.`, {
      version: items.requiredText("Version number, for example 1.2.3."),
      publishedAt: items.text("Time of the publication (ISO 8601, UTC)."),
      deprecated: items.text(
        "Deprecation message of the authors; null if the version is not deprecated.",
      ),
    }),
    ...needs.fields,
    isUnpublished: items.requiredBoolean("Whether all versions were withdrawn."),
    ...file.fields,
    createdAt: items.text("Time of the package's first publication (ISO 8601, UTC)."),
    updatedAt: items.text("Time of the last change (ISO 8601, UTC)."),
    downloadsLastMonth: items.integer("Downloads in the last month."),
    downloadsLastWeek: items.integer("Downloads in the last week."),
  },
  example: { packages: ["react", "@types/node"] },
  probe: {
    input: { packages: ["react"] },
    expect: [
      "items.length equals 1",
      'items[0].name equals "react"',
      'items[0].license equals "MIT"',
      "items[0].versionsCount gte 1000",
      "?items[0].downloadsLastWeek gte 10000000",
      'items[0].integrity matches "^sha512-"',
    ],
  },
  rateLimit: {
    "registry.yarnpkg.com": { perSecond: 10, concurrency: 4 },
    "api.npmjs.org": { perSecond: 5, concurrency: 2 },
  },
  // The package and its downloads of a week and of a month.
  pages: { ofTarget: 3 },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const packument = await ctx.json<Packument>(
      `https://registry.yarnpkg.com/${nameOf(target).replace("/", "%2F")}`,
      { maxBytes },
    )
    const { name } = packument
    const versions = packument.versions ?? {}
    const time = packument.time ?? {}
    const isUnpublished = Object.keys(versions).length === 0 && time.unpublished !== undefined
    if (typeof name !== "string" || (!packument.versions && !isUnpublished))
      throw new Changed("npm's response has no package.")
    const version = textRecord(packument["dist-tags"]).latest ?? null
    const latest = (version === null ? undefined : versions[version]) ?? {}
    const of = (key: string) => latest[key] ?? packument[key]
    yield {
      input: target,
      name,
      version,
      publishedAt: version === null ? null : isoDate(time[version]),
      url: `https://www.npmjs.com/package/${name}`,
      description: textOrNull(of("description")),
      license: licenseOf(latest) ?? licenseOf(packument),
      homepage: linkOf(of("homepage")),
      repository: repositoryUrl(linkOf(of("repository"))),
      issueTracker: linkOf(of("bugs")),
      versionsCount: Object.keys(versions).length,
      keywords: keywordsOf(of("keywords")),
      ...people.read({
        ...packument,
        author: of("author"),
        maintainers: packument.maintainers ?? latest.maintainers,
      }),
      versions: listed(versions, time),
      ...needs.read(latest),
      isUnpublished,
      ...file.read(latest),
      createdAt: isoDate(time.created),
      updatedAt: isoDate(time.modified),
      downloadsLastMonth: await downloads(name, "last-month", ctx),
      downloadsLastWeek: await downloads(name, "last-week", ctx),
    }
  },
})

const nameOf = (target: string) =>
  packageName(target, {
    page: /^https?:\/\/(?:(?:www\.)?npmjs\.com\/package|registry\.npmjs\.org)\/((?:@[^/?#]+\/)?[^/?#]+)/i,
    name: /^(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/,
    hint: 'is not a package name; names look like "react" or "@types/node".',
    bare: (written) => decodedPath(written).replace(/(?<=.)@.*$/s, ""),
  })

async function downloads(
  name: string,
  period: "last-month" | "last-week",
  ctx: Context<{ includeDownloads: boolean }>,
) {
  if (!ctx.input.includeDownloads) return null
  return orNull(ctx, `${period} downloads of ${name}`, async () => {
    const counted = await ctx.json<{ downloads?: unknown }>(
      `https://api.npmjs.org/downloads/point/${period}/${name}`,
    )
    return integerOrNull(counted.downloads)
  })
}

/** Returns the licence; before SPDX expressions, it was an object or a list of objects. */
const licenseOf = ({ license, licenses }: Row) => licenseNames(license) ?? licenseNames(licenses)

function licenseNames(written: unknown): string | null {
  const names = [written]
    .flat()
    .flatMap((licence) => textOrNull(at(licence, "type") ?? licence) ?? [])
  return textOrNull(distinct(names).join(" OR "))
}

/** Returns a URL from a string or from an object with a URL; old packages list several. */
function linkOf(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value
  return textOrNull(at(first, "url") ?? first)
}

/** Returns a person as an object; null if the entry has no data. */
function personIn(value: unknown): Row | null {
  const row = typeof value === "string" ? writtenPerson(value) : (value as Row | null | undefined)
  return row && [row.name, row.email, row.url].some((part) => textOrNull(part)) ? row : null
}
/** Parses `Name <email> (site)`; tools write an empty text if there is no author. */
const writtenPerson = (text: string): Row => ({
  name: text.replace(/<[^<>]*>|\([^()]*\)/g, "").trim(),
  email: /<([^<>]*)>/.exec(text)?.[1],
  url: /\(([^()]*)\)/.exec(text)?.[1],
})

function listed(versions: Record<string, Row | null>, time: Record<string, unknown>) {
  // Versions are in the order of their publication, which decides if there are no times.
  const all = Object.entries(versions).reverse()
  return newestVersions(
    all.map(([version, manifest]) => ({
      version,
      publishedAt: isoDate(time[version]),
      deprecated: textOrNull(manifest?.deprecated),
    })),
  )
}

function runsOnInstall(manifest: Row): boolean {
  const scripts = textRecord(manifest.scripts)
  return (
    manifest.hasInstallScript === true ||
    ["preinstall", "install", "postinstall"].some((name) => name in scripts)
  )
}
