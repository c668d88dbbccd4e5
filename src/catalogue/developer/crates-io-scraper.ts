import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull } from "../../extract/text.ts"
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
import { BadInput, Changed, Forbidden } from "../outcome.ts"
import { registryFields } from "./registries.ts"

const api = "https://crates.io/api/v1/crates"

const { issueTracker, ...commonFields } = registryFields

const item = itemObject({
  input: Type.String({ description: "The crate as it was asked for." }),
  ...commonFields,
  version: textField("Highest stable version, else the highest."),
  description: textField("One line on the crate."),
  maxVersion: textField("Highest version."),
  maxStableVersion: textField("Highest stable version."),
  newestVersion: textField("Version published last."),
  downloadsTotal: Type.Integer({ description: "Downloads in all." }),
  downloadsLast90Days: integerField("Downloads of the last 90 days."),
  rustVersion: textField("Oldest Rust that the newest version builds with."),
  edition: textField("Rust edition of the newest version."),
  keywords: textsField("Keywords."),
  categories: textsField("Categories, as their slugs."),
  versions: Type.Array(
    itemObject({
      version: Type.String(),
      publishedAt: nullable(Type.String()),
      downloads: nullable(Type.Integer()),
      yanked: Type.Boolean(),
      license: nullable(Type.String()),
      sizeBytes: nullable(Type.Integer()),
      rustVersion: nullable(Type.String()),
      publishedBy: nullable(Type.String()),
      checksum: nullable(Type.String()),
      features: Type.Array(Type.String()),
    }),
    { description: "The versions published last." },
  ),
  dailyDownloads: nullable(
    Type.Array(itemObject({ date: Type.String(), downloads: Type.Integer() }), {
      description: "Downloads of each of the last 90 days; null when not asked for.",
    }),
  ),
  createdAt: textField("When the crate was first published (ISO 8601, UTC)."),
  updatedAt: textField("When it last changed."),
})

type Version = Record<string, unknown> & { num: string }

interface CrateAnswer {
  crate?: Record<string, unknown>
  versions?: Version[] | null
  keywords?: { id?: string }[]
  categories?: { slug?: string }[]
}

export default defineScraper({
  slug: "crates-io-scraper",
  name: "crates.io Packages",
  tagline: "Rust crates: versions, downloads, licence, links and categories.",
  category: "developer",
  tier: "free",
  input: inputObject({
    crates: inputs.texts("Crate names, or their addresses on crates.io or docs.rs.", { max: 200 }),
    includeDailyDownloads: inputs.flag("Adds the downloads of each of 90 days."),
    maxRecentVersions: inputs.count("Most versions to list; 0 lists none.", {
      min: 0,
      max: 100,
      or: 10,
    }),
  }),
  item,
  example: { crates: ["serde"] },
  // The crawler policy of crates.io: one request a second.
  pace: { "crates.io": { perSecond: 1, concurrency: 1 } },
  targets: (input) => input.crates,

  async *scrape(target, ctx) {
    const asked = crateName(target)
    const answer = await crateAnswer(asked, ctx)
    const { crate } = answer
    const name = textOrNull(crate?.name ?? crate?.id)
    const downloadsTotal = integerOrNull(crate?.downloads)
    if (!crate || name === null || downloadsTotal === null) {
      throw new Changed("The answer of crates.io holds no crate.")
    }
    const versions =
      answer.versions ??
      (await orNull(ctx, `versions of ${name}`, () => versionsOf(asked, ctx))) ??
      []
    const version = textOrNull(crate.max_stable_version) ?? textOrNull(crate.max_version)
    const current = versions.find((row) => row.num === version)
    const keywords = textList(crate.keywords)
    const categories = textList(crate.categories)
    yield {
      input: target,
      name,
      version,
      publishedAt: isoDate(current?.created_at),
      url: `https://crates.io/crates/${name}`,
      license: textOrNull(current?.license) ?? textOrNull(versions[0]?.license),
      homepage: textOrNull(crate.homepage),
      repository: textOrNull(crate.repository),
      documentation: textOrNull(crate.documentation),
      versionsCount: integerOrNull(crate.num_versions) ?? versions.length,
      description: textOrNull(crate.description)?.trim() ?? null,
      maxVersion: textOrNull(crate.max_version),
      maxStableVersion: textOrNull(crate.max_stable_version),
      newestVersion: textOrNull(crate.newest_version),
      downloadsTotal,
      downloadsLast90Days: integerOrNull(crate.recent_downloads),
      rustVersion: textOrNull(versions[0]?.rust_version),
      edition: textOrNull(versions[0]?.edition),
      keywords: keywords.length > 0 ? keywords : (answer.keywords ?? []).flatMap((k) => k.id ?? []),
      categories:
        categories.length > 0 ? categories : (answer.categories ?? []).flatMap((c) => c.slug ?? []),
      versions: versions.slice(0, ctx.input.maxRecentVersions).map(versionItem),
      dailyDownloads: ctx.input.includeDailyDownloads
        ? await orNull(ctx, `daily downloads of ${name}`, () => dailyDownloads(asked, ctx))
        : null,
      createdAt: isoDate(crate.created_at),
      updatedAt: isoDate(crate.updated_at),
    }
  },
})

