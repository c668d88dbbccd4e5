import { timingSafeEqual } from "node:crypto"

/** Returns the hash that is stored instead of a secret. */
export function sha256(text: string): string {
  return Bun.CryptoHasher.hash("sha256", text, "hex")
}

/** Returns 160 random bits as letters and digits, which a double click selects. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return BigInt(`0x${bytes.toHex()}`).toString(36).padStart(31, "0")
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
