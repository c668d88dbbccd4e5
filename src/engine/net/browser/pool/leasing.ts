import type { Cookie } from "puppeteer-core"
import type { ChromeIdentity } from "../chrome/identity.ts"
import type { NetResponse } from "../net/net-request.ts"
import type { Lease, LeaseRequest, NetLeaseRequest } from "./lease.ts"

/** State of a remote browser, for operators. */
export interface RemoteState {
  name: string
  weight: number
  isAway: boolean
  /** Open and waiting leases. */
  leases: number
}

/** Open leases and contexts. */
export interface LeasingStats {
  chromes: number
  contexts: number
  leases: number
  /** Remote browsers, if there are any. */
  remotes?: RemoteState[]
}

/** Leases tabs of a local Chrome, of a remote one, or of several. */
export interface Leasing {
  lease(request: LeaseRequest): Promise<Lease>
  /** Makes a request over Chrome's network stack, and returns the context's cookies after it. */
  fetch(lease: NetLeaseRequest): Promise<{ response: NetResponse; cookies: Cookie[] }>
  /** Closes the contexts of a run that has ended. */
  releaseOwner(owner: string): Promise<void>
  /** Returns Chrome's identity; starts a Chrome if it is unknown. */
  learn(): Promise<ChromeIdentity>
  stats(): LeasingStats
  stop(): Promise<void>
}

/** A remote browser. */
export interface Remote extends Leasing {
  /** Connects unless connected. @throws if it does not respond */
  ready(): Promise<void>
  /** Checks that it still responds, if there is a connection. */
  ping(): Promise<void>
  /** Ends the connection; its leases fail as lost. */
  drop(): Promise<void>
}
