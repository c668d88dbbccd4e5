import type { CookieJar } from "tough-cookie"
import type { FetchMethod } from "../../../catalogue/kit/index.ts"
import type { CookieVisit } from "../../../store/runs/reused-cookies.ts"
import type { Transport } from "../../net/http/exchange.ts"
import type { Environment } from "../environment.ts"

interface TransportOptions {
  environment: Environment
  /** The run's cookies, for transports that exchange them with Chrome. */
  jar: CookieJar
  log(message: string, level?: "info" | "warning"): void
}

/**
 * A fetch method. The engine asks its properties and never compares names. To add one, write a file with
 * such an object, name it in the kit's `fetchMethods`, and list it in `methods/index.ts`: types require it.
 */
export interface FetchStrategy {
  readonly name: FetchMethod
  /** What the operator must set up, and how. Null: nothing. */
  readonly requires: { readonly name: string; readonly advice: string } | null
  /** Which cookies of earlier runs it may send: sites bind them to the client that received them. */
  readonly cookieClient: CookieVisit["fetchMethod"]
  /** The method by which it makes requests that render nothing; its own name, or a plainer one. */
  readonly requestsBy: FetchMethod
  /** Whose TLS hello and headers its requests have: Trawl's own, Chrome's, or a paid service's. */
  readonly connection: "own" | "browser" | "service"
  /** Chrome opens its pages. */
  readonly rendersPages: boolean
  /** The field of an input that selects this method only. */
  readonly inputFlag?: string
  /** Returns whether it is set up in this environment. */
  isAvailable(environment: Environment): boolean
  /** Returns the transport of its requests. */
  transport(options: TransportOptions): Transport
}

/** What both methods of Chrome require. */
export const requiresChrome = { name: "Chrome", advice: "`trawl browser install`" } as const

/** Returns whether Chrome is installed, connected or can be downloaded. */
export const hasChrome = ({ browser }: Environment) =>
  browser !== undefined && browser.available?.() !== false
