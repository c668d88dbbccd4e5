import { distinct, integerOrNull, objectList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  orNull,
  type Row,
  record,
  required,
} from "../kit/index.ts"
import {
  categoriesField,
  dockerHub,
  dockerHubRateLimit,
  type HubPage,
  hubDetails,
  hubRepository,
  hubUrl,
} from "./docker-hub.ts"

const pageSize = 100

const tag = record({
  name: required(field.text("name", "Name of the tag.")),
  digest: field.text("digest", "Digest of the tag's manifest, with its algorithm."),
  sizeBytes: field.integer("full_size", "Compressed size of the first image, in bytes."),
  updatedAt: field.time("last_updated", "Time of the last change (ISO 8601, UTC)."),
  lastPushedAt: field.time("tag_last_pushed", "Time of the last push (ISO 8601, UTC)."),
  lastPulledAt: field.time("tag_last_pulled", "Time of the last pull (ISO 8601, UTC)."),
  status: field.text("tag_status", "Status of the tag, for example active."),
  updatedBy: field.text("last_updater_username", "Username of the user who last changed the tag."),
  architectures: field.texts(
    architecturesOf,
    "CPU architectures of the images, without duplicates.",
  ),
  images: field.objects("images", "Images of the tag, one per platform.", {
    architecture: field.text(
      "architecture",
      "CPU architecture, for example amd64; unknown for attestations.",
    ),
    variant: field.text("variant", "Variant of the CPU architecture, for example v7."),
    os: field.text("os", "Operating system, for example linux."),
    osVersion: field.text("os_version", "Version of the operating system."),
    digest: field.text("digest", "Digest of the image, with its algorithm."),
    sizeBytes: field.integer("size", "Compressed size, in bytes."),
    status: field.text("status", "Status of the image, for example active."),
  }),
})

const repository = record({
  input: items.requiredText("Repository as written in the input."),
  name: items.requiredText("Name."),
  namespace: items.requiredText("User or organization; library for official images."),
  fullName: items.requiredText(
    "Full name in the form namespace/name; for official images only the name.",
  ),
  url: items.requiredText("URL of the repository."),
  isOfficial: items.requiredBoolean("Whether it is an official image."),
  description: field.text("description", "One-line description of the repository."),
  stars: field.integer("star_count", "Number of stars."),
  pulls: required(field.integer("pull_count", "Total number of pulls.")),
  isPrivate: field.boolean("is_private", "Whether the repository is private."),
  isAutomated: field.boolean(
    "is_automated",
    "Whether Docker Hub builds the image from its source.",
  ),
  publisher: field.text("hub_user|user", "User who owns the repository."),
  categories: categoriesField,
  storageSizeBytes: field.integer("storage_size", "Storage used by the images, in bytes."),
  ...hubDetails,
  modifiedAt: field.time(
    "last_modified",
    "Time of the last change of the repository's data (ISO 8601, UTC).",
  ),
  tagsCount: items.integer("Number of tags; null unless requested."),
  tags: nullable(
    items.objects(
      "Tags, last updated first; `sizeBytes` is the size of the first image.",
      tag.fields,
    ),
  ),
})

export default defineScraper({
  slug: "docker-hub-scraper",
  name: "Docker Hub Repositories",
  tagline:
    "Docker Hub repositories: pulls, stars, tags with sizes and architectures, full description.",
  category: "developer",
  input: {
    repositories: inputs.texts(
      "Repository names, for example nginx or grafana/grafana, or Docker Hub URLs.",
      { max: 200 },
    ),
    tagsPerRepo: inputs.count("Maximum tags per repository; 0 lists none", {
      min: 0,
      max: 500,
      or: 10,
    }),
    includeFullDescription: inputs.flag("Whether to include the long description."),
  },
  item: repository,
  example: { repositories: ["nginx", "grafana/grafana"], tagsPerRepo: 5 },
  probe: {
    input: { repositories: ["nginx"], tagsPerRepo: 3 },
    expect: [
      "items.length equals 1",
      "items[0].isOfficial equals true",
      "items[0].pulls gte 1000000000",
      "items[0].stars gte 10000",
      "?items[0].tags.length equals 3",
      "?items[0].updatedAt fresh 60",
    ],
  },
  rateLimit: dockerHubRateLimit,
  targets: (input) => input.repositories,

  async *scrape(target, ctx) {
    const [requested, requestedName] = repositoryName(target)
    const repo = await hubRepository(requested, requestedName, ctx)
    const { name, namespace } = repo
    const isOfficial = namespace === "library"
    const { tagsPerRepo: wanted, includeFullDescription } = ctx.input
    const tags =
      wanted > 0
        ? await orNull(ctx, `tags of ${name}`, () => tagsOf(requested, requestedName, wanted, ctx))
        : null
    yield repository.read({
      ...repo,
      ...(!includeFullDescription && { full_description: null }),
      input: target,
      fullName: isOfficial ? name : `${namespace}/${name}`,
      url: hubUrl(namespace, name),
      isOfficial,
      tagsCount: tags?.count,
      tags: tags?.tags,
    })
  },
})

/** Returns namespace and name from URLs and image references, without tags. */
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
    throw new BadInput(`"${target}" is not a Docker Hub repository. Use the form "namespace/name".`)
  }
  return parts.length === 1 ? ["library", parts[0]!] : [parts[0]!, parts[1]!]
}

async function tagsOf(namespace: string, name: string, wanted: number, ctx: Context) {
  let count: number | null = null
  const first = `/v2/repositories/${namespace}/${name}/tags/?page_size=${Math.min(pageSize, wanted)}&page=1&ordering=last_updated`
  const page = async (path?: string) => {
    const found = path
      ? await orNull(ctx, `more tags of ${name}`, () => tagPage(path, ctx))
      : await tagPage(first, ctx)
    count ??= integerOrNull(found?.count)
    const rows = objectList(found?.results).filter((tag) => textOrNull(tag.name))
    return { rows, next: found?.next }
  }
  const tags = cursor(page, { cap: wanted, keyOf: (tag) => String(tag.name) })
  const rows = await Array.fromAsync(tags)
  return { count, tags: rows.map((row) => tag.read(row)) }
}

async function tagPage(path: string, ctx: Context): Promise<HubPage> {
  const page = await dockerHub<HubPage>(path, ctx)
  if (!Array.isArray(page?.results)) throw new Changed("Docker Hub's response has no tags.")
  return page
}

/** Attestations are images with the architecture "unknown". */
function architecturesOf({ images }: Row): string[] {
  const known = objectList(images as Row[]).flatMap((row) => textOrNull(row.architecture) ?? [])
  return distinct(known.filter((architecture) => architecture !== "unknown"))
}
