import type { CDPSession, KeyInput, MouseButton, Page, Protocol } from "puppeteer-core"
import { BadInput } from "../../../../catalogue/kit/index.ts"
import type { InputEvent, Picture } from "../../sessions/live-page.ts"

const quality = 60
const maxTitle = 200

/** A page as a person sees it: a screenshot is taken after the previous one was sent. */
export class LivePage {
  private frame?: Protocol.Page.ScreencastFrameEvent
  private readonly waiting = new Set<() => void>()

  private constructor(
    private readonly page: Page,
    private readonly cdp: CDPSession,
  ) {
    cdp.on("Page.screencastFrame", (frame) => {
      this.frame = frame
      for (const wake of this.waiting) wake()
    })
  }

  static async open(page: Page): Promise<LivePage> {
    const cdp = await page.createCDPSession()
    const live = new LivePage(page, cdp)
    await cdp.send("Page.startScreencast", { format: "jpeg", quality })
    return live
  }

  /** Returns the next screenshot; null if the page does not change within this time. */
  async next(timeoutMs: number): Promise<Picture | null> {
    if (!this.frame) await this.wait(timeoutMs)
    const { frame } = this
    if (!frame) return null
    this.frame = undefined
    const { data, metadata, sessionId } = frame
    await this.cdp.send("Page.screencastFrameAck", { sessionId })
    const title = await this.page.title().catch(() => "")
    return {
      bytes: new Uint8Array(Buffer.from(data, "base64")),
      url: this.page.url(),
      title: title.slice(0, maxTitle),
      width: metadata.deviceWidth,
      height: metadata.deviceHeight,
    }
  }

  private async wait(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timeoutMs)
    this.waiting.add(resolve)
    await promise
    clearTimeout(timer)
    this.waiting.delete(resolve)
  }

  async close(): Promise<void> {
    await this.cdp.send("Page.stopScreencast").catch(() => {})
    await this.cdp.detach().catch(() => {})
  }
}

/** Applies a person's input to a page, in order. @throws BadInput for an unknown key */
export async function inputTo(page: Page, events: readonly InputEvent[]): Promise<void> {
  for (const event of events) await inputOne(page, event)
}

async function inputOne(page: Page, event: InputEvent): Promise<void> {
  const { mouse, keyboard } = page
  switch (event.type) {
    case "move":
      return mouse.move(event.x, event.y)
    case "down":
    case "up": {
      const button = (event.button ?? "left") as MouseButton
      await mouse.move(event.x, event.y)
      return mouse[event.type]({ button })
    }
    case "wheel":
      await mouse.move(event.x, event.y)
      return mouse.wheel({ deltaX: event.dx, deltaY: event.dy })
    case "text":
      return keyboard.type(event.text)
    case "key":
      return press(page, event)
    case "back":
      await page.goBack({ waitUntil: "domcontentloaded" }).catch(() => null)
      return
    case "reload":
      await page.reload({ waitUntil: "domcontentloaded" }).catch(() => null)
  }
}

const modifierKeys = { 1: "Alt", 2: "Control", 4: "Meta", 8: "Shift" } as const

async function press(page: Page, { key, modifiers = 0 }: { key: string; modifiers?: number }) {
  const held = Object.entries(modifierKeys).flatMap(([bit, name]) =>
    modifiers & Number(bit) ? [name] : [],
  )
  for (const name of held) await page.keyboard.down(name)
  try {
    await page.keyboard.press(key as KeyInput)
  } catch {
    throw new BadInput(`"${key.slice(0, 40)}" is not a supported key.`)
  } finally {
    for (const name of held.reverse()) await page.keyboard.up(name)
  }
}
