import { existsSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "../../../../base/error-message.ts"
import { minuteMs } from "../../../../base/time.ts"
import { Forbidden } from "../../../../catalogue/kit/index.ts"
import type { BuiltInChrome } from "./built-in.ts"
import { chromeFolder, findChrome, noChromeHere } from "./find.ts"

export interface SupplySettings {
  chrome?: string
  dataDir: string
  builtIn?: BuiltInChrome | undefined
  /** Download URL if no Chrome is found; undefined forbids the download. */
  chromeDownloadUrl?: string | undefined
}

/** Pause after a failed download, so that it is not repeated for each page. */
const againMs = 10 * minuteMs
let failed: { at: number; message: string } | undefined

/** Whether a Chrome exists or can be downloaded. */
export function canHaveChrome(settings: SupplySettings): boolean {
  const { chrome, builtIn, chromeDownloadUrl } = settings
  return (
    findChrome(settings) !== undefined || (!chrome && (builtIn ?? chromeDownloadUrl) !== undefined)
  )
}

/**
 * Returns the Chrome to start: configured, in the executable, installed, or downloaded now. @throws
 * Forbidden (browser_unavailable)
 */
export async function supplyChrome(
  settings: SupplySettings,
  report: (message: string) => void,
): Promise<string> {
  const { chrome, builtIn, chromeDownloadUrl, dataDir } = settings
  if (!chrome && builtIn) return unpacked(builtIn, dataDir)
  const installed = findChrome(settings)
  if (installed) return installed
  if (chrome)
    throw none(
      `The file ${chrome} (TRAWL_CHROME) does not exist. The operator can correct the setting.`,
    )
  if (!chromeDownloadUrl) throw none(`This page needs Chrome; ${noChromeHere}`)
  if (failed && performance.now() - failed.at < againMs) throw none(failed.message)
  try {
    // Loaded on demand, because it is rarely needed.
    const { fetchChrome } = await import("./fetch-chrome.ts")
    return await fetchChrome({ from: chromeDownloadUrl, dataDir }, report)
  } catch (error) {
    const message = `This page needs Chrome. None was found, and the download failed (${messageOf(error)}). The operator can install Chromium, or set TRAWL_CHROME or TRAWL_CHROME_WS.`
    failed = { at: performance.now(), message }
    throw none(message)
  }
}

const none = (message: string) => new Forbidden(message, { code: "browser_unavailable" })

/** Path of the executable's own Chrome after unpacking. */
export function builtInPath({ program, hash }: BuiltInChrome, dataDir: string): string {
  return join(chromeFolder(dataDir), `built-in-${hash}`, program)
}

/** Unpacks the Chrome of this executable once. */
async function unpacked(builtIn: BuiltInChrome, dataDir: string): Promise<string> {
  const program = builtInPath(builtIn, dataDir)
  const folder = join(chromeFolder(dataDir), `built-in-${builtIn.hash}`)
  if (!existsSync(folder)) {
    const { unpack } = await import("./unpack.ts")
    await unpack(Bun.file(builtIn.path).stream(), folder)
  }
  return program
}
