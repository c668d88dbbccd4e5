import { chmodSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Browser, detectBrowserPlatform, getDownloadUrl } from "@puppeteer/browsers"
import { PUPPETEER_REVISIONS } from "puppeteer-core/internal/revisions.js"
import { download } from "./download.ts"
import { chromeFolder } from "./find.ts"
import { unpack } from "./unpack.ts"

export interface FetchedFrom {
  /** A mirror of Chrome for Testing. */
  from: string
  dataDir: string
  /** Default: the version that Trawl was tested with. */
  build?: string
}

const name = "chrome-headless-shell"

/**
 * Installs Chrome's headless shell into the data folder, unless it is there, and returns its path.
 */
export async function fetchChrome(
  { from, dataDir, build = PUPPETEER_REVISIONS[name] }: FetchedFrom,
  report: (message: string) => void,
): Promise<string> {
  const platform = detectBrowserPlatform()
  if (!platform) throw new Error("no build exists for this system; install Chromium")
  if (isMusl())
    throw new Error("no build exists for musl; install the system's package (apk add chromium)")
  const url = getDownloadUrl(Browser.CHROMEHEADLESSSHELL, platform, build, from).href
  const [, inner] = /([^/]+)\.zip$/.exec(url) ?? []
  const folder = join(chromeFolder(dataDir), name, `${platform}-${build}`)
  const program = join(folder, inner!, process.platform === "win32" ? `${name}.exe` : name)
  if (existsSync(program)) return program
  report(`Fetching Chrome ${build} from ${new URL(url).host} into ${folder}.`)
  const zip = `${folder}.zip`
  try {
    await download(url, zip, report)
    await unpack(Bun.file(zip).stream(), folder)
  } finally {
    rmSync(zip, { force: true })
  }
  if (!existsSync(program)) throw new Error(`${url} holds no ${name}`)
  chmodSync(program, 0o755)
  report(`Chrome ${build} is installed.`)
  return program
}

function isMusl(): boolean {
  const loader = { x64: "ld-musl-x86_64.so.1", arm64: "ld-musl-aarch64.so.1" }[
    process.arch as "x64"
  ]
  return (
    process.platform === "linux" &&
    loader !== undefined &&
    existsSync(join("/lib", loader)) &&
    !existsSync("/lib64/ld-linux-x86-64.so.2") &&
    !existsSync("/lib/ld-linux-aarch64.so.1")
  )
}
