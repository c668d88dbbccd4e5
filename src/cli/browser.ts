import type { Command } from "commander"
import { messageOf } from "../base/error-message.ts"
import { chromeAdvice, chromeFolder, findChrome } from "../engine/browser/find.ts"
import { readSettings } from "./settings.ts"

/** `trawl browser install` and `trawl browser path`. */
export function registerBrowser(program: Command): void {
  const browser = program.command("browser").description("Chrome, for pages that need one")
  browser
    .command("path")
    .description("print the Chrome that runs use")
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
    .description("install Chrome for Testing into the data folder")
    .option("--build <id>", "a version or channel", "stable")
    .action(async ({ build }: { build: string }) => {
      process.exitCode = await installChrome(build)
    })
}

/** Downloads Chrome's headless shell; its exit code. */
async function installChrome(build: string): Promise<number> {
  const { dataDir } = readSettings()
  // Loaded here alone: no other verb needs it.
  const { Browser, detectBrowserPlatform, install, resolveBuildId } = await import(
    "@puppeteer/browsers"
  )
  const platform = detectBrowserPlatform()
  if (!platform) {
    console.error("There is no Chrome for this platform; install Chromium and set TRAWL_CHROME.")
    return 1
  }
  try {
    const buildId = await resolveBuildId(Browser.CHROMEHEADLESSSHELL, platform, build)
    console.error(`Installing Chrome ${buildId} for ${platform} …`)
    const installed = await install({
      browser: Browser.CHROMEHEADLESSSHELL,
      buildId,
      platform,
      cacheDir: chromeFolder(dataDir),
    })
    console.log(installed.executablePath)
    return 0
  } catch (error) {
    const reason = messageOf(error)
    console.error(`Chrome could not be installed: ${reason}`)
    return 1
  }
}
