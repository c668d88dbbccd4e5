import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, type LaunchOptions, launch } from "puppeteer-core"
import { processesOf } from "../scripts/leftovers.ts"
import { killGroup, removeFolder } from "../src/engine/net/browser/chrome/chrome-folder.ts"
import { findChrome } from "../src/engine/net/browser/supply/find.ts"

/** The full Chrome that a user would have, for tests of Chrome's own behaviour. */
export function fullChrome(): string | undefined {
  const { TRAWL_CHROME: chrome } = process.env
  return findChrome({ dataDir: "/nonexistent", ...(chrome ? { chrome } : {}) })
}

/**
 * The browser for all other tests: the headless shell if it is installed, because it starts and
 * opens pages for half the work. Trawl downloads it if there is no Chrome.
 */
export function leanChrome(): string | undefined {
  const shell = Bun.which("chromium-headless-shell") ?? Bun.which("chrome-headless-shell")
  return process.env.TRAWL_CHROME ? fullChrome() : (shell ?? fullChrome())
}

/** Maximum time for Chrome to end on request. */
const closeMs = 20_000

/**
 * Removes the temporary folder of processes after they have ended: a Chrome whose parent was killed
 * ends a moment later, and could write to the folder until then.
 */
export async function removeAfterUse(folder: string): Promise<void> {
  for (const end = Date.now() + closeMs; Date.now() < end; await Bun.sleep(50)) {
    if (processesOf(folder).length === 0) break
  }
  await removeFolder(folder)
}

/**
 * Starts a Chrome by Puppeteer. `close` removes its profile and its temporary files, also after
 * Chrome was killed.
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
