import { dayMs, minuteMs } from "../base/time.ts"
import { type LinkRow, type NewLink, openLink } from "../store/accounts/links.ts"
import type { Store } from "../store/store.ts"
import { newSecret, sha256 } from "./secrets.ts"

const lifeMs: Record<LinkRow["kind"], number> = {
  owner: 30 * minuteMs,
  password: dayMs,
  invitation: 7 * dayMs,
}

export interface FreshLink {
  /** Secret of the link; the store has only its hash. */
  link: string
  expiresAt: Date
}

type About = Pick<NewLink, "kind" | "accountId" | "email" | "role" | "credits">

/** Creates a single-use link that expires. */
export async function createLink(
  store: Pick<Store, "write">,
  about: About,
  now = new Date(),
): Promise<FreshLink> {
  const link = newSecret()
  const expiresAt = new Date(now.getTime() + lifeMs[about.kind])
  await store.write("links.create", {
    ...about,
    hash: sha256(link),
    createdAt: now.toISOString(),
    expiresAt: expiresAt.toISOString(),
  })
  return { link, expiresAt }
}

/** Returns the purpose of a link; undefined if it is expired, used or unknown. */
export function findLink(
  { db }: Pick<Store, "db">,
  link: string,
  now = new Date(),
): Promise<LinkRow | undefined> {
  return openLink(db, sha256(link), now.toISOString())
}

/** URL of a link's page. */
export const linkUrl = (root: string, link: string) => `${root}/signup?link=${link}`
