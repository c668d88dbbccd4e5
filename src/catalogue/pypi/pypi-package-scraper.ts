import { isoDate, objectList, textList, textOrNull, textRecord } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
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
  required,
  textsByKey,
  versionsStored,
} from "../kit/index.ts"

/** Returns the upload time; responses before 2020 have it only without a time zone. */
const uploadTime = (file: Row | undefined): unknown =>
  file?.upload_time_iso_8601 ?? file?.upload_time

const fileRecord = record({
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

/** Decodes encoded words of RFC 2047 in a header value, such as `=?utf-8?q?Timoth=C3=A9e?=`. */
const decodeMimeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(=\?)/g, "$1$2")
    .replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/gi, (whole, charset, encoding, body) => {
      const bytes = encoding.toLowerCase() === "b" ? Buffer.from(body, "base64") : quotedBytes(body)
      try {
        return new TextDecoder(charset).decode(bytes)
      } catch {
        return whole
      }
    })

const homepageOf = (info: Row): string | null =>
  textOrNull(info.home_page) ?? linkNamed(info, ["homepage", "home"])

/** Rows have the fields of `info`, and the whole response as `project`. */
const facts = record({
  name: items.requiredText("Name of the package, as the author writes it."),
  version: registryFields.version,
  summary: field.text("summary", "Description of the package in one line."),
  url: field.of(
    registryFields.url,
    ({ name, package_url }: Row) => textOrNull(package_url) ?? `https://pypi.org/project/${name}/`,
  ),
  description: field.text("description", "Text of the README."),
  descriptionContentType: field.text(
    "description_content_type",
    "Media type of the description, for example text/markdown.",
  ),
  license: field.of(registryFields.license, licenseOf),
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
  homepage: field.of(registryFields.homepage, homepageOf),
  repository: field.of(
    registryFields.repository,
    (info: Row) =>
      linkNamed(info, ["source", "repository", "source code", "code", "github"]) ??
      repositoryAmong([...Object.values(textRecord(info.project_urls)), homepageOf(info)]),
  ),
  documentation: field.of(registryFields.documentation, (info: Row) =>
    linkNamed(info, ["documentation", "docs"]),
  ),
  changelog: field.text(
    (info: Row) => linkNamed(info, ["changelog", "changes", "release notes"]),
    "URL of the change log.",
  ),
  issueTracker: field.of(registryFields.issueTracker, (info: Row) =>
    linkNamed(info, ["issues", "bug reports", "bug tracker", "issue tracker", "tracker"]),
  ),
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
  versionsCount: registryFields.versionsCount,
  versions: items.objects(`The newest ${versionsStored} versions with files.`, {
    version: items.requiredText("Version number, for example 2.32.3."),
    publishedAt: items.text("Time of the upload of the version's first file (ISO 8601, UTC)."),
    yanked: items.requiredBoolean("Whether all files of the version were withdrawn."),
    filesCount: items.requiredInteger("Number of files of the version."),
  }),
  files: items.objects("Files of the version.", fileRecord.fields),
  publishedAt: registryFields.publishedAt,
  vulnerabilities: field.objects(
    "project.vulnerabilities",
    "Known vulnerabilities of the version.",
    {
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
    },
  ),
  owners: field.texts("project.ownership.roles.*.user", "PyPI users who own the project."),
  organization: field.text(
    "project.ownership.organization",
    "PyPI organisation that owns the project.",
  ),
  status: field.text(
    "project.project-status.status|project.project-status",
    "Status of the project: active, archived, quarantined or deprecated; null if PyPI does not specify it.",
  ),
  downloadsLastDay: field.number("recent.last_day", "Downloads in the last day."),
  downloadsLastWeek: field.number("recent.last_week", "Downloads in the last week."),
  downloadsLastMonth: field.number("recent.last_month", "Downloads in the last month."),
})

interface Project extends Row {
  info: Row & { name: string; version: string }
  releases?: Record<string, Row[] | null> | null
  urls?: Row[]
}

export default defineScraper({
  slug: "pypi-package-scraper",
  name: "PyPI Packages",
  tagline:
    "Python packages on PyPI: version, licence, links, requirements, files, vulnerabilities and downloads.",
  category: "developer",
  input: {
    packages: inputs.texts("Package names, for example requests, or pypi.org URLs.", { max: 200 }),
    includeDownloads: inputs.flag(
      "Whether to add the downloads of the last day, week and month from pypistats.org.",
    ),
  },
  item: {
    input: items.requiredText("Package as written in the input."),
    ...registryFields,
    ...facts.fields,
  },
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
    if (typeof info?.name !== "string" || typeof info.version !== "string")
      throw new Changed("PyPI's response has no package information.")
    const releases = releasesOf(project.releases) ?? (await simpleReleases(name, ctx))
    const files = filesIn(project.urls ?? releases[info.version]).map((row) => fileRecord.read(row))
    yield {
      input: target,
      ...facts.read({
        ...info,
        project,
        versionsCount: Object.keys(releases).length,
        versions: listed(releases),
        files,
        publishedAt: files[0]?.uploadedAt,
        recent: await downloadsOf(name, ctx),
      }),
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

async function downloadsOf(name: string, ctx: Context<{ includeDownloads: boolean }>) {
  if (!ctx.input.includeDownloads) return null
  const url = `https://pypistats.org/api/packages/${encodeURIComponent(name.toLowerCase())}/recent`
  const counts = await orNull(ctx, `download counts of ${name}`, () =>
    ctx.json<{ data?: Row }>(url, { retries: 1 }),
  )
  return counts?.data
}

function licenseOf(info: Row): string | null {
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

/** Returns the project's link whose label is one of the names, ignoring case. Earlier names win. */
function linkNamed({ project_urls }: Row, names: string[]): string | null {
  const links = Object.entries(textRecord(project_urls))
  const byLabel = new Map(links.map(([label, link]) => [label.toLowerCase(), link]))
  return names.map((name) => byLabel.get(name)).find(Boolean) ?? null
}

/** Returns the first URL of a supported code host that is not a sponsors page. */
const repositoryAmong = (links: (string | null)[]): string | null =>
  links.find((link) =>
    /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+\/(?!sponsors\/)/i.test(
      link ?? "",
    ),
  ) ?? null

function quotedBytes(body: string): Uint8Array {
  const text = body.replaceAll("_", " ")
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const hex = /^=([0-9A-F]{2})/i.exec(text.slice(at, at + 3))
    if (hex) at += 2
    bytes.push(hex ? Number.parseInt(hex[1]!, 16) : text.charCodeAt(at))
  }
  return Uint8Array.from(bytes)
}
