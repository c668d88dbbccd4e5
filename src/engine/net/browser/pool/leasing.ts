import type { Cookie } from "puppeteer-core"
import type { ChromeIdentity } from "../identity.ts"
import type { NetResponse } from "../net/net-request.ts"
import type { Lease, LeaseRequest, NetLeaseRequest } from "./lease.ts"

/** A browser elsewhere, as operators see it. */
export interface RemoteState {
  name: string
  weight: number
  isAway: boolean
  /** What is open there, or waits for it. */
  leases: number
}

/** What is open. */
export interface LeasingStats {
  chromes: number
  contexts: number
  leases: number
  /** Remote browsers, if there are any. */
  remotes?: RemoteState[]
}

/** Whatever gives tabs of a Chrome: one here, one elsewhere, or several. */
export interface Leasing {
  lease(request: LeaseRequest): Promise<Lease>
  /** One exchange over Chrome's network stack, and the context's cookies after it. */
  fetch(lease: NetLeaseRequest): Promise<{ response: NetResponse; cookies: Cookie[] }>
  /** Closes what a run has open; called when it has ended. */
  releaseOwner(owner: string): Promise<void>
  /** Who Chrome says it is; starts one where that is not known. */
  learn(): Promise<ChromeIdentity>
  stats(): LeasingStats
  stop(): Promise<void>
}

/** A browser that runs elsewhere. */
export interface Remote extends Leasing {
  /** Connects unless connected. @throws if it does not respond */
  ready(): Promise<void>
  /** Checks that it still responds, if there is a connection. */
  ping(): Promise<void>
  /** Ends the connection: what is open there fails as lost. */
  drop(): Promise<void>
}
