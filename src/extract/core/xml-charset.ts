/** Decodes an XML body: feeds and sitemaps often name their encoding wrongly, or in one place only. */
export function decodeXml(bytes: Uint8Array, contentType = ""): string {
  const mark = byteOrderMark(bytes)
  if (mark) return new TextDecoder(mark).decode(bytes)
  const header = known(/charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1])
  const declared = known(declaration(bytes))
  const named = [header, declared].filter((label) => label !== undefined)
  if (named.length === 0 || named.includes("utf-8")) {
    const text = new TextDecoder("utf-8").decode(bytes)
    if (isCleanUtf8(text)) return text
  }
  return new TextDecoder(named.find((label) => label !== "utf-8") ?? "windows-1252").decode(bytes)
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
}

function declaration(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024))
  return /<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
}

/** Returns the standard name of a label, `utf-8` for `UTF8`; undefined for unknown labels. */
function known(label: string | undefined): string | undefined {
  if (!label) return undefined
  try {
    const name = new TextDecoder(label.trim()).encoding
    // A declaration that was read as ASCII cannot be UTF-16.
    return name.startsWith("utf-16") ? "utf-8" : name
  } catch {
    return undefined
  }
}

/** A text with a few bad bytes is still UTF-8; one in which they outnumber the good ones is not. */
function isCleanUtf8(text: string): boolean {
  if (!text.includes("\ufffd")) return true
  const bad = text.match(/\ufffd/g)!.length
  const good = text.match(/[\u0080-\ufffc]/g)?.length ?? 0
  return good > bad * 2
}
