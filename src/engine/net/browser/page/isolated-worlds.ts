import type { CDPSession, Protocol } from "puppeteer-core"
import { CdpCDPSession } from "puppeteer-core/internal/cdp/CdpSession.js"
import { UTILITY_WORLD_NAME } from "puppeteer-core/internal/common/util.js"

/** The name that Puppeteer gives to each script of its own. */
const ownSource = /\n?\/\/# sourceURL=pptr:\S*\s*$/

type Send = (
  this: CDPSession,
  method: string,
  params?: object,
  options?: object,
) => Promise<unknown>

/**
 * Has Puppeteer work in a world apart from that of each page, under no name of its own, and without the
 * protocol's Runtime domain. Where that is enabled, Chrome makes previews of what a page logs, which
 * the page can notice; and what is called in the page's own world goes through its own functions.
 *
 * Puppeteer learns of worlds by events of that domain: they are made here, for the top frame alone, as
 * nothing is done in others.
 */
export function workApart(): void {
  const prototype = CdpCDPSession.prototype as unknown as { send: Send; isApart?: true }
  if (prototype.isApart) return
  prototype.isApart = true
  const { send } = prototype
  prototype.send = function (method, params, options) {
    if (method === "Runtime.enable") return standIn(this)
    return send.call(this, method, unnamed(params), options)
  }
}

const texts = ["expression", "functionDeclaration", "source"] as const

function unnamed(params: { [name in (typeof texts)[number]]?: string } | undefined = {}): object {
  const name = texts.find((text) => params[text] !== undefined && ownSource.test(params[text]))
  return name ? { ...params, [name]: params[name]!.replace(ownSource, "") } : params
}

async function standIn(session: CDPSession): Promise<unknown> {
  session.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined) void tellWorld(session, frame.id)
  })
  // Workers have no frames, and nothing is done in them.
  const tree = await session.send("Page.getFrameTree").catch(() => undefined)
  const frame = tree?.frameTree.frame
  if (frame && frame.parentId === undefined) await tellWorld(session, frame.id)
  return {}
}

async function tellWorld(session: CDPSession, frameId: string): Promise<void> {
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
