import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { at } from "../../extract/embedded.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, nullable, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed, type ErrorItem } from "../outcome.ts"
import { type GithubObject, githubPace, githubPages, repositoryPath } from "./github.ts"
import { reactionsOf, reactionsSchema } from "./github-reactions.ts"

const item = itemObject({
  input: Type.String({ description: "The repository as it was asked for." }),
  repo: Type.String({ description: "owner/name." }),
  id: Type.Integer({ description: "GitHub's number of the release." }),
  tag: Type.String({ description: "Git tag." }),
  name: textField("Title of the release."),
  url: Type.String({ description: "Its page." }),
  body: textField("Notes, in Markdown."),
  isDraft: Type.Boolean({ description: "Not published yet." }),
  isPrerelease: Type.Boolean({ description: "Marked as not ready for production." }),
  isImmutable: Type.Boolean({ description: "Its tag and assets cannot change." }),
  isLatest: Type.Boolean({
    description: "The last published that is neither draft nor prerelease.",
  }),
  author: textField("Login of who published it."),
  authorUrl: textField("That user's page."),
  targetCommitish: textField("Branch or commit that the tag was made from."),
  createdAt: textField("Date of the tagged commit (ISO 8601, UTC)."),
  publishedAt: textField("When it was published."),
  updatedAt: textField("When it last changed."),
  assets: Type.Array(
    itemObject({
      id: nullable(Type.Integer()),
      name: Type.String(),
      label: nullable(Type.String()),
      contentType: nullable(Type.String()),
      size: nullable(Type.Integer()),
      downloadCount: nullable(Type.Integer()),
      url: Type.String(),
      digest: nullable(Type.String()),
      createdAt: nullable(Type.String()),
      updatedAt: nullable(Type.String()),
    }),
    { description: "Uploaded files; size in bytes." },
  ),
  totalDownloads: Type.Integer({ description: "Downloads of all assets." }),
  tarballUrl: textField("Source as .tar.gz."),
  zipballUrl: textField("Source as .zip."),
  reactions: reactionsSchema,
})

export default defineScraper({
  slug: "github-releases-scraper",
  name: "GitHub Releases",
  tagline: "Releases of GitHub repositories with notes, assets and download counts.",
  category: "developer",
  tier: "free",
  input: inputObject({
    repos: inputs.texts("Repositories as owner/name, or their GitHub or clone addresses.", {
      max: 200,
    }),
    maxReleasesPerRepo: inputs.count("Most releases of each repository.", { max: 1000, or: 30 }),
    includePrereleases: inputs.flag("Keeps prereleases.", true),
    includeDrafts: inputs.flag("Keeps drafts, which GitHub shows only to a token that may write."),
  }),
  item,
  example: { repos: ["cli/cli"], maxReleasesPerRepo: 5 },
  pace: githubPace,
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const repo = repositoryPath(target)
    const { maxReleasesPerRepo, includePrereleases, includeDrafts } = ctx.input
    const seen: GithubObject[] = []
    const kept: GithubObject[] = []
    let failure: ErrorItem | undefined
    try {
      for await (const page of githubPages(`/repos/${repo}/releases?per_page=100&page=1`, ctx)) {
        seen.push(...page)
        kept.push(
          ...page.filter(
            (release) =>
              (includePrereleases || release.prerelease !== true) &&
              (includeDrafts || release.draft !== true),
          ),
        )
        if (kept.length >= maxReleasesPerRepo) break
      }
    } catch (error) {
      if (kept.length === 0) throw error
      failure = partFailed(ctx, error, { input: target, repo })
    }
    const latest = latestOf(seen)
    for (const release of kept.slice(0, maxReleasesPerRepo)) {
      yield { input: target, repo, ...releaseItem(release), isLatest: release === latest }
    }
    if (failure) yield failure
  },
})

function latestOf(releases: GithubObject[]): GithubObject | undefined {
  const date = (release: GithubObject) => isoDate(release.published_at) ?? ""
  const published = releases.filter(
    (release) => release.draft !== true && release.prerelease !== true,
  )
  return published.reduce<GithubObject | undefined>(
    (best, release) => (best && date(best) >= date(release) ? best : release),
    undefined,
  )
}

function releaseItem(release: GithubObject) {
  const { id, tag_name: tag, html_url: url } = release
  if (typeof id !== "number" || typeof tag !== "string" || typeof url !== "string") {
    throw new Changed("GitHub's list holds something that is no release.")
  }
  const author = textOrNull(at(release, "author", "login"))
  const assets = assetsOf(release.assets)
  return {
    id,
    tag,
    name: textOrNull(release.name),
    url,
    body: textOrNull(release.body),
    isDraft: release.draft === true,
    isPrerelease: release.prerelease === true,
    isImmutable: release.immutable === true,
    author,
    authorUrl:
      textOrNull(at(release, "author", "html_url")) ?? (author && `https://github.com/${author}`),
    targetCommitish: textOrNull(release.target_commitish),
    createdAt: isoDate(release.created_at),
    publishedAt: isoDate(release.published_at),
    updatedAt: isoDate(release.updated_at),
    assets,
    totalDownloads: assets.reduce((sum, asset) => sum + (asset.downloadCount ?? 0), 0),
    tarballUrl: textOrNull(release.tarball_url),
    zipballUrl: textOrNull(release.zipball_url),
    reactions: reactionsOf(release.reactions),
  }
}

function assetsOf(value: unknown) {
  const assets = Array.isArray(value) ? (value as GithubObject[]) : []
  // A "starter" is an upload that never finished.
  return assets
    .filter((asset) => asset.state !== "starter")
    .map((asset) => ({
      id: integerOrNull(asset.id),
      name: String(asset.name),
      label: textOrNull(asset.label),
      contentType: textOrNull(asset.content_type),
      size: integerOrNull(asset.size),
      downloadCount: integerOrNull(asset.download_count),
      url: String(asset.browser_download_url),
      digest: textOrNull(asset.digest),
      createdAt: isoDate(asset.created_at),
      updatedAt: isoDate(asset.updated_at),
    }))
}
