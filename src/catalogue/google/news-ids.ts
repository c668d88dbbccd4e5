/**
 * Decodes the publisher's URL from Google's URL of an article.
 * IDs of older articles are a protobuf with the URL (bytes 08 13 22, its length, itself). Returns
 * null for current IDs, which do not contain it.
 */
export function publisherUrl(url: string): string | null {
  const id = /\/articles\/([\w-]+)/.exec(url)?.[1]
  const bytes = id ? bytesOf(id) : null
  if (bytes?.[0] !== 0x08 || bytes[1] !== 0x13 || bytes[2] !== 0x22) return null
  const long = bytes[3]! > 0x7f
  const length = long ? (bytes[3]! & 0x7f) | (bytes[4]! << 7) : bytes[3]!
  const start = long ? 5 : 4
  const href = new TextDecoder().decode(bytes.subarray(start, start + length))
  return /^https?:\/\/[^\s]+$/.test(href) && URL.canParse(href) ? href : null
}

function bytesOf(id: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(id.replace(/(?<!=)=+$/, ""), { alphabet: "base64url" })
  } catch {
    return null
  }
}
