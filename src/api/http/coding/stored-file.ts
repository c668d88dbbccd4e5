import { promisify } from "node:util"
import { type BrotliOptions, brotliDecompress, constants } from "node:zlib"
import { type Coding, codingFor, packWhole } from "./coding.ts"

/** Large files for browsers are compressed with brotli in the build, and have this suffix. */
export const packedSuffix = ".br"

/** The best brotli quality that takes less than a second per file. */
const quickQuality = 9

/** Brotli options for the smallest result, because the build compresses only once. */
export const packing = (length: number, quick = false): BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: quick ? quickQuality : constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
})

const unpacked = promisify(brotliDecompress)

/**
 * A file of the executable, stored compressed and sent unchanged to clients that accept this, like
 * every browser over HTTPS. Other codings are made at their first request; compressed ones are
 * cached.
 */
export class StoredFile {
  private readonly forms = new Map<Coding, Promise<Uint8Array>>()

  constructor(
    private readonly path: string,
    private readonly read: () => Promise<Uint8Array> = () => Bun.file(path).bytes(),
  ) {}

  async response(request: Request, headers: Record<string, string>): Promise<Response> {
    const coding = codingFor(request.headers.get("accept-encoding"), ["br", "zstd", "gzip"])
    const bytes = await (coding ? this.packed(coding) : this.plain())
    return new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { ...headers, ...(coding ? { "content-encoding": coding } : {}) },
    })
  }

  private async plain(): Promise<Uint8Array> {
    const bytes = await this.read()
    return this.path.endsWith(packedSuffix) ? unpacked(bytes) : bytes
  }

  private packed(coding: Coding): Promise<Uint8Array> {
    if (coding === "br" && this.path.endsWith(packedSuffix)) return this.read()
    const known = this.forms.get(coding)
    if (known) return known
    const form = this.plain().then((bytes) => packWhole(bytes, coding, "once"))
    this.forms.set(coding, form)
    form.catch(() => this.forms.delete(coding))
    return form
  }
}
