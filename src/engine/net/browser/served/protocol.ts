import type { ChromeIdentity } from "../chrome/identity.ts"
import type { BrowserPort } from "../lease/protocol.ts"

/** Increased with each change that an older Trawl would not understand. */
export const protocolVersion = 2

export interface Welcome {
  protocol: number
  /** Version of Trawl. */
  version: string
  identity: ChromeIdentity
}

/** A browser served to other machines: the interface between threads, and its identity. */
export interface ServedBrowser extends BrowserPort {
  welcome(): Promise<Welcome>
  /** Resolves while the browser is alive. */
  ping(): Promise<void>
}
