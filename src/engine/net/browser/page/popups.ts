import type { CDPSession, Target } from "puppeteer-core"

/** Maximum windows that a page may open before it is ended. */
export const maxPopups = 20

/** Closes the windows that pages open, except those of pages that a person sees. */
export class Popups {
  private cdp?: CDPSession
  /** Watched pages with the number of windows that they may still open. */
  private readonly openers = new Map<Target, { left: number; tooMany(): void }>()
  /** Pages whose windows stay open. */
  private readonly followed = new Set<Target>()

  /** `cdp` is a session of the browser. */
  start(cdp: CDPSession): void {
    this.cdp = cdp
  }

  /**
   * Puppeteer's target filter, called before a new window loads anything. A window that waits for
   * its debugger would block its opener even when closed; a filtered window is released first.
   */
  readonly accepts = (target: Target): boolean => {
    const opener = target.type() === "page" ? target.opener() : undefined
    if (!opener) return true
    const known = this.openers.get(opener)
    if (known && known.left-- === 0) known.tooMany()
    if (this.followed.has(opener) && !(known && known.left < 0)) return true
    const { _targetId: targetId } = target as unknown as { _targetId: string }
    queueMicrotask(() => this.cdp?.send("Target.closeTarget", { targetId }).catch(() => {}))
    return false
  }

  /** Leaves the windows of a page open, and reports them by its event "popup"; returns a function that stops. */
  follow(page: Target): () => void {
    this.followed.add(page)
    return () => this.followed.delete(page)
  }

  /** Calls `tooMany` when a page opens too many windows; returns a function that stops watching. */
  watch(page: Target, tooMany: () => void): () => void {
    this.openers.set(page, { left: maxPopups, tooMany })
    return () => this.openers.delete(page)
  }
}
