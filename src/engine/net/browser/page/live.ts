import type { CDPSession, KeyInput, MouseButton, Page, Protocol } from "puppeteer-core"
import { BadInput } from "../../../../catalogue/kit/index.ts"
import type { InputEvent, Picture } from "../../sessions/live-page.ts"

const quality = 60
const maxTitle = 200
/** Milliseconds in which a closed window is reported. */
const closingMs = 200

/** One page: a screenshot is taken after the previous one was sent. */
class Screencast {
  private frame?: Protocol.Page.ScreencastFrameEvent

  private constructor(
    readonly page: Page,
    private readonly cdp: CDPSession,
    onFrame: () => void,
  ) {
    cdp.on("Page.screencastFrame", (frame) => {
      this.frame = frame
      onFrame()
    })
  }

  static async open(page: Page, onFrame: () => void): Promise<Screencast> {
    const screencast = new Screencast(page, await page.createCDPSession(), onFrame)
    await screencast.start()
    return screencast
  }

  private async start(): Promise<void> {
    await this.cdp.send("Page.startScreencast", { format: "jpeg", quality })
  }

  /** Shows the page again, also if it has not changed. */
  async again(): Promise<void> {
    await this.page.bringToFront()
    await this.cdp.send("Page.stopScreencast")
    await this.start()
  }

  async take(): Promise<Picture | null> {
    const { frame, page } = this
    if (!frame) return null
    delete this.frame
    const { data, metadata, sessionId } = frame
    await this.cdp.send("Page.screencastFrameAck", { sessionId })
    const title = await page.title().catch(() => "")
    return {
      bytes: new Uint8Array(Buffer.from(data, "base64")),
      url: page.url(),
      title: title.slice(0, maxTitle),
      width: metadata.deviceWidth,
      height: metadata.deviceHeight,
    }
  }

  async stop(): Promise<void> {
    await this.cdp.send("Page.stopScreencast").catch(() => {})
    await this.cdp.detach().catch(() => {})
  }
}

interface LiveParts {
  /** Leaves the windows of a page open; returns a function that stops. */
  follow(page: Page): () => void
  /** Prepares a window like a tab. */
  prepare(page: Page): Promise<void>
}

/**
 * A page as a person sees it. A window that it opens is on top until it is closed, for example that of
 * a log-in by another service.
 */
export class LivePage {
  /** The page and its open windows, the newest last. */
  private readonly casts: Screencast[] = []
  private readonly waiting = new Set<() => void>()
  private readonly stops: (() => void)[] = []
  private readonly wake = () => {
    for (const resolve of this.waiting) resolve()
  }

  private constructor(private readonly parts: LiveParts) {}

  static async open(page: Page, parts: LiveParts): Promise<LivePage> {
    const live = new LivePage(parts)
    await live.add(page)
    return live
  }

  /** Applies a person's input to the page on top, in order. @throws BadInput for an unknown key */
  async input(events: readonly InputEvent[]): Promise<void> {
    const { top } = this
    try {
      await inputTo(top.page, events)
    } catch (error) {
      // A click may close a window, to which the rest of the input belonged.
      if (top === this.casts[0] || error instanceof BadInput) throw error
    }
  }

  private get top(): Screencast {
    return this.casts.at(-1)!
  }

  private async add(page: Page): Promise<void> {
    this.stops.push(this.parts.follow(page))
    page.on("popup", (popup) => {
      if (popup) void this.addWindow(popup).catch(() => popup.close().catch(() => {}))
    })
    const cast = await Screencast.open(page, this.wake)
    if (!page.isClosed()) this.casts.push(cast)
  }

  private async addWindow(popup: Page): Promise<void> {
    popup.once("close", () => void this.remove(popup))
    await this.parts.prepare(popup)
    await this.add(popup)
    this.wake()
  }

  private async remove(popup: Page): Promise<void> {
    const index = this.casts.findIndex(({ page }) => page === popup)
    if (index < 0) return
    this.casts.splice(index, 1)
    await this.top.again().catch(() => {})
    this.wake()
  }

  /** Returns the next screenshot; null if nothing changes within this time. */
  async next(timeoutMs: number): Promise<Picture | null> {
    const { top } = this
    try {
      const ready = await top.take()
      if (ready) return ready
      await this.wait(timeoutMs)
      return await this.top.take()
    } catch (error) {
      // A window may be closed while its screenshot is taken, which is reported later.
      if (top === this.casts[0]) throw error
      await this.wait(closingMs)
      return null
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

  /** Closes the windows, and leaves the page. */
  async close(): Promise<void> {
    for (const stop of this.stops) stop()
    const [page, ...windows] = this.casts.splice(0)
    for (const { page: window } of windows) window.close().catch(() => {})
    page?.page.removeAllListeners("popup")
    await page?.stop()
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
