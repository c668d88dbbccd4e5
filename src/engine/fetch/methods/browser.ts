import { type FetchStrategy, hasChrome, requiresChrome } from "./strategy.ts"

/** A page rendered by Chrome. Plain requests of such a page use HTTP. */
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
