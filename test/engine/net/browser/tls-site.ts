import { createHash, X509Certificate } from "node:crypto"
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2"
import { connect, createServer, type Server } from "node:net"
import { CertificateAuthority } from "../../../catalogue/certificates/certificates.ts"

export interface SeenRequest {
  version: string
  method: string
  path: string
  /** In the order of the wire, pseudo headers left out. */
  headers: [string, string][]
  /** The names of pseudo headers in the order of the wire. */
  pseudo: string[]
  /** Settings that the client announced for its HTTP/2 connection. */
  settings: object | undefined
  body: string
}

/** A site over TLS that records the ClientHello, and each request as it was sent. */
export async function tlsSite(
  names: string[],
  reply: (request: Http2ServerRequest, response: Http2ServerResponse) => void,
) {
  const authority = new CertificateAuthority()
  const alternatives = names.map((name) => `DNS:${name}`).join(",")
  const { key, cert } = authority.issue("leaf", {
    by: "Tide Root",
    extension: `subjectAltName=${alternatives}`,
  })
  const requests: SeenRequest[] = []
  const hellos: Hello[] = []
  const inner = createSecureServer({ key, cert, allowHTTP1: true })
  inner.on("request", (request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      const all = pairs(request.rawHeaders)
      const headers = all.filter(([name]) => !name.startsWith(":"))
      const pseudo = all.map(([name]) => name).filter((name) => name.startsWith(":"))
      const { httpVersion: version, method, url: path } = request
      const settings = request.stream?.session?.remoteSettings
      requests.push({ version, method, path, headers, pseudo, settings, body })
      reply(request, response)
    })
  })
  inner.on("sessionError", () => {})
  const innerPort = await listening(inner)
  let connections = 0
  const front = createServer((client) => {
    connections++
    let head: Buffer | null = Buffer.alloc(0)
    const upstream = connect(innerPort, "127.0.0.1")
    client.on("data", (chunk) => {
      upstream.write(chunk)
      if (head === null) return
      head = Buffer.concat([head, chunk])
      if (head.length < 5 || head.length < 5 + head.readUInt16BE(3)) return
      hellos.push(readHello(head))
      head = null
    })
    upstream.on("data", (chunk) => client.write(chunk))
    for (const [one, other] of [[client, upstream] as const, [upstream, client] as const]) {
      one.on("close", () => other.destroy())
      one.on("error", () => {})
    }
  })
  const port = await listening(front)
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })
  return {
    port,
    requests,
    hellos,
    key,
    cert,
    ca: authority.root.cert,
    get connections() {
      return connections
    },
    /** Makes Chrome trust this site's certificate. */
    chromeArgs: [
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`,
    ],
    close() {
      front.close()
      inner.close()
      authority.close()
    },
  }
}

function listening(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))
  })
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[at * 2]!, raw[at * 2 + 1]!])
}

/**
 * Returns the parts of a JA4 fingerprint. Extensions and ciphers are sorted, because Chrome
 * shuffles extensions in each ClientHello.
 */
export interface Hello {
  ciphers: number[]
  extensions: number[]
  alpn: string[]
  signatures: number[]
}

const isGrease = (value: number) => (value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff)

/** Parses a ClientHello in one record. */
export function readHello(record: Buffer): Hello {
  let at = 5 + 4 + 2 + 32
  const byte = () => record.readUInt8(at++)
  const word = () => {
    at += 2
    return record.readUInt16BE(at - 2)
  }
  const words = (bytes: number) => Array.from({ length: bytes / 2 }, word)
  const skip = (bytes: number) => {
    at += bytes
  }
  const real = (values: number[]) => values.filter((value) => !isGrease(value))
  skip(byte())
  const ciphers = real(words(word())).sort((a, b) => a - b)
  skip(byte())
  const length = word()
  const end = at + length
  const hello: Hello = { ciphers, extensions: [], alpn: [], signatures: [] }
  while (at < end) {
    const type = word()
    const length = word()
    const next = at + length
    if (!isGrease(type)) hello.extensions.push(type)
    if (type === 16) {
      at += 2
      while (at < next) {
        const size = byte()
        hello.alpn.push(record.toString("latin1", at, at + size))
        at += size
      }
    }
    if (type === 13) hello.signatures = real(words(word()))
    at = next
  }
  // An abbreviated handshake has the previous key (41), which does not identify a client.
  hello.extensions = hello.extensions.filter((type) => type !== 41).sort((a, b) => a - b)
  return hello
}
