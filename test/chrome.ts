import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, type LaunchOptions, launch } from "puppeteer-core"
import { processesOf } from "../scripts/leftovers.ts"
import { killGroup, removeFolder } from "../src/engine/net/browser/chrome/chrome-folder.ts"
import { findChrome } from "../src/engine/net/browser/supply/find.ts"

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

/** Maximum time for Chrome to end on request. */
const closeMs = 20_000

/**
 * Removes a folder that processes have as their temporary one, after they have ended: a Chrome whose parent was
 * killed ends a moment later, and could write to the folder until then.
 */
export async function removeAfterUse(folder: string): Promise<void> {
  for (const end = Date.now() + closeMs; Date.now() < end; await Bun.sleep(50)) {
    if (processesOf(folder).length === 0) break
  }
  await removeFolder(folder)
}

/**
 * Starts a Chrome by Puppeteer. Its profile and its short-lived files are in a folder that `close` removes,
 * also after Chrome was killed.
 */
export async function openBrowser(
  executablePath: string,
  options: LaunchOptions = {},
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-tab-"))
  const browser = await launch({
    ...options,
    executablePath,
    userDataDir: join(folder, "profile"),
    args: ["--no-sandbox", ...(options.args ?? [])],
    env: { ...process.env, TMPDIR: folder },
  }).catch(async (error) => {
    await removeFolder(folder)
    throw error
  })
  return {
    browser,
    async close() {
      await Promise.race([browser.close(), Bun.sleep(closeMs)])
      const pid = browser.process()?.pid
      if (pid) killGroup(pid)
      await removeAfterUse(folder)
    },
  }
}