function crateName(target: string): string {
  const address =
    /^https?:\/\/(?:www\.)?(?:crates\.io\/crates|docs\.rs(?:\/crate)?)\/([^/?#]+)/i.exec(
      target.trim(),
    )
  const name = address?.[1] ?? target.trim()
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw new BadInput(`"${target}" is not the name of a crate; names look like "serde_json".`)
  }
  return name
}

async function crateAnswer(name: string, ctx: Context): Promise<CrateAnswer> {
  const answer = await ctx.get(`${api}/${name}`, {
    headers: { accept: "application/json" },
    accept: [403],
  })
  if (answer.status === 403) {
    // The policy on crawlers is told in plain text.
    throw new Forbidden(`crates.io refuses access: ${answer.text().trim().slice(0, 300)}`, {
      url: answer.url,
      statusCode: 403,
    })
  }
  return answer.json<CrateAnswer>()
}

/** Should crates.io leave the versions out of the crate's answer, they have a list of their own. */
async function versionsOf(name: string, ctx: Context): Promise<Version[]> {
  const { versions } = await ctx.json<{ versions?: Version[] }>(
    `${api}/${name}/versions?per_page=100&sort=date`,
  )
  if (!Array.isArray(versions)) throw new Changed("The answer of crates.io holds no versions.")
  return versions
}

function versionItem(version: Version) {
  return {
    version: version.num,
    publishedAt: isoDate(version.created_at),
    downloads: integerOrNull(version.downloads),
    yanked: version.yanked === true,
    license: textOrNull(version.license),
    sizeBytes: integerOrNull(version.crate_size),
    rustVersion: textOrNull(version.rust_version),
    publishedBy: textOrNull(at(version, "published_by", "login")),
    checksum: textOrNull(version.checksum),
    features: Object.keys(version.features ?? {}),
  }
}

interface DailyCount {
  date: string
  downloads: number
}

/** Downloads by day: those of the newest versions, and those of all others together. */
async function dailyDownloads(name: string, ctx: Context): Promise<DailyCount[]> {
  const answer = await ctx.json<{
    version_downloads: DailyCount[]
    meta?: { extra_downloads?: DailyCount[] }
  }>(`${api}/${name}/downloads`)
  const byDate = new Map<string, number>()
  for (const { date, downloads } of [
    ...answer.version_downloads,
    ...(answer.meta?.extra_downloads ?? []),
  ]) {
    byDate.set(date, (byDate.get(date) ?? 0) + downloads)
  }
  return [...byDate]
    .map(([date, downloads]) => ({ date, downloads }))
    .sort((a, b) => a.date.localeCompare(b.date))
}
