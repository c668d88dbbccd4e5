import { promisify } from "node:util"
import { brotliDecompress, gunzip, inflate } from "node:zlib"
import { ApiError } from "./errors.ts"

const unpackers: Record<string, typeof gunzip> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  deflate: inflate,
  br: brotliDecompress as typeof gunzip,
}

/** Returns the content coding of a body; undefined if it has none. @throws ApiError 415 */
export function encodingOf(request: Request): string | undefined {
  const encodingHeader = request.headers.get("content-encoding")?.trim().toLowerCase()
  if (!encodingHeader || encodingHeader === "identity") return undefined
  if (encodingHeader in unpackers) return encodingHeader
  throw new ApiError(
    415,
    `Content-Encoding must be gzip, deflate or br, not ${encodingHeader.slice(0, 40)}.`,
  )
}

/** Decompresses a body in another thread, up to `most` bytes. @throws ApiError 400, 413 */
export async function unpackedBody(
  bytes: Uint8Array,
  packing: string,
  max: number,
): Promise<string> {
  try {
    const plain = await promisify(unpackers[packing]!)(bytes, { maxOutputLength: max })
    return new TextDecoder().decode(plain as Uint8Array)
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") {
      throw new ApiError(
        413,
        `The body is larger than ${max} bytes after decompression. Send less, or divide it.`,
      )
    }
    throw new ApiError(
      400,
      `The body is not ${packing} data, although its Content-Encoding is ${packing}. Compress it, or remove the header.`,
    )
  }
}
