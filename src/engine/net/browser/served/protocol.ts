import type { ChromeIdentity } from "../identity.ts"
import type { BrowserPort } from "../protocol.ts"

/** Counts up with each change that an older Trawl at the other end would not understand. */
export const protocolVersion = 2

export interface Welcome {
  protocol: number
  /** Of Trawl. */
  version: string
  identity: ChromeIdentity
}

/** A Trawl's browser as it is served to other machines: what threads of one ask, and who it is. */
export interface ServedBrowser extends BrowserPort {
  welcome(): Promise<Welcome>
  /** Answers while it lives. */
  ping(): Promise<void>
}
