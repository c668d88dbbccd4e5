import type { Calls } from "../../../../base/rpc.ts"
import type { RenderedResponse, UpstreamResponse } from "../../../../catalogue/kit/index.ts"
import type { LeasedTab } from "../../../fetch/environment.ts"
import type { Picture } from "../../sessions/live-page.ts"
import type { OriginStorage } from "../../sessions/state.ts"
import {
  type BrowserPort,
  isResponseMessage,
  responseFromMessage,
  type Step,
} from "../lease/protocol.ts"

/** Returns the tab of a lease; each step is sent to the thread or server that has the Chrome. */
export function tabOf(
  calls: Pick<Calls<BrowserPort>, "step">,
  lease: number,
  onScreenshot?: (png: Uint8Array) => void,
): LeasedTab {
  const step = async (name: Step, ...args: unknown[]) => {
    const value = await calls.step(lease, name, args, onScreenshot)
    return isResponseMessage(value) ? responseFromMessage(value) : value
  }
  return {
    goto: (url, options) => step("goto", url, options) as Promise<RenderedResponse>,
    read: () => step("read") as Promise<RenderedResponse>,
    next: (timeoutMs) => step("next", timeoutMs) as Promise<RenderedResponse | null>,
    finish: (options, isQuiet) => step("finish", options, isQuiet) as Promise<RenderedResponse>,
    waitFor: (selector, timeoutMs) => step("waitFor", selector, timeoutMs) as Promise<boolean>,
    click: (selector) => step("click", selector) as Promise<boolean>,
    scroll: (options) => step("scroll", options) as Promise<void>,
    fetch: (url, options) => step("fetch", url, options) as Promise<UpstreamResponse>,
    storage: () => step("storage") as Promise<OriginStorage | null>,
    watch: (timeoutMs) => step("watch", timeoutMs) as Promise<Picture | null>,
    input: (events) => step("input", events) as Promise<void>,
  }
}
