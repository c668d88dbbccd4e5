import { isoDate, objectList, textList, textOrNull, textRecord } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  keywordsOf,
  newestVersions,
  orNull,
  packageName,
  type Row,
  record,
  registryFields,
  required,
  textsByKey,
  versionsStored,
} from "../kit/index.ts"
import { decodeMimeWords } from "./mime-words.ts"
import {
  documentationNames,
  homepageNames,
  issueNames,
  linkNamed,
  repositoryAmong,
  repositoryNames,
} from "./project-links.ts"

const people = record({
  author: field.text("author", "Name of the author.", decodeMimeWords),
  authorEmail: field.text(
    "author_email",
    "Email address of the author, with a name if the author wrote one.",
    decodeMimeWords,
  ),
  maintainer: field.text("maintainer", "Name of the maintainer.", decodeMimeWords),
  maintainerEmail: field.text(
    "maintainer_email",
    "Email address of the maintainer.",
    decodeMimeWords,
  ),
})

const requirements = record({
  projectUrls: textsByKey("project_urls", "URLs of the project, by label."),
  keywords: field.texts((info: Row) => keywordsOf(info.keywords), "Keywords of the package."),
  classifiers: field.texts("classifiers", "Trove classifiers, for example Framework :: Django."),
  requiresPython: field.text(
    "requires_python",
    "Python versions that the package supports, for example >=3.9.",
  ),
  requiresDist: field.texts("requires_dist", "Requirements (PEP 508)."),
  extras: field.texts(
    "provides_extra",
    "Names of the extras, which are optional sets of requirements.",
  ),
  yanked: field.flag("yanked", "Whether the version was withdrawn."),
  yankedReason: field.text("yanked_reason", "Reason of the withdrawal."),
})

const file = record({
  filename: required(field.text("filename", "Name of the file.")),
  packageType: required(
    field.text("packagetype", "Kind of file, for example sdist or bdist_wheel."),
  ),
  sizeBytes: field.integer("size", "Size, in bytes."),
  pythonVersion: field.text(
    "python_version",
    "Python version that the file is for, for example py3; source for an sdist.",
  ),
  uploadedAt: field.time(uploadTime, "Time of the upload (ISO 8601, UTC)."),
  sha256: field.text("digests.sha256", "SHA-256 of the file, in hex."),
  url: required(field.text("url", "URL of the file.")),
})

const status = record({
  vulnerabilities: field.objects("vulnerabilities", "Known vulnerabilities of the version.", {
    id: required(
      field.text("id", "Identifier of the vulnerability, for example GHSA-9wx4-h78v-vm56."),
    ),
    aliases: field.texts(
      "aliases",
      "Other identifiers of the vulnerability, for example CVE-2024-35195.",
    ),
    summary: field.text(
      "summary|details",
      "Summary of the vulnerability; the full description if there is no summary.",
    ),
    fixedIn: field.texts("fixed_in", "Versions in which the vulnerability is fixed."),
    link: field.text("link", "URL of the advisory."),
  }),
  owners: field.texts("ownership.roles.*.user", "PyPI users who own the project."),
  organization: field.text("ownership.organization", "PyPI organisation that owns the project."),
  status: field.text(
    "project-status.status|project-status",
    "Status of the project: active, archived, quarantined or deprecated; null if PyPI does not specify it.",
  ),
})

const downloads = record({
  downloadsLastDay: field.number("last_day", "Downloads in the last day."),
  downloadsLastWeek: field.number("last_week", "Downloads in the last week."),
  downloadsLastMonth: field.number("last_month", "Downloads in the last month."),
})

const item = {
  input: items.requiredText("Package as written in the input."),
  ...registryFields,
  name: items.requiredText("Name of the package, as the author writes it."),
  summary: items.text("Description of the package in one line."),
  description: items.text("Text of the README."),
  descriptionContentType: items.text("Media type of the description, for example text/markdown."),
  ...people.fields,
  changelog: items.text("URL of the change log."),
  ...requirements.fields,
  versions: items.objects(`The newest ${versionsStored} versions with files.`, {
    version: items.requiredText("Version number, for example 2.32.3."),
    publishedAt: items.text("Time of the upload of the version's first file (ISO 8601, UTC)."),
    yanked: items.requiredBoolean("Whether all files of the version were withdrawn."),
    filesCount: items.requiredInteger("Number of files of the version."),
  }),
  files: items.objects("Files of the version.", file.fields),
  ...status.fields,
  ...downloads.fields,
}

interface Project extends Row {
  info: Row & { name: string; version: string }
  releases?: Record<string, Row[] | null> | null
  urls?: Row[]
}

