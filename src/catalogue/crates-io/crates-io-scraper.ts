import {
  integerOrNull,
  isoDate,
  objectList,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  Forbidden,
  field,
  inputs,
  items,
  nullable,
  orNull,
  packageName,
  type Row,
  record,
  recordOf,
  registryFields,
  required,
} from "../kit/index.ts"

const api = "https://crates.io/api/v1/crates"

const { issueTracker, ...commonFields } = registryFields

const version = recordOf<Row>()({
  version: required(field.text("num", "Version number.")),
  publishedAt: field.time("created_at", "Time of publication (ISO 8601, UTC)."),
  downloads: field.integer("downloads", "Number of downloads of the version."),
  yanked: field.flag("yanked", "Whether the version was withdrawn from use by new projects."),
  license: field.text("license", "Licence as an SPDX expression, for example MIT OR Apache-2.0."),
  sizeBytes: field.integer("crate_size", "Size of the compressed package, in bytes."),
  rustVersion: field.text("rust_version", "Minimum Rust version."),
  publishedBy: field.text("published_by.login", "Login of the user who published the version."),
  checksum: field.text("checksum", "SHA-256 checksum of the package, in hexadecimal."),
  features: field.texts((row) => Object.keys(row.features ?? {}), "Names of the Cargo features."),
})

const crateRecord = record({
  input: items.requiredText("Crate as written in the input."),
  ...commonFields,
  version: items.text("Highest stable version, or the highest version if none is stable."),
  description: field.trimmed("description", "One-line description of the crate."),
  maxVersion: field.text("max_version", "Highest version."),
  maxStableVersion: field.text("max_stable_version", "Highest stable version."),
  newestVersion: field.text("newest_version", "Most recently published version."),
  downloadsTotal: required(field.integer("downloads", "Total number of downloads.")),
  downloadsLast90Days: field.integer(
    "recent_downloads",
    "Number of downloads in the last 90 days.",
  ),
  rustVersion: field.text("newest.rust_version", "Minimum Rust version of the newest version."),
  edition: field.text("newest.edition", "Rust edition of the newest version."),
  keywords: field.texts("keywords", "Keywords."),
  categories: field.texts("categories", "Slugs of the categories."),
  versions: items.objects("Most recently published versions.", version.fields),
  dailyDownloads: nullable(
    items.objects("Number of downloads per day in the last 90 days; null unless requested.", {
      date: items.requiredText("Day (YYYY-MM-DD)."),
      downloads: items.requiredInteger("Number of downloads on that day."),
    }),
  ),
  createdAt: field.time("created_at", "Time of first publication (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "Time of the last change (ISO 8601, UTC)."),
})

interface CrateResponse {
  crate?: Row
  versions?: Row[] | null
  keywords?: Row[]
  categories?: Row[]
}

export default defineScraper({
  slug: "crates-io-scraper",
  name: "crates.io Packages",
  tagline: "Rust crates: versions, downloads, licence, links and categories.",
  category: "developer",
  input: {
    crates: inputs.texts("Crate names, for example serde, or crates.io or docs.rs URLs.", {
      max: 200,
    }),
    includeDailyDownloads: inputs.flag(
      "Whether to include the downloads per day of the last 90 days.",
    ),
    maxRecentVersions: inputs.count("Maximum versions to list; 0 lists none", {
      min: 0,
      max: 100,
      or: 10,
    }),
  },
  item: crateRecord,
  example: { crates: ["serde"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name equals "serde"',
      "items[0].downloadsTotal gte 500000000",
      'items[0].license matches "MIT"',
      'items[0].version matches "^1\\\\."',
      "items[0].versions.length gte 100",
    ],
  },
  // The crawler policy of crates.io allows one request per second.
  rateLimit: { "crates.io": { perSecond: 1, concurrency: 1 } },
  // The crate, its versions and its downloads by day.
  pages: { ofTarget: 3 },
  targets: (input) => input.crates,

  async *scrape(target, ctx) {
    const requested = packageName(target, {
      page: /^https?:\/\/(?:www\.)?(?:crates\.io\/crates|docs\.rs(?:\/crate)?)\/([^/?#]+)/i,
      name: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
      hint: 'is not a crate name. Names look like "serde_json".',
    })
    const response = await crateResponse(requested, ctx)
    const { crate } = response
    const name = textOrNull(crate?.name ?? crate?.id)
    if (!crate || name === null) throw new Changed("crates.io's response has no crate.")
    const listed =
      response.versions ??
      (await orNull(ctx, `versions of ${name}`, () => versionsOf(requested, ctx)))
    const versions = objectList(listed).filter(({ num }) => textOrNull(num))
    const highest = textOrNull(crate.max_stable_version) ?? textOrNull(crate.max_version)
    const current = versions.find((row) => row.num === highest)
    yield crateRecord.read({
      ...crate,
      input: target,
      name,
      version: highest,
      publishedAt: isoDate(current?.created_at),
      url: `https://crates.io/crates/${name}`,
      license: textOrNull(current?.license) ?? textOrNull(versions[0]?.license),
      homepage: textOrNull(crate.homepage),
      repository: textOrNull(crate.repository),
      documentation: textOrNull(crate.documentation),
      versionsCount: integerOrNull(crate.num_versions) ?? versions.length,
      newest: versions[0],
      keywords: textsOr(crate.keywords, response.keywords, "id"),
      categories: textsOr(crate.categories, response.categories, "slug"),
      versions: versions.slice(0, ctx.input.maxRecentVersions).map((row) => version.read(row)),
      dailyDownloads: ctx.input.includeDailyDownloads
        ? await orNull(ctx, `daily downloads of ${name}`, () => dailyDownloads(requested, ctx))
        : null,
    })
  },
})

/** Returns a list of texts, or else the texts under a key of each row. */
function textsOr(list: unknown, rows: Row[] | undefined, key: string): unknown[] {
  const texts = textList(list)
  return texts.length > 0 ? texts : objectList(rows).map((row) => row[key])
}

async function crateResponse(name: string, ctx: Context): Promise<CrateResponse> {
  const response = await ctx.get(`${api}/${name}`, {
    headers: { accept: "application/json" },
    accept: [403],
  })
  if (response.status === 403) {
    // The crawler policy is plain text.
    const reason = response.text().trim().slice(0, 300)
    throw new Forbidden(`crates.io refused access: ${reason}`, { response })
  }
  return response.json<CrateResponse>()
}

/** Returns the versions from their own list if the crate's response does not contain them. */
async function versionsOf(name: string, ctx: Context): Promise<Row[]> {
  const url = `${api}/${name}/versions?per_page=100&sort=date`
  const { versions } = await ctx.json<{ versions?: Row[] }>(url)
  if (!Array.isArray(versions)) throw new Changed("crates.io's response has no versions.")
  return versions
}

/** Returns downloads by day: those of the newest versions, and the sum of all others. */
async function dailyDownloads(name: string, ctx: Context) {
  const response = await ctx.json<{
    version_downloads?: Row[]
    meta?: { extra_downloads?: Row[] }
  }>(`${api}/${name}/downloads`)
  const byDate = new Map<string, number>()
  for (const counts of [response.version_downloads, response.meta?.extra_downloads]) {
    for (const { date, downloads } of objectList(counts)) {
      const day = textOrNull(date)
      if (day) byDate.set(day, (byDate.get(day) ?? 0) + (integerOrNull(downloads) ?? 0))
    }
  }
  return [...byDate]
    .map(([date, downloads]) => ({ date, downloads }))
    .sort((a, b) => a.date.localeCompare(b.date))
}
