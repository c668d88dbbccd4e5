/** The label in `charset=…` of a content type, lower case. */
function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]?.toLowerCase()
}

function decoder(label: string, fatal = false): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { fatal })
  } catch {
    return undefined
  }
}

/** The encoding that a byte order mark announces. */
function bomEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
}

/** The encoding declared within the first 1,024 bytes, by XML declaration or meta element. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 1024))
  const xml = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
  if (xml) return xml.toLowerCase()
  for (const [tag] of head.matchAll(/<meta\b[^>]*>/gi)) {
    const label = charsetOf(tag)
    // A meta element that could be read as ASCII cannot be UTF-16.
    if (label) return label.startsWith("utf-16") ? "utf-8" : label
  }
}

/** Decodes a body by the order of the HTML standard (`_web-common` C1). */
export function decodeBody(bytes: Uint8Array, contentType: string): string {
  for (const label of [bomEncoding(bytes), charsetOf(contentType), declaredEncoding(bytes)]) {
    const known = label && decoder(label)
    if (known) return known.decode(bytes)
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder("windows-1252").decode(bytes)
  }
}
