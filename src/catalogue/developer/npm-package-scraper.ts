import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull, textRecord } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
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
import { keywordsOf, registryFields } from "./registries.ts"
import { repositoryAddress } from "./repository-address.ts"

/** Old giants such as webpack have documents of well over 10 MB. */
const maxBytes = 40 * 1024 * 1024
const versionsKept = 20

const ranges = (description: string) => Type.Record(Type.String(), Type.String(), { description })
const { documentation, ...commonFields } = registryFields

const item = itemObject({
  input: Type.String({ description: "The package as it was asked for." }),
  ...commonFields,
  version: textField("The version under the tag latest; null when the package was unpublished."),
  description: textField("One line on the package."),
  keywords: textsField("Keywords."),
  author: nullable(
    itemObject(
      {
        name: nullable(Type.String()),
        email: nullable(Type.String()),
        url: nullable(Type.String()),
      },
      { description: "Author." },
    ),
  ),
  maintainers: Type.Array(
    itemObject({ name: nullable(Type.String()), email: nullable(Type.String()) }),
    { description: "Users who may publish." },
  ),
  distTags: Type.Record(Type.String(), Type.String(), { description: "Versions by tag." }),
  versions: Type.Array(
    itemObject({
      version: Type.String(),
      publishedAt: nullable(Type.String()),
      deprecated: nullable(Type.String()),
    }),
    { description: `The ${versionsKept} versions published last.` },
  ),
  dependencies: ranges("What the version needs to run, with ranges."),
  devDependencies: ranges("What its developers need."),
  peerDependencies: ranges("What its users must have beside it."),
  dependenciesCount: Type.Integer({ description: "Number of dependencies." }),
  engines: ranges("Runtimes that it works with."),
  types: textField("File with its TypeScript types."),
  moduleType: textField("module or commonjs, where the package says so."),
  deprecated: textField("What the authors say instead, when they deprecated the version."),
  isUnpublished: Type.Boolean({ description: "All versions were withdrawn." }),
  unpackedSize: integerField("Size unpacked, in bytes."),
  fileCount: integerField("Number of files."),
  tarballUrl: textField("Address of the file."),
  integrity: textField("Subresource integrity of the file."),
  shasum: textField("SHA-1 of the file, in hex."),
  hasInstallScript: Type.Boolean({ description: "It runs a script when it is installed." }),
  createdAt: textField("When the package was first published (ISO 8601, UTC)."),
  updatedAt: textField("When it last changed."),
  downloadsLastMonth: integerField("Downloads of the last month."),
  downloadsLastWeek: integerField("Downloads of the last week."),
})

type Manifest = Record<string, unknown>

interface Packument extends Manifest {
  name: string
  versions?: Record<string, Manifest>
  time?: Record<string, unknown>
}

const input = inputObject({
  packages: inputs.texts("Package names, scoped ones too, or their addresses on npmjs.com.", {
    max: 200,
  }),
  includeDownloads: inputs.flag("Adds downloads of the last week and month.", true),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "npm-package-scraper",
  name: "npm Packages",
  tagline:
    "JavaScript packages: versions, maintainers, licence, dependencies, deprecation and downloads.",
  category: "developer",
  tier: "free",
  input,
  item,
  example: { packages: ["react", "@types/node"] },
  pace: {
    "registry.yarnpkg.com": { perSecond: 10, concurrency: 4 },
    "api.npmjs.org": { perSecond: 5, concurrency: 2 },
  },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const asked = packageName(target)
    const packument = await ctx.json<Packument>(
      `https://registry.yarnpkg.com/${asked.replace("/", "%2F")}`,
      { maxBytes },
    )
    const { name, versions = {}, time = {} } = packument
    const isUnpublished = Object.keys(versions).length === 0 && time.unpublished !== undefined
    if (typeof name !== "string" || (packument.versions === undefined && !isUnpublished)) {
      throw new Changed("The registry's answer holds no package.")
    }
    const distTags = textRecord(packument["dist-tags"])
    const version = distTags.latest ?? null
    const latest = (version === null ? undefined : versions[version]) ?? {}
    const of = (key: string) => latest[key] ?? packument[key]
    const dependencies = textRecord(latest.dependencies)
    yield {
      input: target,
      name,
      version,
      publishedAt: version === null ? null : isoDate(time[version]),
      url: `https://www.npmjs.com/package/${name}`,
      description: textOrNull(of("description")),
      license: licenseOf(latest) ?? licenseOf(packument),
      homepage: linkOf(of("homepage")),
      repository: repositoryAddress(linkOf(of("repository"))),
      issueTracker: linkOf(of("bugs")),
      versionsCount: Object.keys(versions).length,
      keywords: keywordsOf(of("keywords")),
      author: personOf(of("author")),
      maintainers: maintainersOf(packument.maintainers ?? latest.maintainers),
      distTags,
      versions: newestVersions(versions, time),
      dependencies,
      devDependencies: textRecord(latest.devDependencies),
      peerDependencies: textRecord(latest.peerDependencies),
      dependenciesCount: Object.keys(dependencies).length,
      engines: textRecord(latest.engines),
      types: textOrNull(latest.types) ?? textOrNull(latest.typings),
      moduleType: textOrNull(latest.type),
      deprecated: textOrNull(latest.deprecated),
      isUnpublished,
      unpackedSize: integerOrNull(at(latest, "dist", "unpackedSize")),
      fileCount: integerOrNull(at(latest, "dist", "fileCount")),
      tarballUrl: textOrNull(at(latest, "dist", "tarball")),
      integrity: textOrNull(at(latest, "dist", "integrity")),
      shasum: textOrNull(at(latest, "dist", "shasum")),
      hasInstallScript: runsOnInstall(latest),
      createdAt: isoDate(time.created),
      updatedAt: isoDate(time.modified),
      downloadsLastMonth: await downloads(name, "last-month", ctx),
      downloadsLastWeek: await downloads(name, "last-week", ctx),
    }
  },
})

