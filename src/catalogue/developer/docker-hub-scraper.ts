import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { distinct, textOrNull, unseen } from "../../extract/text.ts"
import { orNull } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed } from "../outcome.ts"
import {
  categoriesOf,
  detailFields,
  dockerHub,
  dockerHubPace,
  type HubObject,
  hubDetails,
  hubRepository,
  hubUrl,
} from "./docker-hub.ts"

const pageSize = 100

const item = itemObject({
  input: Type.String({ description: "The repository as it was asked for." }),
  name: Type.String({ description: "Name." }),
  namespace: Type.String({ description: "User or organisation; library for official images." }),
  fullName: Type.String({ description: "namespace/name; for official images the name alone." }),
  url: Type.String({ description: "The repository's page." }),
  isOfficial: Type.Boolean({ description: "It is an official image." }),
  description: textField("One line on the repository."),
  stars: integerField("Stars."),
  pulls: Type.Integer({ description: "Pulls in all." }),
  isPrivate: booleanField("It is private."),
  isAutomated: booleanField("Docker Hub builds it from its source."),
  publisher: textField("User who owns it."),
  categories: textsField("Categories."),
  storageSizeBytes: integerField("Storage used by its images."),
  ...detailFields,
  modifiedAt: textField("When the repository's data last changed."),
  tagsCount: integerField("Number of tags; null when not asked for."),
  tags: nullable(
    Type.Array(
      itemObject({
        name: Type.String(),
        digest: nullable(Type.String()),
        sizeBytes: nullable(Type.Integer()),
        updatedAt: nullable(Type.String()),
        lastPushedAt: nullable(Type.String()),
        lastPulledAt: nullable(Type.String()),
        status: nullable(Type.String()),
        updatedBy: nullable(Type.String()),
        architectures: Type.Array(Type.String()),
        images: Type.Array(
          itemObject({
            architecture: nullable(Type.String()),
            variant: nullable(Type.String()),
            os: nullable(Type.String()),
            osVersion: nullable(Type.String()),
            digest: nullable(Type.String()),
            sizeBytes: nullable(Type.Integer()),
            status: nullable(Type.String()),
          }),
        ),
      }),
      { description: "Tags, the last updated first; sizeBytes is that of the first image." },
    ),
  ),
})

export default defineScraper({
  slug: "docker-hub-scraper",
  name: "Docker Hub Repositories",
  tagline:
    "Docker Hub repositories: pulls, stars, tags with sizes and architectures, full description.",
  category: "developer",
  tier: "free",
  input: inputObject({
    repositories: inputs.texts(
      "Repositories as name (official images), namespace/name, or their addresses.",
      { max: 200 },
    ),
    tagsPerRepo: inputs.count("Most tags of each repository; 0 skips them.", {
      min: 0,
      max: 500,
      or: 10,
    }),
    includeFullDescription: inputs.flag("Adds the long description."),
  }),
  item,
  example: { repositories: ["nginx", "grafana/grafana"], tagsPerRepo: 5 },
  pace: dockerHubPace,
  targets: (input) => input.repositories,

  async *scrape(target, ctx) {
    const [asked, askedName] = repositoryName(target)
    const repo = await hubRepository(asked, askedName, ctx)
    const pulls = integerOrNull(repo.pull_count)
    if (pulls === null) throw new Changed("Docker Hub's answer holds no pull count.")
    const { name, namespace } = repo
    const isOfficial = namespace === "library"
    const { fullDescription, ...details } = hubDetails(repo)
    const wanted = ctx.input.tagsPerRepo
    const tags =
      wanted > 0
        ? await orNull(ctx, `tags of ${name}`, () => tagsOf(asked, askedName, wanted, ctx))
        : null
    yield {
      input: target,
      name,
      namespace,
      fullName: isOfficial ? name : `${namespace}/${name}`,
      url: hubUrl(namespace, name),
      isOfficial,
      description: textOrNull(repo.description),
      stars: integerOrNull(repo.star_count),
      pulls,
      isPrivate: booleanOrNull(repo.is_private),
      isAutomated: booleanOrNull(repo.is_automated),
      publisher: textOrNull(repo.hub_user) ?? textOrNull(repo.user),
      categories: categoriesOf(repo),
      storageSizeBytes: integerOrNull(repo.storage_size),
      ...details,
      fullDescription: ctx.input.includeFullDescription ? fullDescription : null,
      modifiedAt: isoDate(repo.last_modified),
      tagsCount: tags?.count ?? null,
      tags: tags?.tags ?? null,
    }
  },
})

/** Namespace and name in what users write: addresses and image references, tags cut off. */
function repositoryName(target: string): [namespace: string, name: string] {
  const path = target
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?hub\.docker\.com\/(?:_\/|r\/)?/, "")
    .replace(/^(?:index\.|registry-1\.)?docker\.io\//, "")
    .replace(/[?#@].*$/, "")
    .replace(/:\w[\w.-]*$/, "")
    .replace(/\/tags(?:\/.*)?$|\/$/, "")
  const parts = path.split("/")
  const part = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/
  if (parts.length > 2 || !parts.every((name) => part.test(name))) {
    throw new BadInput(`"${target}" is not a repository of Docker Hub; write "namespace/name".`)
  }
  return parts.length === 1 ? ["library", parts[0]!] : [parts[0]!, parts[1]!]
}

interface TagPage {
  count?: number
  next?: string | null
  results?: HubObject[]
}

async function tagsOf(namespace: string, name: string, wanted: number, ctx: Context) {
  const tags: HubObject[] = []
  let count: number | null = null
  const first = `/v2/repositories/${namespace}/${name}/tags/?page_size=${Math.min(pageSize, wanted)}&page=1&ordering=last_updated`
  const seen = new Set<string>()
  for (let next: string | null | undefined = first; next && tags.length < wanted; ) {
    const page: TagPage | null =
      tags.length === 0
        ? await tagPage(next, ctx)
        : await orNull(ctx, `more tags of ${name}`, () => tagPage(next!, ctx))
    const fresh: HubObject[] = unseen(page?.results ?? [], seen, (tag) => String(tag.name))
    tags.push(...fresh)
    count ??= integerOrNull(page?.count)
    next = fresh.length > 0 ? page?.next : null
  }
  return { count, tags: tags.slice(0, wanted).map(tagItem) }
}

async function tagPage(path: string, ctx: Context): Promise<TagPage> {
  const page = await dockerHub<TagPage>(path, ctx)
  if (!Array.isArray(page?.results)) throw new Changed("Docker Hub's answer holds no tags.")
  return page
}

function tagItem(tag: HubObject) {
  const images = (Array.isArray(tag.images) ? (tag.images as HubObject[]) : []).map((image) => ({
    architecture: textOrNull(image.architecture),
    variant: textOrNull(image.variant),
    os: textOrNull(image.os),
    osVersion: textOrNull(image.os_version),
    digest: textOrNull(image.digest),
    sizeBytes: integerOrNull(image.size),
    status: textOrNull(image.status),
  }))
  // Attestations are images of "unknown" architecture.
  const known = images.flatMap(({ architecture }) => architecture ?? [])
  return {
    name: String(tag.name),
    digest: textOrNull(tag.digest),
    sizeBytes: integerOrNull(tag.full_size),
    updatedAt: isoDate(tag.last_updated),
    lastPushedAt: isoDate(tag.tag_last_pushed),
    lastPulledAt: isoDate(tag.tag_last_pulled),
    status: textOrNull(tag.tag_status),
    updatedBy: textOrNull(tag.last_updater_username),
    architectures: distinct(known.filter((architecture) => architecture !== "unknown")),
    images,
  }
}
