import type { AttemptMethod, FetchMethod } from "../../../catalogue/kit/index.ts"
import { browser } from "./browser.ts"
import { browserHttp } from "./browser-http.ts"
import { http } from "./http.ts"
import type { FetchStrategy } from "./strategy.ts"
import { unlocker } from "./unlocker.ts"

/** The fetch methods by name: the only list of them in the engine. */
export const strategies: Readonly<Record<FetchMethod, FetchStrategy>> = {
  http,
  "browser-http": browserHttp,
  browser,
  unlocker,
}

/** Returns the method by which something is fetched: fallbacks such as feeds go over plain HTTP. */
export const strategyOf = (method: AttemptMethod): FetchStrategy =>
  isFetchMethod(method) ? strategies[method] : http

export const isFetchMethod = (method: AttemptMethod): method is FetchMethod => method in strategies
