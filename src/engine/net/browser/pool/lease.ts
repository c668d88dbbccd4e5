import type { Cookie } from "puppeteer-core"
import type { LeasedTab } from "../../../fetch/environment.ts"
import type { EgressRules } from "../../http/proxy-rules.ts"
import type { StorageToSet } from "../../sessions/run-session.ts"
import type { NetRequest } from "../net/net-request.ts"

export interface LeaseRequest {
  /** ID of the run: its leases share one context with its cookies and storage. */
  owner: string
  unlocker: boolean
  /** Egress rules of the caller, which may select a proxy of the operator. */
  exit?: EgressRules | undefined
  cookies: Cookie[]
  /** Local storage of the run's session. */
  storage?: StorageToSet | undefined
  /** Maximum milliseconds of the lease with all its steps. */
  deadlineMs: number
  /**
   * Aborted when the run has ended or its thread is gone: the lease stops waiting and opens no tab.
   */
  signal?: AbortSignal
  /** Called with a screenshot of each page that is read. */
  onScreenshot?(png: Uint8Array): void
}

/** A request of a run over Chrome's network stack. */
export interface NetLeaseRequest
  extends Pick<LeaseRequest, "owner" | "unlocker" | "exit" | "cookies" | "signal"> {
  request: NetRequest
}

export interface Lease {
  visit: LeasedTab
  /** Releases the tab and returns the context's cookies. */
  close(): Promise<Cookie[]>
}
