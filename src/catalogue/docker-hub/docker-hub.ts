import { booleanOrNull, textOrNull } from "../../extract/core/index.ts"
import { Changed, type Context, field, type Row, record } from "../kit/index.ts"

const root = "https://hub.docker.com"

export const dockerHubRateLimit = { "hub.docker.com": { perSecond: 3, concurrency: 5 } }

/** An answer of Docker Hub's API. `path` may be a whole address, as its `next` links are. */
export function dockerHub<T>(path: string, ctx: Context): Promise<T> {
  const url = new URL(path, root)
  if (url.origin !== root) throw new Changed(`Docker Hub's list continues at ${url.origin}.`)
  const token = ctx.secret("DOCKERHUB_TOKEN")
  return ctx.json<T>(url.href, { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

/** @throws Changed when the answer holds no repository */
export async function hubRepository(
  namespace: string,
  name: string,
  ctx: Context,
): Promise<Row & { name: string; namespace: string }> {
  const repo = await dockerHub<Row>(`/v2/repositories/${namespace}/${name}/`, ctx)
  if (typeof repo?.name !== "string" || typeof repo.namespace !== "string") {
    throw new Changed("Docker Hub's answer holds no repository.")
  }
  return repo as Row & { name: string; namespace: string }
}

/** The repository's page; official images have no namespace there. */
export function hubUrl(namespace: string, name: string): string {
  return namespace === "library" ? `${root}/_/${name}` : `${root}/r/${namespace}/${name}`
}

/** What only a repository's own answer holds. */
export const hubDetails = record({
  createdAt: field.time("date_registered", "When it was registered (ISO 8601, UTC)."),
  updatedAt: field.time("last_updated", "When an image was last pushed."),
  status: field.text("status_description", "active, or what else Docker Hub says."),
  isArchived: field.boolean(isArchived, "Whether it is archived."),
  fullDescription: field.text("full_description", "The long description, in Markdown."),
})

function isArchived(repo: Row): boolean | null {
  const status = textOrNull(repo.status_description)
  return (
    booleanOrNull(repo.is_archived ?? repo.archived) ??
    (status === null ? null : /archived/i.test(status))
  )
}

export const categoriesField = field.texts("categories.*.name", "Categories.")
