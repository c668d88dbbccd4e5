import { removableFiles } from "../../../store/files/files.ts"
import type { Store } from "../../../store/store.ts"
import type { FileStorages } from "./storages.ts"

/** Maximum files per batch. */
const atOnce = 200

/** Deletes some expired files, then their rows. Returns whether there are more. */
export async function tidyFiles(
  store: Store,
  storages: FileStorages,
  now: string,
): Promise<boolean> {
  let isMore = false
  for (const storage of storages.all) {
    const ids = await removableFiles(store.db, { storage: storage.name, now, limit: atOnce })
    if (ids.length === 0) continue
    await Promise.all(ids.map((id) => storage.remove(id)))
    await store.write("files.drop", { ids })
    isMore ||= ids.length >= atOnce
  }
  return isMore
}
