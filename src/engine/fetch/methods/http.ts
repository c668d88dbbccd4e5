import type { FetchStrategy } from "./strategy.ts"

/** Trawl's own HTTP client. */
export const http: FetchStrategy = {
  name: "http",
  requires: null,
  cookieClient: "http",
  requestsBy: "http",
  connection: "own",
  rendersPages: false,
  isAvailable: () => true,
  transport: ({ environment }) => environment.http,
}
