import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  sign,
} from "node:crypto"
import type { SecretBox } from "../../../store/upkeep/secret-box.ts"

/** A browser's push subscription, as issued by its push service (Push API). */
export interface Subscription {
  url: string
  keys: SubscriptionKeys
}

/** Both in base64url: the browser's public key, and a secret of 16 bytes. */
export interface SubscriptionKeys {
  p256dh: string
  auth: string
}

interface PushRequest {
  method: "POST"
  url: string
  headers: Record<string, string>
  bodyBytes: Uint8Array<ArrayBuffer>
}

const curve = "prime256v1"
/** Maximum bytes of the only record that push services accept (RFC 8291, section 4). */
const recordBytes = 4096
/** Maximum plain bytes: without the header, the padding delimiter and the tag. */
const maxPlainBytes = recordBytes - 86 - 1 - 16
/** A browser that is offline gets a message within this time. */
const ttlSeconds = 24 * 60 * 60
/** Lifetime of a token; push services refuse more than a day. */
const tokenSeconds = 12 * 60 * 60

/** Returns the private key that identifies this service to push services, hexadecimal. */
export const pushKeyOf = (secrets: SecretBox) => secrets.derive("web push")

/** Returns the public key that browsers subscribe with, base64url. */
export const publicPushKey = (privateKey: string) =>
  keyPair(privateKey).getPublicKey().toString("base64url")

/** Returns the name of a key that is invalid, with the reason; undefined if both are valid. */
export function keyIssue({
  p256dh,
  auth,
}: SubscriptionKeys): [name: string, message: string] | undefined {
  if (Buffer.from(auth, "base64url").length !== 16) {
    return ["keys.auth", "The secret must be 16 bytes in base64url."]
  }
  try {
    newKeyPair().computeSecret(pointOf(p256dh))
  } catch {
    return ["keys.p256dh", "The key must be a point of the curve P-256: 65 bytes in base64url."]
  }
  return undefined
}

export interface PushOptions {
  /** Private key of the service, hexadecimal. */
  privateKey: string
  /** URL or mailto: address of the service's operator. */
  contact: string
  isUrgent: boolean
  at: Date
}

/** Returns the request that sends a message to a browser by its push service (RFC 8030, 8291, 8292). */
export function pushRequest(
  { url, keys }: Subscription,
  message: PushMessage,
  options: PushOptions,
): PushRequest {
  const { privateKey, contact, isUrgent, at } = options
  const token = signedToken(privateKey, {
    aud: new URL(url).origin,
    exp: Math.floor(at.getTime() / 1000) + tokenSeconds,
    sub: contact,
  })
  return {
    method: "POST",
    url,
    headers: {
      authorization: `vapid t=${token}, k=${publicPushKey(privateKey)}`,
      "content-type": "application/octet-stream",
      "content-encoding": "aes128gcm",
      ttl: String(ttlSeconds),
      urgency: isUrgent ? "high" : "normal",
    },
    bodyBytes: encryptedFor(keys, fitted(message)),
  }
}

/** The JSON that the console's service worker displays. */
export interface PushMessage {
  title: string
  text: string
  link?: string
  image?: string
}

/** Returns the bytes of a message: without the image, then with less text, if it is too long. */
function fitted(message: PushMessage): Buffer {
  const { image: _, ...rest } = message
  let bytes = Buffer.from(JSON.stringify(message))
  if (bytes.length > maxPlainBytes) bytes = Buffer.from(JSON.stringify(rest))
  for (let { text } = rest; bytes.length > maxPlainBytes && text !== ""; ) {
    text = text.slice(0, Math.floor(text.length / 2))
    bytes = Buffer.from(JSON.stringify({ ...rest, text: `${text}…` }))
  }
  if (bytes.length <= maxPlainBytes) return bytes
  return Buffer.from(JSON.stringify({ title: message.title.slice(0, 100), text: "" }))
}

/**
 * Encrypts one aes128gcm record with a key that only the browser can derive (RFC 8291, section
 * 3.4).
 */
function encryptedFor({ p256dh, auth }: SubscriptionKeys, plain: Buffer): Uint8Array<ArrayBuffer> {
  const receiver = pointOf(p256dh)
  const sender = newKeyPair()
  const salt = randomBytes(16)
  const input = derived(
    sender.computeSecret(receiver),
    Buffer.from(auth, "base64url"),
    Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender.getPublicKey()]),
    32,
  )
  const key = derived(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const nonce = derived(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const cipher = createCipheriv("aes-128-gcm", key, nonce)
  const size = Buffer.alloc(5)
  size.writeUInt32BE(recordBytes)
  size.writeUInt8(sender.getPublicKey().length, 4)
  const parts = [
    salt,
    size,
    sender.getPublicKey(),
    cipher.update(plain),
    // The last record ends with the byte 2.
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]
  return new Uint8Array(Buffer.concat(parts))
}

const derived = (input: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync("sha256", input, salt, info, length))

/** A JSON Web Token signed with ES256. */
function signedToken(privateKey: string, claims: object): string {
  const coded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url")
  const text = `${coded({ typ: "JWT", alg: "ES256" })}.${coded(claims)}`
  const point = keyPair(privateKey).getPublicKey()
  const key = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      d: Buffer.from(privateKey, "hex").toString("base64url"),
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  })
  const signature = sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" })
  return `${text}.${signature.toString("base64url")}`
}

function newKeyPair(): ECDH {
  const pair = createECDH(curve)
  pair.generateKeys()
  return pair
}

function keyPair(privateKey: string): ECDH {
  const pair = createECDH(curve)
  pair.setPrivateKey(Buffer.from(privateKey, "hex"))
  return pair
}

/** Parses an uncompressed point. @throws Error for other data */
function pointOf(text: string): Buffer {
  const point = Buffer.from(text, "base64url")
  if (point.length !== 65 || point[0] !== 4)
    throw new Error("The key is not an uncompressed point.")
  return point
}
