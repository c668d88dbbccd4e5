import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from "node:crypto"

/** The keys of a browser's subscription, including the private one. */
export interface BrowserKeys {
  privateKey: Buffer
  auth: Buffer
}

export function newBrowserKeys(): BrowserKeys {
  const pair = createECDH("prime256v1")
  pair.generateKeys()
  return {
    privateKey: pair.getPrivateKey(),
    auth: Buffer.from(crypto.getRandomValues(new Uint8Array(16))),
  }
}

const pairOf = ({ privateKey }: BrowserKeys) => {
  const pair = createECDH("prime256v1")
  pair.setPrivateKey(privateKey)
  return pair
}

/** The keys as a browser's PushSubscription has them. */
export const subscriptionKeys = (keys: BrowserKeys) => ({
  p256dh: pairOf(keys).getPublicKey().toString("base64url"),
  auth: keys.auth.toString("base64url"),
})

/** Decrypts a message as a browser does (RFC 8291 and 8188). */
export function decrypted(body: Uint8Array, keys: BrowserKeys): string {
  const bytes = Buffer.from(body)
  const salt = bytes.subarray(0, 16)
  const idLength = bytes[20]!
  const sender = bytes.subarray(21, 21 + idLength)
  const record = bytes.subarray(21 + idLength)
  if (record.length > bytes.readUInt32BE(16))
    throw new Error("The message has more than one record.")
  const pair = pairOf(keys)
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), pair.getPublicKey(), sender])
  const derive = (input: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
    Buffer.from(hkdfSync("sha256", input, salt, info, length))
  const input = derive(pair.computeSecret(sender), keys.auth, info, 32)
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16)
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12)
  const decipher = createDecipheriv("aes-128-gcm", key, nonce).setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end < 0 || plain.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error("The message has no last record.")
  return plain.subarray(0, end).toString("utf8")
}

/**
 * Returns the claims and the key of a request's VAPID header (RFC 8292).
 * @throws Error if the token is not signed with this key
 */
export function identified(authorization: string) {
  const [, token = "", key = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(authorization) ?? []
  const [head = "", claims = "", signature = ""] = token.split(".")
  const point = Buffer.from(key, "base64url")
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  })
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  )
  if (!isSigned) throw new Error("The token is not signed by this key.")
  return { key, ...JSON.parse(Buffer.from(claims, "base64url").toString()) } as {
    key: string
    aud: string
    exp: number
    sub: string
  }
}

interface Pushed {
  headers: Headers
  message: { title: string; text: string; link?: string; image?: string }
}

/**
 * Starts a push service on this machine. It decrypts messages, which in production only a browser
 * can.
 */
export class PushService {
  status = 201
  readonly keys = newBrowserKeys()
  readonly received: Pushed[] = []
  private readonly server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const body = await request.bytes()
      const message = JSON.parse(decrypted(body, this.keys))
      this.received.push({ headers: request.headers, message })
      return new Response(null, { status: this.status })
    },
  })
  readonly origin = `http://127.0.0.1:${this.server.port}`
  readonly endpoint = `${this.origin}/push/secret-of-the-browser`

  get subscription() {
    return { url: this.endpoint, keys: subscriptionKeys(this.keys) }
  }

  stop = () => this.server.stop(true)
}
