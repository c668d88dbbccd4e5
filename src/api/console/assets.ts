import { packedSuffix, StoredFile } from "../http/stored-file.ts"
import { builtForBrowsers } from "./browser-build.ts"
import { consoleFiles } from "./console-files.ts"

interface Asset {
  /** File name with a content hash, so that browsers can cache it forever. */
  name: string
  type: string
  file: StoredFile
}

interface Assets {
  script: Asset
  style: Asset
}

let made: Promise<Assets> | undefined

/** Returns the files that the console's pages load; built at the first request. */
export function consoleAssets(): Promise<Assets> {
  made ??= (async () => {
    const [script, style] = await Promise.all([
      asset(consoleFiles.script, "console", "js", "text/javascript"),
      asset(consoleFiles.style, "console", "css", "text/css"),
    ])
    return { script, style }
  })()
  made.catch(() => {
    made = undefined
  })
  return made
}

async function asset(path: string, name: string, ending: string, type: string): Promise<Asset> {
  const isBuilt = path.endsWith(packedSuffix)
  const bytes = await (isBuilt ? Bun.file(path).bytes() : builtForBrowsers(path))
  const mark = new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 12)
  return {
    name: `${name}-${mark}.${ending}`,
    type: `${type};charset=utf-8`,
    file: isBuilt ? new StoredFile(path) : new StoredFile(path, async () => bytes),
  }
}
