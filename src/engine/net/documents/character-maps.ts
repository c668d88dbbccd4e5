import { join } from "node:path"
import { brotliDecompressSync } from "node:zlib"
import { unzipSync } from "fflate"

/** Name of the archive in the executable, and of the file in this folder. */
const packedName = "cmaps"

let archive: Promise<Uint8Array> | undefined

/**
 * Returns the character map with a name such as `GBK-EUC-H.bcmap`, in PDF.js's format. All of them
 * are decompressed at the first use.
 *
 * @throws Error if it does not exist
 */
export async function characterMap(name: string): Promise<Uint8Array> {
  archive ??= unpacked()
  const map = unzipSync(await archive, { filter: (part) => part.name === name })[name]
  if (!map) throw new Error(`The archive has no character map ${name}.`)
  return map
}

async function unpacked(): Promise<Uint8Array> {
  const built = Bun.embeddedFiles.find((file) => (file as File).name.includes(packedName))
  const file = built ?? Bun.file(join(import.meta.dir, `${packedName}.br`))
  return brotliDecompressSync(await file.bytes())
}
