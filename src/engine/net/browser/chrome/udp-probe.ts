import { createSocket, type Socket } from "node:dgram"
import type { Browser } from "puppeteer-core"

/** Milliseconds for a page to gather its WebRTC candidates. */
const gatherMs = 2000
/** Milliseconds for a sent packet to arrive. */
const arriveMs = 50

/** Chromes that passed, by path and flags. */
const passed = new Set<string>()

/** Pages can send UDP packets, which bypass the egress filter and the proxies. */
export class UdpLeak extends Error {
  constructor() {
    super(
      "its pages can send UDP packets (WebRTC) that bypass the egress filter. Use another version of Chrome or Chromium, and check TRAWL_CHROME_ARGS.",
    )
  }
}

/**
 * Tests whether a page of a new Chrome can reach local UDP sockets by WebRTC, once per path and
 * flags.
 *
 * @throws UdpLeak
 */
export async function requireNoUdp(browser: Browser, kind: string): Promise<void> {
  if (passed.has(kind)) return
  const sockets = await Promise.all([listen("udp4", "127.0.0.1"), listen("udp6", "::1")])
  const open = sockets.filter((socket) => socket !== null)
  const context = await browser.createBrowserContext()
  try {
    const received = new Promise<true>((resolve) => {
      for (const socket of open) socket.once("message", () => resolve(true))
    })
    const servers = open.map((socket) => {
      const { address, family, port } = socket.address()
      return `stun:${family === "IPv6" ? `[${address}]` : address}:${port}`
    })
    const page = await context.newPage()
    const gathered = page.evaluate(gatherScript(servers)).then(() => Bun.sleep(arriveMs))
    gathered.catch(() => {})
    if ((await Promise.race([received, gathered])) === true) throw new UdpLeak()
    passed.add(kind)
  } finally {
    for (const socket of open) socket.close()
    await context.close().catch(() => {})
  }
}

/** Returns null if the machine does not have this kind of IP address. */
function listen(type: "udp4" | "udp6", address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createSocket(type)
    socket.once("error", () => {
      socket.close()
      resolve(null)
    })
    socket.bind(0, address, () => resolve(socket.unref()))
  })
}

const gatherScript = (servers: readonly string[]) => `new Promise((resolve) => {
  if (typeof RTCPeerConnection === "undefined") return resolve()
  const peer = new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)}.map((urls) => ({ urls })) })
  const end = () => { peer.close(); resolve() }
  peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === "complete") end() }
  peer.createDataChannel("probe")
  peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(end)
  setTimeout(end, ${gatherMs})
})`
