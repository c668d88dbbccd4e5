import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { numberOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull, textRecord } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, nullable } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed } from "../outcome.ts"
import { decodeMimeWords } from "./mime-words.ts"
import {
  documentationNames,
  downloadFields,
  homepageNames,
  issueNames,
  keywordsOf,
  linkNamed,
  registryFields,
  repositoryAmong,
  repositoryNames,
} from "./registries.ts"

const versionsKept = 20

const text = (description: string) => nullable(Type.String({ description }))

const item = itemObject({
  input: Type.String({ description: "The package as it was asked for." }),
  ...registryFields,
  name: Type.String({ description: "Name as the author writes it." }),
  summary: text("One line on the package."),
  description: text("The README."),
  descriptionContentType: text("Media type of the description, such as text/markdown."),
  author: text("Author's name."),
  authorEmail: text("Author's address, with a name where the author wrote one."),
  maintainer: text("Maintainer's name."),
  maintainerEmail: text("Maintainer's address."),
  changelog: text("Address of the change log."),
  projectUrls: Type.Record(Type.String(), Type.String(), { description: "All links, by label." }),
  keywords: Type.Array(Type.String(), { description: "Keywords." }),
  classifiers: Type.Array(Type.String(), { description: "Trove classifiers." }),
  requiresPython: text("Python versions that the package runs on."),
  requiresDist: Type.Array(Type.String(), { description: "Requirements (PEP 508)." }),
  extras: Type.Array(Type.String(), { description: "Names of optional sets of requirements." }),
  yanked: Type.Boolean({ description: "The version was withdrawn." }),
  yankedReason: text("Why it was withdrawn."),
  versions: Type.Array(
    itemObject({
      version: Type.String(),
      publishedAt: nullable(Type.String()),
      yanked: Type.Boolean(),
      filesCount: Type.Integer(),
    }),
    { description: `The newest ${versionsKept} versions that have files.` },
  ),
  files: Type.Array(
    itemObject({
      filename: Type.String(),
      packageType: Type.String(),
      sizeBytes: nullable(Type.Integer()),
      pythonVersion: nullable(Type.String()),
      uploadedAt: nullable(Type.String()),
      sha256: nullable(Type.String()),
      url: Type.String(),
    }),
    { description: "Files of the version." },
  ),
  vulnerabilities: Type.Array(
    itemObject({
      id: Type.String(),
      aliases: Type.Array(Type.String()),
      summary: nullable(Type.String()),
      fixedIn: Type.Array(Type.String()),
      link: nullable(Type.String()),
    }),
    { description: "Known vulnerabilities of the version." },
  ),
  owners: Type.Array(Type.String(), { description: "PyPI users who own the project." }),
  organization: text("PyPI organisation that owns the project."),
  status: text("active, archived, quarantined or deprecated, where PyPI says so."),
  ...downloadFields,
})

interface UploadedFile {
  filename: string
  packagetype: string
  size?: number
  python_version?: string
  upload_time_iso_8601?: string
  /** The same without a zone, in answers before 2020 the only one. */
  upload_time?: string
  digests?: { sha256?: string }
  url: string
  yanked?: boolean
}

interface Project {
  info: Record<string, unknown> & { name: string; version: string }
  releases?: Record<string, UploadedFile[]>
  urls?: UploadedFile[]
  vulnerabilities?: Record<string, unknown>[]
  ownership?: { roles?: { user: string }[]; organization?: string | null }
}

const input = inputObject({
  packages: inputs.texts(
    "Package names, or addresses such as https://pypi.org/project/requests/.",
    { max: 200 },
  ),
  includeDownloads: inputs.flag(
    "Adds downloads of the last day, week and month from pypistats.org.",
  ),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "pypi-package-scraper",
  name: "PyPI Packages",
  tagline:
    "Python packages on PyPI: version, licence, links, requirements, files, vulnerabilities and downloads.",
  category: "developer",
  tier: "free",
  input,
  item,
  example: { packages: ["requests"] },
  pace: {
    "pypi.org": { perSecond: 10, concurrency: 4 },
    "pypistats.org": { perSecond: 0.5, concurrency: 1 },
  },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const name = packageName(target)
    const project = await ctx.json<Project>(
      `https://pypi.org/pypi/${encodeURIComponent(name.toLowerCase())}/json`,
    )
    const { info } = project
    if (typeof info?.name !== "string" || typeof info.version !== "string") {
      throw new Changed("PyPI's answer holds no package information.")
    }
    const releases = project.releases ?? (await simpleReleases(name, ctx))
    const links = textRecord(info.project_urls)
    const homepage = textOrNull(info.home_page) ?? linkNamed(links, homepageNames)
    const files = project.urls ?? releases[info.version] ?? []
    yield {
      input: target,
      name: info.name,
      version: info.version,
      summary: textOrNull(info.summary),
      url: textOrNull(info.package_url) ?? `https://pypi.org/project/${info.name}/`,
      description: textOrNull(info.description),
      descriptionContentType: textOrNull(info.description_content_type),
      license: licenseOf(info),
      author: person(info.author),
      authorEmail: person(info.author_email),
      maintainer: person(info.maintainer),
      maintainerEmail: person(info.maintainer_email),
      homepage,
      repository:
        linkNamed(links, repositoryNames) ?? repositoryAmong([...Object.values(links), homepage]),
      documentation: linkNamed(links, documentationNames),
      changelog: linkNamed(links, ["changelog", "changes", "release notes"]),
      issueTracker: linkNamed(links, issueNames),
      projectUrls: links,
      keywords: keywordsOf(info.keywords),
      classifiers: textList(info.classifiers),
      requiresPython: textOrNull(info.requires_python),
      requiresDist: textList(info.requires_dist),
      extras: textList(info.provides_extra),
      yanked: info.yanked === true,
      yankedReason: textOrNull(info.yanked_reason),
      versionsCount: Object.keys(releases).length,
      versions: newestVersions(releases),
      files: files.map((file) => ({
        filename: file.filename,
        packageType: file.packagetype,
        sizeBytes: numberOrNull(file.size),
        pythonVersion: textOrNull(file.python_version),
        uploadedAt: uploadTime(file),
        sha256: file.digests?.sha256 ?? null,
        url: file.url,
      })),
      publishedAt: uploadTime(files[0]),
      vulnerabilities: (project.vulnerabilities ?? []).map((row) => ({
        id: String(row.id),
        aliases: textList(row.aliases),
        summary: textOrNull(row.summary) ?? textOrNull(row.details),
        fixedIn: textList(row.fixed_in),
        link: textOrNull(row.link),
      })),
      owners: (project.ownership?.roles ?? []).map((role) => role.user),
      organization: project.ownership?.organization ?? null,
      status: statusOf(project),
      ...(await downloads(name, ctx)),
    }
  },
})

