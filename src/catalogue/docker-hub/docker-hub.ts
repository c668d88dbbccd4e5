import { booleanOrNull, textOrNull } from "../../extract/core/index.ts"
import { Changed, type Context, field, type Row } from "../kit/index.ts"

const root = "https://hub.docker.com"

export const dockerHubRateLimit = { "hub.docker.com": { perSecond: 3, concurrency: 5 } }

/** A page of one of Docker Hub's lists. */
export interface HubPage {
  count?: number
  next?: string | null
  results?: Row[] | null
}

/** Returns a response of Docker Hub's API. `path` may be an absolute URL, like its `next` links. */
export function dockerHub<T>(path: string, ctx: Context): Promise<T> {
  const url = new URL(path, root)
  if (url.origin !== root) throw new Changed(`Docker Hub's list continues at ${url.origin}.`)
  const token = ctx.secret("DOCKERHUB_TOKEN")
  return ctx.json<T>(url.href, { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

/** @throws Changed if the response has no repository */
export async function hubRepository(namespace: string, name: string, ctx: Context) {
  const repo = await dockerHub<Row>(`/v2/repositories/${namespace}/${name}/`, ctx)
  if (typeof repo?.name !== "string" || typeof repo.namespace !== "string") {
    throw new Changed("Docker Hub's response has no repository.")
  }
  return repo as Row & { name: string; namespace: string }
}

/** Returns the URL of the repository; that of official images has no namespace. */
export const hubUrl = (namespace: string, name: string): string =>
  namespace === "library" ? `${root}/_/${name}` : `${root}/r/${namespace}/${name}`

/** Fields that only the response for a single repository has. */
export const hubDetails = {
  createdAt: field.time("date_registered", "Time of registration (ISO 8601, UTC)."),
  updatedAt: field.time("last_updated", "Time of the last push of an image (ISO 8601, UTC)."),
  status: field.text("status_description", "Status, for example active."),
  isArchived: field.boolean(isArchived, "Whether the repository is archived."),
  fullDescription: field.text("full_description", "Long description as Markdown."),
}

function isArchived(repo: Row) {
  const status = textOrNull(repo.status_description)
  return booleanOrNull(repo.is_archived ?? repo.archived) ?? (status && /archived/i.test(status))
}

export const categoriesField = field.texts("categories.*.name", "Categories.")
