import { createHash, X509Certificate } from "node:crypto"
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2"
import { connect, createServer, type Server, type Socket } from "node:net"
import {
  exchangeBody,
  exchangeHeaders,
  type ReplayCase,
} from "../../src/engine/fetch/replay/case.ts"
import { Recordings } from "../../src/engine/fetch/replay/matching.ts"
import { CertificateAuthority } from "../../test/catalogue/certificates/certificates.ts"
import type { ChallengeRules, Reply } from "./challenges.ts"

/** A loopback address for every host of the simulated internet. */
export const everywhere = "127.43.0.1"

/** Headers that Bun's server sets itself, or that would prevent the pages from being read here. */
const left =
  /^(?:content-(?:encoding|length|security-policy)|transfer-encoding|connection|keep-alive|alt-svc|strict-transport-security)$/i

interface Stage {
  challenge: ChallengeRules
  recorded: ReplayCase
  recordings: Recordings
  requests: number
  /** Requests that passed the challenge, for pages that are not recorded. */
  missed: string[]
}

/** Serves all hosts of recorded cases over TLS, behind one challenge. One case runs at a time. */
export async function smallInternet(names: readonly string[]) {
  const authority = new CertificateAuthority()
  const { key, cert } = authority.issue("leaf", {
    by: "Tide Root",
    extension: `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`,
  })
  let stage: Stage | undefined
  /** Connections with Chrome's ClientHello, by their port behind the front. */
  const chromes = new Set<number>()
  const inner = createSecureServer({ key, cert, allowHTTP1: true })
  inner.on("sessionError", () => {})
  inner.on("request", (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk) => chunks.push(Buffer.from(chunk)))
    request.on("end", () => {
      const port = request.stream?.session?.socket.remotePort ?? request.socket.remotePort ?? 0
      const reply = respondTo(request, Buffer.concat(chunks).toString(), chromes.has(port))
      response.writeHead(reply.status, reply.headers)
      response.end(reply.bytes)
    })
  })

  function respondTo(request: Http2ServerRequest, body: string, isChrome: boolean) {
    const { headers, method } = request
    const host = String(headers[":authority"] ?? headers.host)
    const url = new URL(`https://${host}${request.url}`)
    if (!stage) return asBytes({ status: 404, body: "" })
    const isRobots = url.pathname === "/robots.txt"
    if (!isRobots) stage.requests++
    const visit = {
      ...{ url, method, isChrome, number: stage.requests },
      cookies: headers.cookie ?? "",
      accept: String(headers.accept ?? ""),
      names: request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
    }
    const refusal = isRobots ? null : stage.challenge.response?.(visit)
    if (refusal) return asBytes(refusal)
    const wanted = { method, url: url.href, body }
    const exchange = (["http", "browser-http", "browser"] as const)
      .map((via) => stage!.recordings.find({ ...wanted, via }))
      .find((one) => one && !one.failure)
    if (!exchange) {
      if (/html|json/.test(visit.accept)) stage.missed.push(`${method} ${url.href}`)
      return asBytes({ status: 404, body: "nothing is recorded here" })
    }
    const stored = [...exchangeHeaders(exchange)].filter(([name]) => !left.test(name))
    return {
      status: exchange.status,
      headers: Object.fromEntries(stored),
      bytes: exchangeBody(stage.recorded.folder, exchange),
    }
  }

  const innerPort = await listening(inner, 0, "127.0.0.1")
  const front = createServer((client) => meet(client))
  const open = new Set<Socket>()
  function meet(client: Socket): void {
    open.add(client)
    client.on("error", () => {})
    client.on("close", () => open.delete(client))
    let head = Buffer.alloc(0)
    const hear = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      if (head.length < 5 || head.length < 5 + head.readUInt16BE(3)) return
      client.off("data", hear)
      const isChrome = hasGrease(head)
      const { hello } = stage?.challenge ?? {}
      if (!isChrome && hello === "cut") return client.resetAndDestroy()
      if (!isChrome && hello === "stall") return
      const upstream = connect(innerPort, "127.0.0.1", () => {
        if (isChrome) chromes.add(upstream.localPort!)
        upstream.write(head)
        client.pipe(upstream)
        upstream.pipe(client)
      })
      upstream.on("error", () => client.destroy())
      upstream.on("close", () => client.destroy())
      client.on("close", () => upstream.destroy())
    }
    client.on("data", hear)
  }
  await listening(front, 443, everywhere)
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })
  return {
    ca: authority.root.cert,
    chromeArgs: [
      `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`,
    ],
    play(recorded: ReplayCase, challenge: ChallengeRules): Stage {
      // A connection that is kept alive would pass a challenge that checks TLS hellos.
      for (const client of open) client.destroy()
      stage = {
        challenge,
        recorded,
        recordings: new Recordings(recorded.exchanges),
        requests: 0,
        missed: [],
      }
      return stage
    },
    close() {
      front.close()
      inner.close()
      authority.close()
    },
  }
}

const asBytes = ({ status, headers = {}, body }: Reply) => ({
  status,
  headers,
  bytes: new TextEncoder().encode(body),
})

function listening(
  server: Server | ReturnType<typeof createSecureServer>,
  port: number,
  host: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, () => resolve((server.address() as { port: number }).port))
  })
}

/** Chrome adds a reserved cipher without meaning (GREASE); no other client here does. */
function hasGrease(record: Buffer): boolean {
  const at = 5 + 4 + 2 + 32
  const ciphers = at + 1 + record.readUInt8(at)
  const length = record.readUInt16BE(ciphers)
  for (let index = ciphers + 2; index < ciphers + 2 + length; index += 2) {
    const value = record.readUInt16BE(index)
    if ((value & 0x0f0f) === 0x0a0a && value >> 8 === (value & 0xff)) return true
  }
  return false
}
