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
 * A fetch method. The engine reads its properties and never compares names. To add one, write a
 * file with such an object, name it in the kit's `fetchMethods`, and list it in `methods/index.ts`;
 * the types require both.
 */
export interface FetchStrategy {
  readonly name: FetchMethod
  /** Required setup and how to do it; null if there is none. */
  readonly requires: { readonly name: string; readonly advice: string } | null
  /**
   * The client whose cookies of earlier runs it may send, because sites bind cookies to the client
   * that received them.
   */
  readonly cookieClient: CookieVisit["fetchMethod"]
  /** The method of its requests that render nothing: its own name, or a plainer method. */
  readonly requestsBy: FetchMethod
  /** TLS hello and headers of its requests: Trawl's own, Chrome's, or a paid service's. */
  readonly connection: "own" | "browser" | "service"
  /** Whether Chrome opens its pages. */
  readonly rendersPages: boolean
  /** Input field that selects only this method. */
  readonly inputFlag?: string
  /** Returns whether it is set up in this environment. */
  isAvailable(environment: Environment): boolean
  /** Returns the transport of its requests. */
  transport(options: TransportOptions): Transport
}

/** Requirement of both Chrome methods. */
export const requiresChrome = { name: "Chrome", advice: "`trawl browser install`" } as const

/** Returns whether Chrome is installed, connected or can be downloaded. */
export const hasChrome = ({ browser }: Environment) =>
  browser !== undefined && browser.available?.() !== false
