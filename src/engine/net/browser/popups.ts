import type { CDPSession, Target } from "puppeteer-core"

/** A page that opens more windows than this keeps Chrome from everything else. */
export const maxPopups = 20

/** Closes the windows that pages open. */
export class Popups {
  private cdp?: CDPSession
  /** Pages that are watched, with what they may still open. */
  private readonly openers = new Map<Target, { left: number; tooMany(): void }>()

  /** `cdp` is a session with the browser as a whole. */
  start(cdp: CDPSession): void {
    this.cdp = cdp
  }

  /**
   * Puppeteer's target filter, called before a new window loads anything. A window that waits for
   * its debugger would block its opener even when closed; one that is filtered out is released first.
   */
  readonly takesOn = (target: Target): boolean => {
    const opener = target.type() === "page" ? target.opener() : undefined
    if (!opener) return true
    const { _targetId: targetId } = target as unknown as { _targetId: string }
    queueMicrotask(() => this.cdp?.send("Target.closeTarget", { targetId }).catch(() => {}))
    const known = this.openers.get(opener)
    if (known && known.left-- === 0) known.tooMany()
    return false
  }

  /** Calls `tooMany` when a page opens windows without end; returns a function that stops. */
  watch(page: Target, tooMany: () => void): () => void {
    this.openers.set(page, { left: maxPopups, tooMany })
    return () => this.openers.delete(page)
  }
}
