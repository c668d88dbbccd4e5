import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type AddressInfo, createServer as createTcpServer } from "node:net"
import { createServer, type Server } from "node:tls"
import { systemClock } from "../../../src/base/clock.ts"
import certificateMonitor from "../../../src/catalogue/certificates/certificate-expiry-monitor.ts"
import { type AnyScraper, checkInput } from "../../../src/catalogue/kit/index.ts"
import uptimeChecker from "../../../src/catalogue/web/uptime-checker.ts"
import { EgressFilter } from "../../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../../src/engine/net/http/live.ts"
import { inspectTls } from "../../../src/engine/net/network/tls.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import { CertificateAuthority, type Identity, openssl } from "./certificates.ts"

type Item = Record<string, unknown> & { error: { code: string; message: string } | null }

/**
 * Runs a scraper over real sockets; every name resolves to this machine, which the egress filter
 * allows.
 */
async function run(scraper: AnyScraper, raw: object, allow = ["127.0.0.1"]): Promise<Item[]> {
  const filter = new EgressFilter(allow, async () => ["127.0.0.1"])
  const checked = checkInput(scraper.input, raw)
  if (!checked.ok) throw new Error(checked.issues[0]!.message)
  const checkpoint = new MemoryCheckpoints(scraper.targets(checked.input))
  await executeRun({
    scraper,
    input: checked.input,
    checkpoint,
    signal: AbortSignal.timeout(20_000),
    checkItems: true,
    environment: {
      clock: systemClock,
      http: new LiveTransport(filter),
      env: {},
      sequential: true,
      dns: () => Promise.reject(new Error("unexpected request")),
      tls: (host, port, servername, signal) => inspectTls(filter, host, port, servername, signal),
    },
  })
  return Array.fromAsync(checkpoint.items()) as Promise<Item[]>
}

const servers: { close(): unknown }[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  servers.push(server)
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  )
}