/** The bare name in what users write: addresses are taken apart, ranges cut off. */
function packageName(target: string): string {
  const address = /^https?:\/\/(?:www\.)?npmjs\.com\/package\/((?:@[^/?#]+\/)?[^/?#]+)/i.exec(
    target.trim(),
  )
  const name = (address ? decodeURIComponent(address[1]!) : target.trim()).replace(
    /(?<=.)@.*$/s,
    "",
  )
  if (!/^(?:@[A-Za-z0-9~-][\w.~-]*\/)?[A-Za-z0-9~-][\w.~-]*$/.test(name)) {
    throw new BadInput(
      `"${target}" is not a package name; names look like "react" or "@types/node".`,
    )
  }
  return name
}

async function downloads(
  name: string,
  period: "last-month" | "last-week",
  ctx: Context<Input>,
): Promise<number | null> {
  if (!ctx.input.includeDownloads) return null
  return orNull(ctx, `${period} downloads of ${name}`, async () => {
    const counted = await ctx.json<{ downloads?: unknown }>(
      `https://api.npmjs.org/downloads/point/${period}/${name}`,
    )
    return integerOrNull(counted.downloads)
  })
}

/** Licences were an object, or a list of them, before they were SPDX expressions. */
function licenseOf({ license, licenses }: Manifest): string | null {
  return licenseNames(license) ?? licenseNames(licenses)
}

function licenseNames(written: unknown): string | null {
  const names = [written]
    .flat()
    .flatMap((licence) => textOrNull(at(licence, "type") ?? licence) ?? [])
  return textOrNull(distinct(names).join(" OR "))
}

/** An address that is a text, or an object that holds it; old packages list several. */
function linkOf(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value
  return textOrNull(at(first, "url") ?? first)
}

function personOf(value: unknown) {
  const written = typeof value === "string" ? writtenPerson(value) : value
  if (typeof written !== "object" || written === null) return null
  const { name, email, url } = written as Manifest
  const person = { name: textOrNull(name), email: textOrNull(email), url: textOrNull(url) }
  return Object.values(person).some((part) => part !== null) ? person : null
}

/** `Name <address> (site)`; tools write an empty text for nobody. */
function writtenPerson(text: string): Manifest {
  return {
    name: text.replace(/<[^>]*>|\([^)]*\)/g, "").trim(),
    email: /<([^>]*)>/.exec(text)?.[1],
    url: /\(([^)]*)\)/.exec(text)?.[1],
  }
}

function maintainersOf(value: unknown) {
  const people = Array.isArray(value) ? value.map(personOf) : []
  return people.flatMap((person) => (person ? { name: person.name, email: person.email } : []))
}

function newestVersions(versions: Record<string, Manifest>, time: Record<string, unknown>) {
  // They stand in the order of their publication, which counts where no times are told.
  return Object.entries(versions)
    .reverse()
    .map(([version, manifest]) => ({
      version,
      publishedAt: isoDate(time[version]),
      deprecated: textOrNull(manifest.deprecated),
    }))
    .sort((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""))
    .slice(0, versionsKept)
}

function runsOnInstall(manifest: Manifest): boolean {
  const scripts = textRecord(manifest.scripts)
  return (
    manifest.hasInstallScript === true ||
    ["preinstall", "install", "postinstall"].some((name) => name in scripts)
  )
}
