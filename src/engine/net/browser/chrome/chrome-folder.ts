import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lockFolder } from "../../../../store/folder-lock.ts"

const prefix = "trawl-chrome-"
/** Minimum age of a removable folder: the lock file of a younger one may not be locked yet. */
const freshMs = 60_000

/**
 * Maximum bytes of the parent folder's path. Chrome opens a Unix socket below its folder, whose
 * path may have 104 bytes on macOS and 108 on Linux.
 */
const maxParentBytes = 40

/** Returns the system's temporary folder, or /tmp if its path is too long for Chrome's socket. */
function parentFolder(): string {
  const parent = tmpdir()
  const isShort = Buffer.byteLength(parent) <= maxParentBytes || process.platform === "win32"
  return isShort ? parent : "/tmp"
}

/** The temporary folder of one Chrome: its profile and short-lived files. */
export interface ChromeFolder {
  path: string
  remove(): Promise<void>
}

/**
 * Returns a new folder. The operating system holds its lock and releases it with this process, so that a
 * later process recognizes unused folders.
 */
export function makeChromeFolder(parent = parentFolder()): ChromeFolder {
  const path = mkdtempSync(join(parent, prefix))
  const unlock = lockFolder(path)
  return {
    path,
    remove() {
      unlock()
      return removeFolder(path)
    },
  }
}

/** Removes a folder; a Chrome that was just killed may still write to it. */
export async function removeFolder(path: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Something was written while it was being emptied.
    }
    // This error is not always reported.
    if (!existsSync(path)) return
    await Bun.sleep(100)
  }
}

/** Removes the folders of processes that were killed. */
export function sweepChromeFolders(parent = parentFolder()): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    const path = join(parent, name)
    if (isLeft(path)) void removeFolder(path)
  }
}

function isLeft(path: string): boolean {
  try {
    const { uid, mtimeMs } = lstatSync(path)
    // A folder or link created by another user must not be opened.
    if (!lstatSync(path).isDirectory() || uid !== (process.getuid?.() ?? uid)) return false
    if (Date.now() - mtimeMs <= freshMs) return false
    if (existsSync(join(path, "serve.lock"))) lockFolder(path)()
    return true
  } catch {
    return false
  }
}

/** Ends a Chrome with all its processes. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The group is gone already.
  }
}
