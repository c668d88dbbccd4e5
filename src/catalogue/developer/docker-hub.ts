import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { booleanField, textField } from "../fields.ts"
import { Changed } from "../outcome.ts"

const root = "https://hub.docker.com"

export const dockerHubPace = { "hub.docker.com": { perSecond: 3, concurrency: 5 } }

export type HubObject = Record<string, unknown>

/** An answer of Docker Hub's API. `path` may be a whole address, as its `next` links are. */
export function dockerHub<T>(path: string, ctx: Context): Promise<T> {
  const url = new URL(path, root)
  if (url.origin !== root) throw new Changed(`Docker Hub's list goes on at ${url.origin}.`)
  const token = ctx.secret("DOCKERHUB_TOKEN")
  return ctx.json<T>(url.href, { headers: token ? { authorization: `Bearer ${token}` } : {} })
}

/** @throws Changed when the answer holds no repository */
export async function hubRepository(
  namespace: string,
  name: string,
  ctx: Context,
): Promise<HubObject & { name: string; namespace: string }> {
  const repo = await dockerHub<HubObject>(`/v2/repositories/${namespace}/${name}/`, ctx)
  if (typeof repo?.name !== "string" || typeof repo.namespace !== "string") {
    throw new Changed("Docker Hub's answer holds no repository.")
  }
  return repo as HubObject & { name: string; namespace: string }
}

/** The repository's page; official images have no namespace there. */
export function hubUrl(namespace: string, name: string): string {
  return namespace === "library" ? `${root}/_/${name}` : `${root}/r/${namespace}/${name}`
}

/** What only a repository's own answer holds. */
export const detailFields = {
  createdAt: textField("When it was registered (ISO 8601, UTC)."),
  updatedAt: textField("When an image was last pushed."),
  status: textField("active, or what else Docker Hub says."),
  isArchived: booleanField("It is archived."),
  fullDescription: textField("The long description, in Markdown."),
}

export function hubDetails(repo: HubObject) {
  const status = textOrNull(repo.status_description)
  return {
    createdAt: isoDate(repo.date_registered),
    updatedAt: isoDate(repo.last_updated),
    status,
    isArchived:
      booleanOrNull(repo.is_archived ?? repo.archived) ??
      (status === null ? null : /archived/i.test(status)),
    fullDescription: textOrNull(repo.full_description),
  }
}

export function categoriesOf(repo: HubObject): string[] {
  const categories = Array.isArray(repo.categories) ? (repo.categories as HubObject[]) : []
  return categories.flatMap((category) => textOrNull(category?.name) ?? [])
}
