import { ChromeNetTransport } from "../../net/browser/net/net-transport.ts"
import type { Browser } from "../environment.ts"
import { type FetchStrategy, hasChrome, requiresChrome } from "./strategy.ts"

/** Chrome as an HTTP client: its connection and headers, without rendering a page. */
export const browserHttp: FetchStrategy = {
  name: "browser-http",
  requires: requiresChrome,
  cookieClient: "chrome",
  requestsBy: "browser-http",
  connection: "browser",
  rendersPages: false,
  isAvailable: (environment) => environment.browser?.fetch !== undefined && hasChrome(environment),
  transport({ environment, jar, log }) {
    const { browser } = environment
    // A recorded case has no Chrome, and the same response for both methods.
    if (!browser?.fetch) return environment.http
    const client = browser as Required<Pick<Browser, "fetch">>
    return new ChromeNetTransport(client, { jar, unlocker: false, log })
  },
}
