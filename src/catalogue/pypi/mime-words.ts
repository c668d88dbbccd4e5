/**
 * Decodes the encoded words of RFC 2047 in a header value, for example `=?utf-8?q?Timoth=C3=A9e?=`.
 */
export function decodeMimeWords(text: string): string {
  return text
    .replace(/(\?=)\s+(=\?)/g, "$1$2")
    .replace(/=\?([^?]+)\?([bq])\?([^?]*)\?=/gi, (whole, charset, encoding, body) => {
      const bytes = encoding.toLowerCase() === "b" ? base64Bytes(body) : quotedBytes(body)
      try {
        return new TextDecoder(charset).decode(bytes)
      } catch {
        return whole
      }
    })
}

function base64Bytes(body: string): Uint8Array {
  return Uint8Array.from(Buffer.from(body, "base64"))
}

function quotedBytes(body: string): Uint8Array {
  const text = body.replaceAll("_", " ")
  const bytes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const hex = /^=([0-9A-F]{2})/i.exec(text.slice(at, at + 3))
    if (hex) at += 2
    bytes.push(hex ? Number.parseInt(hex[1]!, 16) : text.charCodeAt(at))
  }
  return Uint8Array.from(bytes)
}
