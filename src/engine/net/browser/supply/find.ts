import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"

/** Names on the PATH and usual paths, in order of preference. */
const names = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
  "brave-browser",
  // The small build, by the names that Debian and Chrome for Testing use.
  "chromium-headless-shell",
  "chrome-headless-shell",
]
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
]

/** Advice if no Chrome was found. */
export const chromeAdvice =
  "No Chrome was found; run `trawl browser install`, install Chromium, or set TRAWL_CHROME or TRAWL_CHROME_WS."

/** Advice for a page that needs Chrome if downloads are not allowed. */
export const noChromeHere =
  "no Chrome was found, and downloading one is disabled. The operator can run `trawl browser install`, install Chromium, or set TRAWL_CHROME or TRAWL_CHROME_WS."

/** The folder in which `trawl browser install` installs Chrome. */
export function chromeFolder(dataDir: string): string {
  return join(dataDir, "chrome")
}

/** The newest installed Chrome, in the folder layout of @puppeteer/browsers. */
function installedChrome(dataDir: string): string | undefined {
  for (const build of ["chrome", "chrome-headless-shell"]) {
    const folder = join(chromeFolder(dataDir), build)
    if (!existsSync(folder)) continue
    for (const version of readdirSync(folder).sort().reverse()) {
      for (const inner of readdirSync(join(folder, version))) {
        for (const file of [
          build,
          "chrome.exe",
          "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
        ]) {
          const path = join(folder, version, inner, file)
          if (existsSync(path)) return path
        }
      }
    }
  }
}

/**
 * Returns the path of a Chrome on this machine: from the settings, installed by Trawl, or found on
 * the system.
 */
export function findChrome(settings: { chrome?: string; dataDir: string }): string | undefined {
  if (settings.chrome) return existsSync(settings.chrome) ? settings.chrome : undefined
  const installed = installedChrome(settings.dataDir)
  if (installed) return installed
  for (const name of names) {
    const path = Bun.which(name, { PATH: process.env.PATH ?? "" })
    if (path) return path
  }
  return places.find((path) => existsSync(path))
}

/** Whether the process runs as root, in which case Chrome's sandbox does not work. */
export const isRoot = () => process.getuid?.() === 0

const headlessShell = /headless[-_]shell/

export const isHeadlessShell = (path: string) => headlessShell.test(path)

/** Returns why a Chrome with these flags cannot open windows here; undefined if it can. */
export function lacksWindow(
  path: string,
  chromeArgs: readonly string[] = [],
  { platform, env }: Pick<typeof process, "platform" | "env"> = process,
): string | undefined {
  if (isHeadlessShell(path)) {
    return "it is the headless shell, which has no windows; install Chrome or Chromium, or unset TRAWL_CHROME_HEADED."
  }
  if (chromeArgs.some((flag) => flag.startsWith("--ozone-platform="))) return undefined
  if (platform !== "linux" || env.DISPLAY || env.WAYLAND_DISPLAY) return undefined
  return "there is no display for its window; start Xvfb and set DISPLAY, or unset TRAWL_CHROME_HEADED."
}

export const noSandboxAdvice =
  "Trawl runs as root, so Chrome runs without its sandbox; run Trawl as another user."
