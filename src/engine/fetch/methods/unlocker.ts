import type { FetchStrategy } from "./strategy.ts"

/** The operator's unlocking proxy, which solves challenges and charges by the page. */
export const unlocker: FetchStrategy = {
  name: "unlocker",
  requires: { name: "unlocker", advice: "TRAWL_UNLOCKER_URL" },
  cookieClient: "unlocker",
  requestsBy: "unlocker",
  connection: "service",
  rendersPages: false,
  inputFlag: "useUnlocker",
  isAvailable: (environment) => environment.unlocker !== undefined,
  transport({ environment, log }) {
    if (environment.unlocker) return environment.unlocker
    log("No unlocker is set (TRAWL_UNLOCKER_URL). Requesting over plain HTTP.", "warning")
    return environment.http
  },
}