/** A port that no process listens on. */
async function closedPort(): Promise<number> {
  const server = createTcpServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const secure = ({ key, cert }: Identity, ...above: Identity[]) =>
  listen(createServer({ key, cert: [cert, ...above.map((one) => one.cert)].join("") }))

describe.skipIf(!openssl)("certificates over real sockets", () => {
  let authority: CertificateAuthority
  beforeAll(() => {
    authority = new CertificateAuthority()
    servers.push(authority)
  })
  const check = async (host: string, port: number) =>
    (await run(certificateMonitor, { domains: [`${host}:${port}`] }))[0]!
  const names = "subjectAltName=DNS:tides.test,DNS:*.tides.test,IP:127.0.0.1"

  test("self-signed", async () => {
    const port = await secure(authority.selfSigned("self.test", "subjectAltName=DNS:self.test"))
    expect(await check("self.test", port)).toMatchObject({
      status: "invalid",
      isSelfSigned: true,
      nameMatches: true,
      chainTrusted: false,
      authorizationError: "DEPTH_ZERO_SELF_SIGNED_CERT",
      subjectCommonName: "self.test",
      subjectOrganization: "Tide Works",
      keyType: "EC",
      keyBits: 256,
      daysRemaining: 19,
      ip: "127.0.0.1",
      error: null,
    })
  })

  test("a chain up to an untrusted root", async () => {
    const leaf = authority.issue("tides.test", { extension: names })
    const port = await secure(leaf, authority.authority, authority.root)
    const item = await check("sub.tides.test", port)
    expect(item).toMatchObject({
      status: "invalid",
      nameMatches: true,
      isWildcard: true,
      authorizationError: "SELF_SIGNED_CERT_IN_CHAIN",
      subjectAltNames: ["tides.test", "*.tides.test", "127.0.0.1"],
      issuerCommonName: "Tide CA",
    })
    expect((item.chain as { subject: string }[]).map((one) => one.subject)).toEqual([
      "tides.test",
      "Tide CA",
      "Tide Root",
    ])
    expect(await check("127.0.0.1", port)).toMatchObject({ nameMatches: true })
  })

  test("a chain without its intermediate, for another name", async () => {
    const port = await secure(
      authority.issue("moon.test", { extension: "subjectAltName=DNS:moon.test" }),
    )
    expect(await check("tides.test", port)).toMatchObject({
      status: "invalid",
      nameMatches: false,
      authorizationError: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      chain: [{ subject: "moon.test", issuer: "Tide CA" }],
    })
  })

  test("expired", async () => {
    const late = authority.issue("late.test", {
      extension: "subjectAltName=DNS:late.test",
      days: -1,
    })
    const port = await secure(late, authority.authority, authority.root)
    expect(await check("late.test", port)).toMatchObject({
      status: "expired",
      isValid: false,
      nameMatches: true,
      daysRemaining: -2,
      error: null,
    })
  })

  test("no certificate", async () => {
    const plain = await listen(createTcpServer((socket) => socket.end("hello\n")))
    expect(await check("tides.test", plain)).toMatchObject({
      status: "error",
      error: { code: "tls" },
    })
    expect(await check("tides.test", await closedPort())).toMatchObject({
      status: "error",
      daysRemaining: null,
      error: { code: "connection" },
    })
    const [denied] = await run(certificateMonitor, { domains: [`tides.test:${plain}`] }, [])
    expect(denied).toMatchObject({ status: "error", error: { code: "egress_denied" } })
  })

  test("a page with an untrusted certificate is down", async () => {
    const port = await secure(authority.selfSigned("self.test", "subjectAltName=DNS:self.test"))
    const [item] = await run(uptimeChecker, { urls: [`https://self.test:${port}/`] })
    expect(item).toMatchObject({ isUp: false, statusCode: null, errorCode: "tls" })
  })
})

describe("uptime over real sockets", () => {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request): Response | Promise<Response> {
      switch (new URL(request.url).pathname) {
        case "/moved":
          return new Response(null, { status: 301, headers: { location: "/page" } })
        case "/inside":
          return new Response(null, { status: 302, headers: { location: "http://10.0.0.1/" } })
        case "/large":
          return new Response(`High tide${"x".repeat(5_000_000)}`)
        case "/busy":
          return new Response("later", { status: 503 })
        case "/never":
          return new Promise<Response>(() => {})
        default:
          return new Response("<p>High tide at four</p>", { headers: { server: "sea/2" } })
      }
    },
  })
  servers.push({ close: () => site.stop(true) })
  const check = async (path: string, input: object = {}) =>
    (await run(uptimeChecker, { urls: [`http://tides.test:${site.port}${path}`], ...input }))[0]!

  test("a page with its text, after a redirect", async () => {
    const item = await check("/moved", { containsText: "HIGH TIDE" })
    expect(item).toMatchObject({
      isUp: true,
      statusCode: 200,
      redirectCount: 1,
      finalUrl: `http://tides.test:${site.port}/page`,
      textFound: true,
      server: "sea/2",
      errorCode: null,
    })
    expect(item.responseTimeMs as number).toBeLessThanOrEqual(item.totalTimeMs as number)
  })

  test("a page that is larger than the read limit", async () => {
    expect(await check("/large")).toMatchObject({ isUp: true, contentLength: 5_000_009 })
    expect(await check("/large", { containsText: "high tide" })).toMatchObject({ isUp: true })
  })

  test("down, slow, refused and forbidden", async () => {
    expect(await check("/busy")).toMatchObject({
      isUp: false,
      statusCode: 503,
      errorCode: "http_error",
    })
    expect(await check("/never", { timeoutSeconds: 1 })).toMatchObject({ errorCode: "timeout" })
    expect(await check("/inside")).toMatchObject({ isUp: false, errorCode: "egress_denied" })
    const [refused] = await run(uptimeChecker, {
      urls: [`http://tides.test:${await closedPort()}`],
    })
    expect(refused).toMatchObject({ isUp: false, statusCode: null, errorCode: "connection" })
  })
})
