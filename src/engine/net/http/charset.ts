import { guessEncoding } from "./guess-charset.ts"
import { charsetParameter, metaCharset } from "./meta-charset.ts"

/** Bytes that browsers search for a declaration before they parse the page. */
const prescanBytes = 1024
/** Bytes in which a late declaration still causes the page to be decoded again. */
const lateScanBytes = 64 * 1024

/**
 * Decodes a body as in the HTML standard: by byte order mark, header, or declaration in the markup.
 * Otherwise it is decoded as UTF-8 if valid, or by an encoding guessed from its letters, as in
 * Chrome.
 */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  const named =
    markEncoding(bytes) ??
    known(charsetParameter(contentType)) ??
    declared(bytes.subarray(0, prescanBytes), contentType)
  if (named) return decoderOf(named).decode(bytes)
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    const late = declared(bytes.subarray(0, lateScanBytes), contentType)
    return new TextDecoder(late ?? guessEncoding(bytes) ?? "windows-1252").decode(bytes)
  }
}

/** Returns the encoding of a byte order mark. */
function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
}

/** Decoders by label; the standard has slightly more than 200 labels. */
const decoders = new Map<string, InstanceType<typeof TextDecoder>>()

/** @throws RangeError for unknown labels */
function decoderOf(label: string) {
  const known = decoders.get(label)
  if (known) return known
  const decoder = new TextDecoder(label)
  decoders.set(label, decoder)
  return decoder
}

/** Returns the standard's name of a label; undefined for unknown labels. */
function known(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    return decoderOf(label).encoding
  } catch {
    return undefined
  }
}

/** Returns the encoding that the markup declares. JSON and scripts declare none. */
function declared(head: Uint8Array, contentType: string): string | undefined {
  if (/\b(?:json|javascript)\b/i.test(contentType)) return undefined
  if (head[0] === 0x3c && head[1] === 0 && head[2] === 0x3f && head[3] === 0) return "utf-16le"
  if (head[0] === 0 && head[1] === 0x3c && head[2] === 0 && head[3] === 0x3f) return "utf-16be"
  const text = new TextDecoder("windows-1252").decode(head)
  if (/^\s*[{[]/.test(text)) return undefined
  const xml = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]+)["']/i.exec(text)?.[1]
  const labels = [known(metaCharset(text)), known(xml)]
  if (/\bxml\b/i.test(contentType)) labels.reverse()
  const name = labels.find((label) => label !== undefined)
  // Markup that was readable as ASCII is not UTF-16.
  if (name?.startsWith("utf-16")) return "utf-8"
  return name === "x-user-defined" ? "windows-1252" : name
}
