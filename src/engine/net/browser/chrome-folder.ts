import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { lockFolder } from "../../../store/folder-lock.ts"

const prefix = "trawl-chrome-"
/** A younger folder may still be in the making: its lock file exists before it is held. */
const freshMs = 60_000

/**
 * Chrome opens a Unix socket below its folder, and a socket's path has at most 104 bytes on macOS and
 * 108 on Linux. What Chrome and this file add leaves this many for their parent folder.
 */
const maxParentBytes = 40

/** Returns the system's temporary folder, or /tmp if its path is too long for Chrome's socket. */
function parentFolder(): string {
  const parent = tmpdir()
  const isShort = Buffer.byteLength(parent) <= maxParentBytes || process.platform === "win32"
  return isShort ? parent : "/tmp"
}

/** The throw-away folder of one Chrome: its profile, and what it keeps for the moment. */
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

/** A Chrome that was just killed may still write for a moment. */
export async function removeFolder(path: string): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // Something was written while it was being emptied.
    }
    // That is not always said.
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
    // A folder, or a link, that another user has put there is not ours to open.
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
