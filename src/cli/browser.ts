import type { Command } from "commander"
import { messageOf } from "../base/error-message.ts"
import { chromeAdvice, findChrome } from "../engine/net/browser/supply/find.ts"
import { registerBrowserServe } from "./browser/serve.ts"
import { readSettings } from "./common/settings.ts"

/** `trawl browser install`, `path` and `serve`. */
export function registerBrowser(program: Command): void {
  const browser = program
    .command("browser")
    .description("Manage Chrome, for example: trawl browser install")
  browser
    .command("path")
    .description("Print the Chrome that runs use")
    .action(() => {
      const path = findChrome(readSettings())
      if (!path) {
        console.error(chromeAdvice)
        process.exitCode = 1
        return
      }
      console.log(path)
    })
  browser
    .command("install")
    .description("Install Chrome for Testing in the data folder")
    .option("--build <id>", "version or channel (default: the tested version)", "")
    .action(async ({ build }: { build: string }) => {
      process.exitCode = await installChrome(build)
    })
  registerBrowserServe(browser)
}

/** Installs Chrome's headless shell; returns the exit code. */
async function installChrome(requested: string): Promise<number> {
  const { dataDir, chromeDownloadUrl } = readSettings()
  if (chromeDownloadUrl === "never") {
    console.error("TRAWL_CHROME_DOWNLOAD_URL=never forbids it.")
    return 2
  }
  // Loaded here only, because no other command needs it.
  const { Browser, detectBrowserPlatform, resolveBuildId } = await import("@puppeteer/browsers")
  const { fetchChrome } = await import("../engine/net/browser/supply/fetch-chrome.ts")
  try {
    const platform = detectBrowserPlatform()
    const build =
      requested === "" || !platform
        ? undefined
        : await resolveBuildId(Browser.CHROMEHEADLESSSHELL, platform, requested)
    const settings = { from: chromeDownloadUrl, dataDir, ...(build && { build }) }
    console.log(await fetchChrome(settings, (message) => console.error(message)))
    return 0
  } catch (error) {
    console.error(`Chrome could not be installed: ${messageOf(error)}.`)
    return 1
  }
}
