import { guessEncoding } from "./guess-charset.ts"
import { charsetParameter, metaCharset } from "./meta-charset.ts"

/** How far browsers look for a declaration before they read the page. */
const prescanBytes = 1024
/** How far down a declaration may still cause the page to be decoded again. */
const lateScanBytes = 64 * 1024

/**
 * Decodes a body in the order of the HTML standard: byte order mark, header, declaration in the markup. If
 * none of them names a known encoding, it is UTF-8 if valid, else guessed by its letters, as in Chrome.
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

/** The encoding that a byte order mark announces. */
function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
}

/** Of the labels that the standard knows, and there are not many more than 200. */
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

/** The encoding that the markup itself names. JSON and scripts declare nothing. */
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
  // What could be read as ASCII so far is not UTF-16.
  if (name?.startsWith("utf-16")) return "utf-8"
  return name === "x-user-defined" ? "windows-1252" : name
}
