import { type ConnectionOptions, connect, type TLSSocket } from "node:tls"
import { Timeout, type TlsPeer, Unreachable } from "../../../catalogue/kit/index.ts"
import type { EgressFilter } from "../egress/filter.ts"
import { ownLimit } from "../egress/own-limit.ts"

const timeoutMs = 10_000
const maxChain = 10

interface Certificate {
  raw?: Uint8Array
  fingerprint256?: string
  pubkey?: unknown
  issuerCertificate?: Certificate
  [field: string]: unknown
}

/**
 * Makes a TLS handshake with a checked IP address and returns its result. An invalid certificate is
 * reported, not refused. If `servername` is "", no name is sent (for an IP address).
 *
 * @throws Unreachable, Timeout, EgressDenied
 */
export async function inspectTls(
  egress: EgressFilter,
  host: string,
  port: number,
  servername: string,
  signal: AbortSignal,
): Promise<TlsPeer> {
  const addresses = await egress.resolve(host, port)
  let failure: unknown
  for (const address of addresses.slice(0, 4)) {
    try {
      return await shake(host, address, port, servername, signal)
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

function shake(
  host: string,
  address: string,
  port: number,
  servername: string,
  signal: AbortSignal,
): Promise<TlsPeer> {
  return new Promise((resolve, reject) => {
    const options: ConnectionOptions = {
      host: address,
      port,
      ...(servername ? { servername } : {}),
      rejectUnauthorized: false,
      ALPNProtocols: ["http/1.1"],
    }
    const socket = connect(options)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener("abort", stop)
      socket.destroy()
      settle()
    }
    const stop = () => end(() => reject(signal.reason))
    const timer = setTimeout(
      () =>
        end(() =>
          reject(
            new Timeout(`${host} did not complete the TLS handshake within ${timeoutMs / 1000} s.`),
          ),
        ),
      timeoutMs,
    )
    signal.addEventListener("abort", stop, { once: true })
    socket.once("error", (error: Error & { code?: string }) =>
      end(() => reject(handshakeFailure(host, port, error))),
    )
    socket.once("secureConnect", () => {
      const peer = describe(socket, address)
      end(() => resolve(peer))
    })
  })
}

function describe(socket: TLSSocket, address: string): TlsPeer {
  const certificate = socket.getPeerCertificate(true) as unknown as Certificate
  const error = socket.authorizationError as unknown
  const reason =
    typeof error === "string" ? error : ((error as { code?: string } | null)?.code ?? null)
  return {
    authorized: socket.authorized,
    authorizationError: socket.authorized ? null : reason,
    protocol: socket.getProtocol(),
    cipher: socket.getCipher() ?? null,
    remoteAddress: address,
    peerCertificate: plainCertificate(certificate, maxChain),
  }
}

/** Returns the certificate as JSON: bytes as base64, and the chain without repetitions. */
function plainCertificate(certificate: Certificate, depth: number): Record<string, unknown> | null {
  if (!certificate || Object.keys(certificate).length === 0) return null
  const { raw, pubkey: _key, issuerCertificate: issuer, ...fields } = certificate
  const last = !issuer || issuer.fingerprint256 === certificate.fingerprint256 || depth <= 1
  return {
    ...fields,
    ...(raw ? { raw: Buffer.from(raw).toString("base64") } : {}),
    ...(last ? {} : { issuerCertificate: plainCertificate(issuer, depth - 1) }),
  }
}

function handshakeFailure(
  host: string,
  port: number,
  error: Error & { code?: string },
): Unreachable {
  const own = ownLimit(error, `${host}:${port}`)
  if (own) return own
  const code = error.code ?? ""
  const plain = /^E(?!PROTO)[A-Z]+$/.test(code)
  const what = plain ? "The connection" : "The TLS connection"
  return new Unreachable(
    `${what} to ${host}:${port} failed (${code || error.message}).`,
    plain ? "connection" : "tls",
    { cause: error },
  )
}
