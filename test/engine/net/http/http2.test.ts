import { afterAll, describe, expect, test } from "bun:test"
import { createServer } from "node:https"
import { openssl } from "../../../catalogue/certificates/certificates.ts"
import { tlsSite } from "../browser/tls-site.ts"

let silent = 0
const site = await tlsSite(["a.test", "b.test"], (request, response) => {
  switch (request.url) {
    case "/breaks":
      // Some servers require HTTP/1.1 for some of their pages.
      if (request.httpVersion === "2.0") return response.stream.close(0xd)
      return void response.end("by 1.1")
    case "/large":
      return void response.end(Buffer.alloc(8_000_000))
    case "/silent":
      silent++
      return
    default:
      response.end(
        `${request.method} by ${request.httpVersion} of ${request.headers[":authority"]}`,
      )
  }
})
afterAll(() => site.close())

/**
 * Sends rounds of concurrent requests, one round after the other, from a client in a separate
 * process.
 */
async function ask(ca: string, rounds: Record<string, unknown>[][]): Promise<string[][]> {
  const child = Bun.spawn(
    [
      process.execPath,
      "--experimental-http2-fetch",
      `${import.meta.dir}/http2-client.ts`,
      JSON.stringify({ ca, rounds }),
    ],
    { stdout: "pipe", stderr: "inherit" },
  )
  return JSON.parse(await new Response(child.stdout).text())
}

describe.if(openssl !== null)("HTTP/2", () => {
  const a = `https://a.test:${site.port}`
  const get = (path: string, more = {}) => ({ url: a + path, ...more })
  const by2 = (method = "GET") => `${method} by 2.0 of a.test:${site.port}`

  test("connects to the checked IP address, with the host's name, over one connection", async () => {
    const before = site.connections
    const results = await ask(site.ca, [
      [get("/first")],
      Array.from({ length: 10 }, (_, number) => get(`/${number}`)),
      [get("/post", { method: "POST" })],
    ])
    expect(results).toEqual([[by2()], Array(10).fill(by2()), [by2("POST")]])
    expect(site.connections - before).toBe(1)
  })

  test("a host is verified by its own name and certificate only", async () => {
    const b = `https://b.test:${site.port}`
    const c = `https://c.test:${site.port}`
    const results = await ask(site.ca, [[get("/")], [{ url: `${b}/` }], [{ url: `${c}/` }]])
    expect(results).toEqual([[by2()], [`GET by 2.0 of b.test:${site.port}`], ["tls"]])
  })

  test("has the limits of every request, and continues after them", async () => {
    const results = await ask(site.ca, [
      [get("/large", { maxBytes: 300_000 })],
      [get("/silent", { timeoutMs: 500 })],
      [get("/after")],
    ])
    expect(results).toEqual([["too_large"], ["timeout"], [by2()]])
    expect(silent).toBe(1)
  })

  test("that fails is not retried, except for requests that may have had an effect", async () => {
    const results = await ask(site.ca, [[get("/breaks")], [get("/breaks", { method: "POST" })]])
    expect(results).toEqual([["by 1.1"], ["connection"]])
  })

  test("falls back to HTTP/1.1 in one handshake", async () => {
    let connections = 0
    const old = createServer({ key: site.key, cert: site.cert }, (request, response) => {
      response.end(`by ${request.httpVersion}`)
    })
    old.on("connection", () => connections++)
    await new Promise<void>((resolve) => old.listen(0, "127.0.0.1", resolve))
    const { port } = old.address() as { port: number }
    const url = `https://a.test:${port}/`
    expect(await ask(site.ca, [[{ url }], [{ url }]])).toEqual([["by 1.1"], ["by 1.1"]])
    expect(connections).toBe(1)
    old.close()
  })
})