const input = {
  packages: inputs.texts("Package names, for example requests, or pypi.org URLs.", { max: 200 }),
  includeDownloads: inputs.flag(
    "Whether to add the downloads of the last day, week and month from pypistats.org.",
  ),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "pypi-package-scraper",
  name: "PyPI Packages",
  tagline:
    "Python packages on PyPI: version, licence, links, requirements, files, vulnerabilities and downloads.",
  serves: [
    "newest version and licence of a Python package",
    "vulnerabilities of a pip library",
    "requirements and downloads on PyPI",
    "Python module facts",
    "newest version of Flask, Django, requests, numpy or pandas",
    "licence of a Python library",
    "security holes in a Python package",
    "which Python version does a package need",
    "is a pip package maintained",
    "dependencies of a Python package",
    "package on PyPI",
    "current release of a Python library",
    "which Python does a library need",
    "PyPI metadata",
  ],
  category: "developer",
  tier: "free",
  input,
  item,
  example: { packages: ["requests"] },
  probe: {
    input: { packages: ["requests"], includeDownloads: true },
    expect: [
      "items.length equals 1",
      'items[0].name equals "requests"',
      'items[0].license matches "apache"',
      "items[0].versionsCount gte 140",
      "items[0].files.length gte 1",
      "?items[0].downloadsLastMonth gte 100000000",
    ],
  },
  rateLimit: {
    "pypi.org": { perSecond: 10, concurrency: 4 },
    "pypistats.org": { perSecond: 0.5, concurrency: 1 },
  },
  // The package, its index if the package has no releases, and its downloads.
  pages: { ofTarget: 3 },
  targets: (input) => input.packages,

  async *scrape(target, ctx) {
    const name = nameOf(target)
    const project = await ctx.json<Project>(
      `https://pypi.org/pypi/${encodeURIComponent(name.toLowerCase())}/json`,
    )
    const { info } = project
    if (typeof info?.name !== "string" || typeof info.version !== "string") {
      throw new Changed("PyPI's response has no package information.")
    }
    const releases = releasesOf(project.releases) ?? (await simpleReleases(name, ctx))
    const links = textRecord(info.project_urls)
    const homepage = textOrNull(info.home_page) ?? linkNamed(links, homepageNames)
    const files = filesIn(project.urls ?? releases[info.version])
    yield {
      input: target,
      name: info.name,
      version: info.version,
      summary: textOrNull(info.summary),
      url: textOrNull(info.package_url) ?? `https://pypi.org/project/${info.name}/`,
      description: textOrNull(info.description),
      descriptionContentType: textOrNull(info.description_content_type),
      license: licenseOf(info),
      ...people.read(info),
      homepage,
      repository:
        linkNamed(links, repositoryNames) ?? repositoryAmong([...Object.values(links), homepage]),
      documentation: linkNamed(links, documentationNames),
      changelog: linkNamed(links, ["changelog", "changes", "release notes"]),
      issueTracker: linkNamed(links, issueNames),
      ...requirements.read(info),
      versionsCount: Object.keys(releases).length,
      versions: listed(releases),
      files: files.map((row) => file.read(row)),
      publishedAt: isoDate(uploadTime(files[0])),
      ...status.read(project),
      ...(await downloadsOf(name, ctx)),
    }
  },
})

const nameOf = (target: string) =>
  packageName(target, {
    page: /^https?:\/\/(?:www\.)?pypi\.org\/(?:project|pypi|simple)\/([^/?#]+)/i,
    name: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
    hint: 'is not a package name; names look like "requests" or "ruamel.yaml".',
    // Removes extras and versions.
    bare: (written) => written.replace(/(?<!\s)\s*(?:\[|[=<>!~;@]).*$/s, ""),
  })

const filesIn = (files: readonly (Row | null)[] | null | undefined) =>
  objectList(files).filter((row) => textOrNull(row.filename) && textOrNull(row.packagetype))

function releasesOf(releases: Project["releases"]): Record<string, Row[]> | undefined {
  if (!releases) return undefined
  return Object.fromEntries(
    Object.entries(releases).map(([version, files]) => [version, filesIn(files)]),
  )
}

/**
 * Returns the versions from the simple index, in case PyPI drops `releases` from its JSON as
 * announced.
 */
async function simpleReleases(name: string, ctx: Context): Promise<Record<string, Row[]>> {
  const index = await ctx.json<{ versions?: string[] }>(
    `https://pypi.org/simple/${encodeURIComponent(name.toLowerCase())}/`,
    { headers: { accept: "application/vnd.pypi.simple.v1+json" } },
  )
  return Object.fromEntries(textList(index.versions).map((version) => [version, []]))
}

async function downloadsOf(name: string, ctx: Context<Input>) {
  if (!ctx.input.includeDownloads) return downloads.read({})
  const url = `https://pypistats.org/api/packages/${encodeURIComponent(name.toLowerCase())}/recent`
  const counts = await orNull(ctx, `download counts of ${name}`, () =>
    ctx.json<{ data?: Row }>(url, { retries: 1 }),
  )
  return downloads.read(counts?.data ?? {})
}

function licenseOf(info: Project["info"]): string | null {
  const expression = textOrNull(info.license_expression)
  if (expression) return expression
  const license = textOrNull(info.license)
  if (license && license.length <= 100) return license
  const classifiers = textList(info.classifiers).filter((classifier) =>
    classifier.startsWith("License ::"),
  )
  // "License :: OSI Approved" is omitted if a more specific licence follows.
  const names = classifiers
    .filter((classifier) => !classifiers.some((other) => other.startsWith(`${classifier} ::`)))
    .map((classifier) => classifier.split("::").at(-1)!.trim())
  return textOrNull(names.join(" OR "))
}

/** Returns the upload time; responses before 2020 have it only without a time zone. */
function uploadTime(file: Row | undefined): unknown {
  return file?.upload_time_iso_8601 ?? file?.upload_time
}
function listed(releases: Record<string, Row[]>) {
  const released = Object.entries(releases).filter(([, files]) => files.length > 0)
  return newestVersions(
    released.map(([version, files]) => ({
      version,
      publishedAt: isoDate(uploadTime(files[0])),
      yanked: files.every((file) => file.yanked === true),
      filesCount: files.length,
    })),
  )
}
