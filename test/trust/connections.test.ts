import { afterAll, expect, test } from "bun:test"
import type { Socket } from "bun"
import { Installation, type Serving } from "../api/process.ts"

const connections = 2000
/** Fewer descriptors than connections; the kernel queues the rest. */
const descriptors = 1024

const installation = new Installation()
let serving: Serving | undefined
afterAll(async () => {
  await serving?.end()
  await installation.remove()
})

const head = "POST /api/v1/scrapers/meta-tags-scraper/runs HTTP/1.1\r\nHost: a\r\n"
/** Nothing, a part of the headers, a part of the body, and a request without a following one. */
const texts = [
  "",
  "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ",
  `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
]

/** Opens connections that each send one of the texts, and nothing more. */
async function open(port: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let count = 0; count < connections; count++) {
    const text = texts[count % texts.length]!
    const socket = { data() {}, error() {}, open: (one: Socket) => void one.write(text) }
    sockets.push(await Bun.connect({ hostname: "127.0.0.1", port, socket }))
  }
  return sockets
}

/** Returns the milliseconds until the service responds to a new client. */
async function responds(root: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const call = fetch(`${root}/healthz`, {
      signal: AbortSignal.timeout(1000),
      headers: { connection: "close" },
    })
    const isThere = await call.then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return performance.now() - started
    await Bun.sleep(100)
  }
}

test.if(process.platform === "linux")(
  "more idle and slow connections than file descriptors block others only briefly",
  async () => {
    serving = await installation.serve(["sh", "-c", `ulimit -n ${descriptors}; exec "$@"`, "sh"])
    const { root } = serving
    const port = Number(new URL(root).port)
    expect(await responds(root)).toBeLessThan(5000)
    const sockets = await open(port)
    // The runtime closes connections without a whole request after some ten seconds, here in two rounds.
    expect(await responds(root)).toBeLessThan(40_000)
    for (const socket of sockets) socket.terminate()
    expect(await responds(root)).toBeLessThan(20_000)
  },
)
