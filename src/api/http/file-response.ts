import type { ByteRange } from "../../engine/net/files/storage.ts"
import type { FileRow } from "../../store/files/files.ts"

type Contents = Blob | ReadableStream<Uint8Array> | undefined

/**
 * Returns the response for a file made from a scraped page: ranges, ETag, and headers that keep browsers
 * from running it. Undefined if its contents are deleted.
 */
export async function fileResponse(
  { method, headers }: Request,
  file: FileRow,
  open: (range: ByteRange) => Promise<Contents>,
): Promise<Response | undefined> {
  const etag = `"${file.sha256}"`
  const own = headersOf(file, etag)
  if (isKnown(headers.get("if-none-match"), etag)) {
    return new Response(null, { status: 304, headers: own })
  }
  const ifRange = headers.get("if-range")
  const requested = ifRange === null || ifRange === etag ? headers.get("range") : null
  const range = rangeOf(requested, file.bytes)
  if (range === "beyond") {
    return new Response(null, {
      status: 416,
      headers: { ...own, "content-range": `bytes */${file.bytes}` },
    })
  }
  const { from, to } = range ?? { from: 0, to: file.bytes }
  const body = method === "HEAD" ? blank(to - from) : await open({ from, to })
  if (!body) return undefined
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...own,
      "content-type": file.media_type,
      "content-length": String(to - from),
      ...(range && { "content-range": `bytes ${from}-${to - 1}/${file.bytes}` }),
    },
  })
}

/**
 * The body of a HEAD response. Elysia counts its bytes for Content-Length, so it has as many as the
 * file, without reading it.
 */
function blank(bytes: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(65_536)
  let left = bytes
  return new ReadableStream({
    pull(stream) {
      if (left === 0) return stream.close()
      const next = piece.subarray(0, left)
      left -= next.length
      stream.enqueue(next)
    },
  })
}

function headersOf({ name, media_type, id }: FileRow, etag: string): Record<string, string> {
  const visible = media_type.startsWith("image/") ? "inline" : "attachment"
  const ending = name.slice(name.lastIndexOf("."))
  return {
    etag,
    "accept-ranges": "bytes",
    // A resumed run may replace the file: the client revalidates, usually with a 304.
    "cache-control": "private, no-cache",
    "content-disposition": `${visible}; filename="${id}${ending}"`,
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  }
}

const isKnown = (provided: string | null, etag: string) =>
  (provided ?? "").split(",").some((one) => ["*", etag].includes(one.trim().replace(/^W\//, "")))

/**
 * Returns the single range of the header. Several ranges, or an invalid one, return the whole file.
 */
function rangeOf(header: string | null, size: number): ByteRange | "beyond" | undefined {
  const [, first, last] =
    /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? "") ?? []
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1)
  if (first !== "" && last !== "" && Number(last) < from) return undefined
  return from < to ? { from, to } : "beyond"
}
