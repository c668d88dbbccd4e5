import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect } from "node:tls"
import { TestApp } from "../api/app.ts"
import { freePort } from "../free-port.ts"
import { connectable, makeCertificate, nginxAdvice, nginxPath, startNginx } from "../nginx.ts"

/** The examples of deploy/proxy, run unchanged except for ports and certificates. */
const example = (name: string) =>
  readFileSync(join(import.meta.dir, "../../deploy/proxy", name), "utf8")
const caddyPath = Bun.which("caddy")
if (!nginxPath) console.log(nginxAdvice)
if (!caddyPath) {
  console.log("caddy was not found, so its example is not run (Debian: apt-get install caddy).")
}
const apachePath =
  Bun.which("apache2") ?? Bun.which("apache2", { PATH: "/usr/sbin:/usr/local/sbin" })
if (!apachePath) {
  console.log("Apache was not found, so its example is not run (Debian: apt-get install apache2).")
}

test("the guide's nginx and Apache blocks are those of deploy/proxy", () => {
  const guide = readFileSync(join(import.meta.dir, "../../docs/guide/operate/proxy.md"), "utf8")
  const block = (language: string) =>
    new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(guide)![1]!
  const words = (text: string) =>
    text
      .replace(/^ *#.*$/gm, "")
      .split(/\s+/)
      .filter(Boolean)
  const [location] = /location \/ \{[\s\S]*?\n {2}\}/.exec(example("nginx.conf"))!
  expect(words(block("nginx"))).toEqual(words(location))
  expect(words(block("apache"))).toEqual(words(example("apache.conf")))
})

interface Proxy {
  port: number
  stop(): Promise<void>
}

const server = /server \{\n {2}listen[^\n]*\n([\s\S]*)\n\}\s*$/

async function nginx(name: string, host: string, to: number): Promise<Proxy> {
  const [, inner] = server.exec(example(name))!
  const locations = inner!
    .replace(/^ *ssl_certificate.*$/gm, "")
    .replace("127.0.0.1:8080", `127.0.0.1:${to}`)
  return startNginx({ locations, tlsName: host })
}

async function caddy(name: string, host: string, to: number): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-caddy-"))
  makeCertificate(folder, host)
  const port = freePort()
  const site = example(name)
    .replace(`\n${host} {`, `\nhttps://${host}:${port} {\n\ttls cert.pem key.pem`)
    .replace("127.0.0.1:8080", `127.0.0.1:${to}`)
  writeFileSync(join(folder, "Caddyfile"), `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
  const child = Bun.spawn([caddyPath!, "run", "--config", "Caddyfile"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, XDG_DATA_HOME: folder },
    stdout: "ignore",
    stderr: "ignore",
  })
  await connectable(port, child.exited)
  return {
    port,
    async stop() {
      child.kill("SIGTERM")
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Modules of the example, and those without which Apache does not start. */
const apacheModules = ["mpm_event", "authz_core", "socache_shmcb"].concat([
  "proxy",
  "proxy_http",
  "headers",
  "ssl",
])

async function apache(name: string, host: string, to: number): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-apache-"))
  makeCertificate(folder, host)
  const port = freePort()
  const site = example(name)
    .replace("*:443", `127.0.0.1:${port}`)
    .replace("/etc/ssl/trawl/fullchain.pem", join(folder, "cert.pem"))
    .replace("/etc/ssl/trawl/privkey.pem", join(folder, "key.pem"))
    .replace("127.0.0.1:8080", `127.0.0.1:${to}`)
  const modules = apacheModules.map(
    (one) => `LoadModule ${one}_module /usr/lib/apache2/modules/mod_${one}.so`,
  )
  writeFileSync(
    join(folder, "apache.conf"),
    `ServerName ${host}
DefaultRuntimeDir ${folder}
PidFile apache.pid
ErrorLog ${join(folder, "error.log")}
Listen 127.0.0.1:${port}
${modules.join("\n")}
${process.getuid?.() === 0 ? "User www-data\nGroup www-data" : ""}
${site}`,
  )
  const child = Bun.spawn(
    [apachePath!, "-d", folder, "-f", join(folder, "apache.conf"), "-D", "FOREGROUND"],
    { env: { PATH: process.env.PATH ?? "" }, stdout: "ignore", stderr: "ignore" },
  )
  await connectable(port, child.exited)
  return {
    port,
    async stop() {
      child.kill("SIGTERM")
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const own = { host: "trawl.example.com", base: "" }
const shared = { host: "example.com", base: "/trawl" }
const cases = [
  { name: "nginx.conf", start: nginx, isHere: nginxPath !== null, ...own },
  { name: "nginx-path.conf", start: nginx, isHere: nginxPath !== null, ...shared },
  { name: "Caddyfile", start: caddy, isHere: caddyPath !== null, ...own },
  { name: "apache.conf", start: apache, isHere: apachePath !== null, ...own },
  { name: "Caddyfile-path", start: caddy, isHere: caddyPath !== null, ...shared },
]

describe.each(cases.filter(({ isHere }) => isHere))(
  "$name",
  async ({ name, start, host, base }) => {
    const root = `https://${host}${base}`
    const app = await TestApp.open({ baseUrl: root, trustProxy: ["127.0.0.1"] })
    app.app.listen({ port: 0, hostname: "127.0.0.1", idleTimeout: 120 })
    const proxy = await start(name, host, app.app.server!.port!)
    const { key } = await app.account()
    afterAll(async () => {
      await proxy.stop()
      app.gate.release()
      await app.app.server!.stop(true)
      await app.close()
    })

    const call = (method: string, path: string, body?: unknown) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const requested = request({
          host: "127.0.0.1",
          port: proxy.port,
          servername: host,
          rejectUnauthorized: false,
          method,
          path: base + path,
          headers: {
            host,
            authorization: `Bearer ${key}`,
            "x-forwarded-for": "203.0.113.9",
            ...(body !== undefined && { "content-type": "application/json" }),
          },
        })
        requested.on("response", resolve).on("error", reject)
        requested.end(body === undefined ? undefined : JSON.stringify(body))
      })
    const textOf = async (response: IncomingMessage) => {
      let text = ""
      for await (const chunk of response) text += chunk
      return text
    }

    // Proxies that strip a path encode the rest again.
    test.skipIf(base !== "")("passes URLs on unchanged", async () => {
      const { error } = JSON.parse(await textOf(await call("GET", "/nothing//a%2Fb%20c")))
      expect(error.message).toBe(
        "There is no GET /nothing//a%2Fb%20c. All routes are listed at /docs.md.",
      )
    })

    test("links have the public URL with TLS", async () => {
      const response = await call("GET", "/api/v1")
      expect(response.statusCode).toBe(200)
      expect(JSON.parse(await textOf(response)).links.docs).toBe(`${root}/docs`)
      const page = await textOf(await call("GET", "/docs"))
      expect(page).toContain(`src="${base}/docs/reference.js"`)
    })

    describe("to another upstream", () => {
      let received = 0
      const upstream = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        async fetch(request, server) {
          if (server.upgrade(request)) return undefined
          received = (await request.bytes()).length
          return new Response(null, { status: 201 })
        },
        websocket: { message() {} },
      })
      let other: Proxy
      beforeAll(async () => {
        other = await start(name, host, upstream.port!)
      })
      afterAll(async () => {
        await other.stop()
        await upstream.stop(true)
      })

      // The service's own limit is tested with its uploads.
      test("an upload of 15 MB passes", async () => {
        const body = "x".repeat(15 * 1024 * 1024)
        const response = await new Promise<IncomingMessage>((resolve, reject) => {
          const sent = request({
            host: "127.0.0.1",
            port: other.port,
            servername: host,
            rejectUnauthorized: false,
            method: "POST",
            path: `${base}/api/v1/batches/upload?scraper=words-scraper&column=words`,
            headers: { host, authorization: `Bearer ${key}`, "content-type": "text/csv" },
          })
          sent.on("response", resolve).on("error", reject)
          sent.end(body)
        })
        expect([response.statusCode, received]).toEqual([201, body.length])
        await textOf(response)
      })

      test("a WebSocket is proxied", async () => {
        const socket = connect({ port: other.port, servername: host, rejectUnauthorized: false })
        socket.write(
          `GET ${base}/v2/crawl/x HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n` +
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        )
        const response = await new Promise<Buffer>((resolve, reject) =>
          socket.once("data", resolve).once("error", reject),
        )
        expect(response.toString()).toStartWith("HTTP/1.1 101 ")
        socket.destroy()
      })
    })

    test("a long wait gets an early response, events come while the run continues", async () => {
      app.service.beatMs = 30
      app.gate.reset()
      const waiting = await call("POST", "/api/v1/scrapers/words-scraper/runs?waitForFinish=60", {
        words: ["slow"],
      })
      // The run waits at its gate, so what has arrived was not buffered.
      expect(waiting.statusCode).toBe(201)
      const runs = JSON.parse(await textOf(await call("GET", "/api/v1/runs")))
      const events = await call("GET", `/api/v1/runs/${runs.items[0].id}/events`)
      expect(events.headers["content-type"]).toStartWith("text/event-stream")
      let reported = ""
      for await (const chunk of events) {
        reported += chunk
        if (reported.includes("running")) app.gate.release()
        if (reported.includes("succeeded")) break
      }
      expect(JSON.parse(await textOf(waiting))).toMatchObject({ status: "succeeded", itemCount: 1 })
    })
  },
)
