import { packedSuffix, StoredFile } from "../http/coding/stored-file.ts"
import { builtForBrowsers } from "./browser-build.ts"
import { consoleFiles } from "./console-files.ts"

interface Asset {
  name: string
  type: string
  caching: string
  file: StoredFile
}

interface Assets {
  script: Asset
  style: Asset
  pushWorker: Asset
}

const forever = "public, max-age=31536000, immutable"

let made: Promise<Assets> | undefined

/** Returns the files that the console's pages load; built at the first request. */
export function consoleAssets(): Promise<Assets> {
  made ??= (async () => {
    const [script, style, worker] = await Promise.all([
      asset(consoleFiles.script, "console", "js", "text/javascript"),
      asset(consoleFiles.style, "console", "css", "text/css"),
      asset(consoleFiles.pushWorker, "push-worker", "js", "text/javascript"),
    ])
    // Browsers look for new versions of a service worker at a fixed URL.
    const pushWorker = { ...worker, name: "push-worker.js", caching: "no-cache" }
    return { script, style, pushWorker }
  })()
  made.catch(() => {
    made = undefined
  })
  return made
}

/** The file name has a hash of the content, so that browsers can cache it forever. */
async function asset(path: string, name: string, ending: string, type: string): Promise<Asset> {
  const isBuilt = path.endsWith(packedSuffix)
  const bytes = await (isBuilt ? Bun.file(path).bytes() : builtForBrowsers(path))
  const mark = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 12)
  return {
    name: `${name}-${mark}.${ending}`,
    type: `${type};charset=utf-8`,
    caching: forever,
    file: isBuilt ? new StoredFile(path) : new StoredFile(path, async () => bytes),
  }
}
