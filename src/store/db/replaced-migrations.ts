import type { Applied } from "./migration-hashes.ts"
import { DataRefused } from "./refused.ts"

/** Migrations of builds before the first release, by the migration that replaced them. */
const replaced: readonly { id: string; old: readonly string[] }[] = [
  {
    id: "001-schema",
    old: [
      "001-runs",
      "002-accounts",
      "003-keyless",
      "004-automation",
      "005-repair",
      "006-lists",
      "007-upstreams",
      "008-cookies",
      "009-owner",
      "010-notes",
      "011-usage",
      "012-settings",
      "013-health",
      "014-processes",
      "015-notifications",
      "016-files",
      "017-dataset-links",
      "018-health-days",
      "019-recipes",
      "020-target-ways",
      "021-appended",
      "022-run-sources",
      "023-shaped-datasets",
      "024-job-hooks",
      "025-item-parts",
      "026-host-memory",
      "027-list-counts",
      "028-commits",
      "029-host-parts",
    ],
  },
  {
    id: "002-queue",
    old: [
      "030-agents",
      "031-queue",
      "032-exclusive-schedules",
      "033-run-titles",
      "034-max-credits",
    ],
  },
]

/** Returns the migrations whose predecessors were applied to a database. */
export function replacedIn(stored: readonly Applied[]): typeof replaced {
  const applied = new Set(stored.map(({ id }) => id))
  return replaced.filter(({ old }) => old.some((id) => applied.has(id)))
}

/**
 * Returns the applied migrations under the names of this version.
 * @throws DataRefused if only some migrations of a replaced group were applied
 */
export function adopted(stored: readonly Applied[]): readonly Applied[] {
  const groups = replacedIn(stored)
  if (groups.length === 0) return stored
  const applied = new Set(stored.map(({ id }) => id))
  for (const { old } of groups) {
    const missing = old.find((id) => !applied.has(id))
    if (missing === undefined) continue
    throw new DataRefused(
      `The database was created by a build of Trawl from before its first version, and lacks ${missing}. Move it to another folder to start with a new one.`,
    )
  }
  const old = new Set(groups.flatMap((group) => group.old))
  return [...groups.map(({ id }) => ({ id })), ...stored.filter(({ id }) => !old.has(id))]
}