/** The bare name in what users write: addresses, extras and versions are cut off. */
function packageName(target: string): string {
  const address = /^https?:\/\/(?:www\.)?pypi\.org\/(?:project|pypi|simple)\/([^/?#]+)/i.exec(
    target,
  )
  const name = (address?.[1] ?? target).trim().replace(/\s*(?:\[|[=<>!~;@]).*$/s, "")
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(name)) {
    throw new BadInput(
      `"${target}" is not a package name; names look like "requests" or "ruamel.yaml".`,
    )
  }
  return name
}

/** Versions from the simple index, should PyPI drop `releases` from its JSON as announced. */
async function simpleReleases(name: string, ctx: Context): Promise<Record<string, UploadedFile[]>> {
  const index = await ctx.json<{ versions?: string[] }>(
    `https://pypi.org/simple/${encodeURIComponent(name.toLowerCase())}/`,
    { headers: { accept: "application/vnd.pypi.simple.v1+json" } },
  )
  return Object.fromEntries((index.versions ?? []).map((version) => [version, []]))
}

async function downloads(name: string, ctx: Context<Input>) {
  const none = {
    downloadsLastDay: null,
    downloadsLastWeek: null,
    downloadsLastMonth: null,
  }
  if (!ctx.input.includeDownloads) return none
  try {
    const { data } = await ctx.json<{ data: Record<string, unknown> }>(
      `https://pypistats.org/api/packages/${encodeURIComponent(name.toLowerCase())}/recent`,
      { retries: 1 },
    )
    return {
      downloadsLastDay: numberOrNull(data.last_day),
      downloadsLastWeek: numberOrNull(data.last_week),
      downloadsLastMonth: numberOrNull(data.last_month),
    }
  } catch (error) {
    ctx.signal.throwIfAborted()
    ctx.log(`No download counts of ${name}: ${(error as Error).message}`, "warning")
    return none
  }
}

function licenseOf(info: Project["info"]): string | null {
  const expression = textOrNull(info.license_expression)
  if (expression) return expression
  const license = textOrNull(info.license)
  if (license && license.length <= 100) return license
  const classifiers = textList(info.classifiers).filter((classifier) =>
    classifier.startsWith("License ::"),
  )
  // "License :: OSI Approved" beside a licence below it names none.
  const names = classifiers
    .filter((classifier) => !classifiers.some((other) => other.startsWith(`${classifier} ::`)))
    .map((classifier) => classifier.split("::").at(-1)!.trim())
  return textOrNull(names.join(" OR "))
}

function uploadTime(file: UploadedFile | undefined): string | null {
  return isoDate(file?.upload_time_iso_8601 ?? file?.upload_time)
}

function newestVersions(releases: Record<string, UploadedFile[]>) {
  return Object.entries(releases)
    .filter(([, files]) => files.length > 0)
    .map(([version, files]) => ({
      version,
      publishedAt: uploadTime(files[0]),
      yanked: files.every((file) => file.yanked === true),
      filesCount: files.length,
    }))
    .sort((a, b) => (b.publishedAt ?? "").localeCompare(a.publishedAt ?? ""))
    .slice(0, versionsKept)
}

function statusOf(project: Project): string | null {
  const status = (project as unknown as Record<string, unknown>)["project-status"]
  return textOrNull((status as { status?: string } | undefined)?.status ?? status)
}

function person(value: unknown): string | null {
  const written = textOrNull(value)
  return written === null ? null : decodeMimeWords(written)
}
