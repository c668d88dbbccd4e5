import { existsSync } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Glob } from "bun"
import type { FileStorage } from "./storage.ts"
import type { FileStorages } from "./storages.ts"

/** A host name that never exists (RFC 2606), so that no page can have the URL of an upload. */
const zone = "upload.invalid"

/** Returns the URL prefix of a run's uploads. */
export const uploadPrefix = (runId: string) => `https://${runId.replace("_", "-")}.${zone}/`
const contentsId = (runId: string) => runId.replace("run_", "upload_")

/** Returns the URL of an uploaded document for its run. */
export function uploadUrl(runId: string, { name, type }: { name: string; type: string }): string {
  const url = new URL(uploadPrefix(runId))
  url.pathname = `/${encodeURIComponent(name)}`
  url.searchParams.set("type", type)
  return url.href
}

/** A document for a run: stored before the run starts, deleted after it has finished. */
export class Upload {
  private readonly storage: FileStorage
  private readonly id: string

  constructor(storages: FileStorages, runId: string) {
    this.storage = storages.forNew
    this.id = contentsId(runId)
  }

  put(bytes: Uint8Array): Promise<void> {
    return this.storage.put(this.id, bytes)
  }

  remove(): Promise<void> {
    return this.storage.remove(this.id)
  }

  /** Returns undefined if the upload has been deleted. */
  async read(maxBytes: number): Promise<Uint8Array | undefined> {
    const contents = await this.storage.open(this.id, { from: 0, to: maxBytes })
    return contents && new Uint8Array(await new Response(contents).arrayBuffer())
  }
}

const leftOverMs = 3_600_000

/** Deletes uploads in the data folder that a crashed call left. */
export async function removeLeftUploads(dataDir: string, now: number): Promise<void> {
  const folder = join(dataDir, "files")
  if (!existsSync(folder)) return
  for await (const path of new Glob("*/upload_*").scan({ cwd: folder, onlyFiles: true })) {
    const file = join(folder, path)
    const { mtimeMs } = await stat(file)
    if (now - mtimeMs > leftOverMs) await Bun.file(file).delete()
  }
}
