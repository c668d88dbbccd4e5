import { existsSync } from "node:fs"
import { join } from "node:path"
import { messageOf } from "../../../../base/error-message.ts"
import { minuteMs } from "../../../../base/time.ts"
import { Forbidden } from "../../../../catalogue/kit/index.ts"
import { chromeAdvice, chromeFolder, findChrome, noChromeHere } from "../find.ts"
import type { BuiltInChrome } from "./built-in.ts"

export interface SupplySettings {
  chrome?: string
  dataDir: string
  builtIn?: BuiltInChrome | undefined
  /** Download URL if no Chrome is found; undefined forbids the download. */
  chromeDownloadUrl?: string | undefined
}

/** What failed is not tried again at each page. */
const againMs = 10 * minuteMs
let failed: { at: number; message: string } | undefined

/** Whether there is a Chrome, or can be one. */
export function canHaveChrome(settings: SupplySettings): boolean {
  const { chrome, builtIn, chromeDownloadUrl } = settings
  return (
    findChrome(settings) !== undefined || (!chrome && (builtIn ?? chromeDownloadUrl) !== undefined)
  )
}

/** The Chrome to be started: set, in the executable, found, or fetched now. @throws Forbidden (browser_unavailable) */
export async function supplyChrome(
  settings: SupplySettings,
  tell: (message: string) => void,
): Promise<string> {
  const { chrome, builtIn, chromeDownloadUrl, dataDir } = settings
  if (!chrome && builtIn) return unpacked(builtIn, dataDir)
  const found = findChrome(settings)
  if (found) return found
  if (chrome) throw none(chromeAdvice)
  if (!chromeDownloadUrl) throw none(`This page needs Chrome; ${noChromeHere}`)
  if (failed && performance.now() - failed.at < againMs) throw none(failed.message)
  try {
    // A library that few need.
    const { fetchChrome } = await import("./fetch-chrome.ts")
    return await fetchChrome({ from: chromeDownloadUrl, dataDir }, tell)
  } catch (error) {
    const message = `This page needs Chrome; none was found, and it could not be fetched (${messageOf(error)}). Install Chromium, or set TRAWL_CHROME or TRAWL_CHROME_WS.`
    failed = { at: performance.now(), message }
    throw none(message)
  }
}

const none = (message: string) => new Forbidden(message, { code: "browser_unavailable" })

/** Where the one of this executable lies, once it has been unpacked. */
export function builtInPath({ program, hash }: BuiltInChrome, dataDir: string): string {
  return join(chromeFolder(dataDir), `built-in-${hash}`, program)
}

/** Once for each executable that brings one. */
async function unpacked(builtIn: BuiltInChrome, dataDir: string): Promise<string> {
  const program = builtInPath(builtIn, dataDir)
  const folder = join(chromeFolder(dataDir), `built-in-${builtIn.hash}`)
  if (!existsSync(folder)) {
    const { unpack } = await import("./unpack.ts")
    await unpack(Bun.file(builtIn.path).stream(), folder)
  }
  return program
}
