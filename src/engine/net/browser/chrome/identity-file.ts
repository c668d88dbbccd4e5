import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { readRemoteAddress } from "../lease/remote-addresses.ts"
import { findChrome } from "../supply/find.ts"
import type { ChromeIdentity, IdentityStore } from "./identity.ts"

/** The file with Chrome's identity, and the Chrome that it belongs to. */
export interface IdentityLocation {
  file: string
  chrome: string
}

/** Interval for looking for a missing file again, because Chrome may be starting. */
const lookAgainMs = 1000

/**
 * Returns the storage path for the Chrome of these settings; undefined if there is none. Flags, for example
 * for the user agent or the language, change its identity.
 */
export function identityLocation(settings: {
  chrome?: string
  chromeArgs: readonly string[]
  chromeWs: readonly string[]
  dataDir: string
}): IdentityLocation | undefined {
  const file = join(settings.dataDir, "chrome-identity.json")
  if (settings.chromeWs.length > 0) {
    const names = settings.chromeWs.map((entry) => readRemoteAddress(entry).name)
    return { file, chrome: names.join(" ") }
  }
  const path = findChrome(settings)
  if (!path) return undefined
  const real = realpathSync(path)
  const { size, mtimeMs } = statSync(real)
  const program = `${real} ${size} ${Math.round(mtimeMs)}`
  return { file, chrome: [program, ...settings.chromeArgs].join(" ") }
}

export class IdentityFile implements IdentityStore {
  private known?: ChromeIdentity
  private lookedAt = Number.NEGATIVE_INFINITY

  constructor(private readonly location: IdentityLocation) {}

  load(): ChromeIdentity | undefined {
    const now = performance.now()
    if (this.known || now - this.lookedAt < lookAgainMs) return this.known
    this.lookedAt = now
    try {
      const { chrome, identity } = JSON.parse(readFileSync(this.location.file, "utf8"))
      if (chrome === this.location.chrome) this.known = identity
    } catch {
      // Not written yet, or unreadable: it will be rewritten.
    }
    return this.known
  }

  save(identity: ChromeIdentity): void {
    this.known = identity
    const { file, chrome } = this.location
    const fresh = `${file}.${process.pid}`
    try {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(fresh, JSON.stringify({ chrome, identity }, null, 2), { mode: 0o600 })
      renameSync(fresh, file)
    } catch {
      // A folder that cannot be written: the next start asks Chrome again.
    }
  }
}
