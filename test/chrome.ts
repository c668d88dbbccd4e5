import { findChrome } from "../src/engine/net/browser/find.ts"

/** The Chrome that a user would have: what Chrome itself does is tested with it. */
export function fullChrome(): string | undefined {
  const { TRAWL_CHROME: chrome } = process.env
  return findChrome({ dataDir: "/nonexistent", ...(chrome ? { chrome } : {}) })
}

/**
 * For tests that are not about Chrome itself: the headless shell if it is installed. Trawl downloads it if
 * there is no Chrome, and it starts and opens pages for half the work.
 */
export function leanChrome(): string | undefined {
  const shell = Bun.which("chromium-headless-shell") ?? Bun.which("chrome-headless-shell")
  return process.env.TRAWL_CHROME ? fullChrome() : (shell ?? fullChrome())
}
