import { booleanOrNull, integerOrNull, isoDate, objectList } from "../../extract/core/index.ts"
import {
  defineScraper,
  type ErrorItem,
  field,
  inputs,
  items,
  partFailed,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import {
  githubPages,
  githubScraper,
  profileOf,
  repositoriesInput,
  repositoryPath,
} from "./github.ts"
import { reactionsField } from "./reactions.ts"

const naming = record({
  id: required(field.integer("id", "GitHub's ID of the release.")),
  tag: required(field.text("tag_name", "Git tag.")),
  name: field.text("name", "Title of the release."),
  url: required(field.text("html_url", "URL of the release.")),
  body: field.text("body", "Release notes as Markdown."),
  isDraft: field.flag("draft", "Whether the release is an unpublished draft."),
  isPrerelease: field.flag(
    "prerelease",
    "Whether the release is marked as not ready for production.",
  ),
  isImmutable: field.flag("immutable", "Whether the release's tag and assets cannot change."),
})

const facts = record({
  author: field.text("author.login", "Login of the user who published the release."),
  authorUrl: field.text((release: Row) => profileOf(release.author), "URL of that user's profile."),
  targetCommitish: field.text(
    "target_commitish",
    "Branch or commit that the tag was created from.",
  ),
  createdAt: field.time("created_at", "Time of the tagged commit (ISO 8601, UTC)."),
  publishedAt: field.time("published_at", "Time of publication (ISO 8601, UTC)."),
  updatedAt: field.time("updated_at", "Time of the last change (ISO 8601, UTC)."),
  assets: field.objects(uploads, "Uploaded files with their size in bytes.", {
    id: field.integer("id", "GitHub's ID of the asset."),
    name: required(field.text("name", "File name.")),
    label: field.text("label", "Text displayed instead of the file name."),
    contentType: field.text("content_type", "Media type, for example application/zip."),
    size: field.integer("size", "Size, in bytes."),
    downloadCount: field.integer("download_count", "Number of downloads."),
    url: required(field.text("browser_download_url", "URL of the file.")),
    digest: field.text("digest", "Digest of the file, in the form algorithm:hexadecimal."),
    createdAt: field.time("created_at", "Time of the upload (ISO 8601, UTC)."),
    updatedAt: field.time("updated_at", "Time of the last change (ISO 8601, UTC)."),
  }),
  totalDownloads: field.of(
    items.requiredInteger("Total downloads of all assets."),
    (release: Row) =>
      uploads(release).reduce((sum, asset) => sum + (integerOrNull(asset.download_count) ?? 0), 0),
  ),
  tarballUrl: field.text("tarball_url", "URL of the source as .tar.gz."),
  zipballUrl: field.text("zipball_url", "URL of the source as .zip."),
  reactions: reactionsField,
})

export default defineScraper({
  slug: "github-releases-scraper",
  name: "GitHub Releases",
  tagline: "Releases of GitHub repositories with notes, assets and download counts.",
  ...githubScraper,
  input: {
    repos: repositoriesInput,
    maxReleasesPerRepo: inputs.count("Maximum releases per repository", { max: 1000, or: 30 }),
    includePrereleases: inputs.flag("Whether to include prereleases.", true),
    includeDrafts: inputs.flag(
      "Whether to include drafts; GitHub returns them only for a token with write access.",
    ),
  },
  item: {
    input: items.requiredText("Repository as written in the input."),
    repo: items.requiredText("owner/name."),
    ...naming.fields,
    isLatest: items.requiredBoolean(
      "Whether this is the latest release that is neither a draft nor a prerelease.",
    ),
    ...facts.fields,
  },
  example: { repos: ["cli/cli"], maxReleasesPerRepo: 5 },
  probe: {
    input: { repos: ["cli/cli"], maxReleasesPerRepo: 3 },
    expect: [
      "items.length equals 3",
      'items[0].tag matches "^v\\\\d"',
      "items[0].assets.length gte 5",
      "items[0].totalDownloads gte 1",
      "items[*].publishedAt fresh 120",
    ],
  },
  targets: (input) => input.repos,

  async *scrape(target, ctx) {
    const repo = repositoryPath(target)
    const { maxReleasesPerRepo, includePrereleases, includeDrafts } = ctx.input
    const seen: Row[] = []
    const stored: Row[] = []
    let failure: ErrorItem | undefined
    try {
      for await (const page of githubPages(`/repos/${repo}/releases?per_page=100&page=1`, ctx)) {
        seen.push(...page)
        stored.push(
          ...page.filter(
            (release) =>
              (includePrereleases || !booleanOrNull(release.prerelease)) &&
              (includeDrafts || !booleanOrNull(release.draft)),
          ),
        )
        if (stored.filter(({ id }) => id).length >= maxReleasesPerRepo) break
      }
    } catch (error) {
      if (stored.length === 0) throw error
      failure = partFailed(ctx, error, { input: target, repo })
    }
    const latest = latestOf(seen)
    const read = (release: Row) => ({
      input: target,
      repo,
      ...naming.read(release),
      ...facts.read(release),
      isLatest: release === latest,
    })
    let provided = 0
    for await (const item of readRows(stored, read, ctx)) {
      if (++provided > maxReleasesPerRepo) break
      yield item
    }
    if (failure) yield failure
  },
})

function latestOf(releases: Row[]): Row | undefined {
  const date = (release: Row) => isoDate(release.published_at) ?? ""
  const published = releases.filter(
    ({ id, draft, prerelease }) => id && !booleanOrNull(draft) && !booleanOrNull(prerelease),
  )
  return published.reduce<Row | undefined>(
    (best, release) => (best && date(best) >= date(release) ? best : release),
    undefined,
  )
}

/** An asset with the state "starter" is an unfinished upload. */
function uploads({ assets }: Row): Row[] {
  return objectList(assets as Row[]).filter(({ state }) => state !== "starter")
}
