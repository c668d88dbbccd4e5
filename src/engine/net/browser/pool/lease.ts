import type { Cookie } from "puppeteer-core"
import type { LeasedTab } from "../../../fetch/environment.ts"
import type { EgressRules } from "../../http/proxy-rules.ts"
import type { GivenStorage } from "../../sessions/run-session.ts"
import type { NetRequest } from "../net/net-request.ts"

export interface LeaseRequest {
  /** The run: its leases share one context, and so cookies and storage. */
  owner: string
  unlocker: boolean
  /** The caller, by which the operator's proxies may be chosen. */
  exit?: EgressRules | undefined
  cookies: Cookie[]
  /** Local storage of the run's session. */
  storage?: GivenStorage | undefined
  /** For the whole lease with all its steps. */
  deadlineMs: number
  /** Aborted when the run has ended or its thread is gone: it stops waiting and opens no tab. */
  signal?: AbortSignal
  /** Called with a picture of each page that is read. */
  onScreenshot?(png: Uint8Array): void
}

/** One request of a run over Chrome's network stack. */
export interface NetLeaseRequest
  extends Pick<LeaseRequest, "owner" | "unlocker" | "exit" | "cookies" | "signal"> {
  request: NetRequest
}

export interface Lease {
  visit: LeasedTab
  /** Gives the tab back; the context's cookies as they are now. */
  close(): Promise<Cookie[]>
}
