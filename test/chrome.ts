import { findChrome } from "../src/engine/net/browser/find.ts"

/** The Chrome that a user would have: what Chrome itself does is tested with it. */
export function fullChrome(): string | undefined {
  const { TRAWL_CHROME: chrome } = process.env
  return findChrome({ dataDir: "/nonexistent", ...(chrome ? { chrome } : {}) })
}

/**
 * For tests to which Chrome is only a means: the headless shell where it is installed, which Trawl
 * fetches by itself where there is no Chrome, and which starts and opens pages for half the work.
 */
export function leanChrome(): string | undefined {
  const shell = Bun.which("chromium-headless-shell") ?? Bun.which("chrome-headless-shell")
  return process.env.TRAWL_CHROME ? fullChrome() : (shell ?? fullChrome())
}
