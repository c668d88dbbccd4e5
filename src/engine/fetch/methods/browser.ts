import { type FetchStrategy, hasChrome, requiresChrome } from "./strategy.ts"

/** A page that Chrome renders. Plain requests next to it go over HTTP. */
export const browser: FetchStrategy = {
  name: "browser",
  requires: requiresChrome,
  cookieClient: "chrome",
  requestsBy: "http",
  connection: "own",
  rendersPages: true,
  isAvailable: hasChrome,
  transport: ({ environment }) => environment.http,
}
