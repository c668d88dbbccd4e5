/** SHA-256 of a text or bytes, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(data).digest("hex")
}

/** Returns the MD5 of a text in hexadecimal: for signatures of other services, never for security. */
export function md5(text: string): string {
  return new Bun.CryptoHasher("md5").update(text).digest("hex")
}
