import type { CDPSession, Protocol } from "puppeteer-core"
import { CdpCDPSession } from "puppeteer-core/internal/cdp/CdpSession.js"
import { UTILITY_WORLD_NAME } from "puppeteer-core/internal/common/util.js"

/** Source name that Puppeteer adds to its scripts. */
const ownSource = /\n?\/\/# sourceURL=pptr:\S*\s*$/

type Send = (
  this: CDPSession,
  method: string,
  params?: object,
  options?: object,
) => Promise<unknown>

/**
 * Makes Puppeteer run scripts in an isolated world without its source name, and without the
 * protocol's Runtime domain. If that domain is enabled, Chrome creates previews of logged objects,
 * which pages can detect. In the page's own world, calls would use functions that the page may have
 * replaced.
 *
 * Puppeteer learns of worlds by events of that domain. They are generated here, only for the top
 * frame, because other frames are not used.
 */
export function workApart(): void {
  const prototype = CdpCDPSession.prototype as unknown as { send: Send; isApart?: true }
  if (prototype.isApart) return
  prototype.isApart = true
  const { send } = prototype
  prototype.send = function (method, params, options) {
    if (method === "Runtime.enable") return attach(this)
    return send.call(this, method, unnamed(params), options)
  }
}

const texts = ["expression", "functionDeclaration", "source"] as const

function unnamed(params: { [name in (typeof texts)[number]]?: string } | undefined = {}): object {
  const name = texts.find((text) => params[text] !== undefined && ownSource.test(params[text]))
  return name ? { ...params, [name]: params[name]!.replace(ownSource, "") } : params
}

async function attach(session: CDPSession): Promise<unknown> {
  session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) void announceWorld(session, frame.id)
  })
  // Workers have no frames, and no script runs in them.
  const tree = await session.send("Page.getFrameTree").catch(() => undefined)
  const frame = tree?.frameTree.frame
  if (frame && frame.parentId === undefined) await announceWorld(session, frame.id)
  return {}
}

async function announceWorld(session: CDPSession, frameId: string): Promise<void> {
  session.emit("Runtime.executionContextsCleared", undefined)
  try {
    const { executionContextId: id } = await session.send("Page.createIsolatedWorld", {
      frameId,
      worldName: UTILITY_WORLD_NAME,
    })
    for (const isDefault of [true, false]) {
      const context: Protocol.Runtime.ExecutionContextDescription = {
        id,
        uniqueId: `${id} ${isDefault}`,
        origin: "",
        name: isDefault ? "" : UTILITY_WORLD_NAME,
        auxData: { frameId, isDefault, type: isDefault ? "default" : "isolated" },
      }
      session.emit("Runtime.executionContextCreated", { context })
    }
  } catch {
    // The page left meanwhile, and the next one has a world of its own.
  }
}
