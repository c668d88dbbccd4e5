import { createSocket, type Socket } from "node:dgram"
import { createServer, type Server } from "node:net"
import { EgressFilter } from "../../src/engine/net/egress/filter.ts"

/** Counts TCP connections and UDP packets on both loopback addresses of one port. */
export class Probe {
  reached = 0
  private readonly servers: (Server | Socket)[] = []
  port = 0

  static async open(): Promise<Probe> {
    const probe = new Probe()
    for (const host of ["127.0.0.1", "::1"]) {
      await probe.listen(host)
      await probe.receive(host)
    }
    return probe
  }

  /** Script of a page that sends UDP by WebRTC, and marks the page after the attempt. */
  get webRtc(): string {
    const { port } = this
    const servers = [
      `stun:127.0.0.1:${port}`,
      `stun:[::1]:${port}`,
      `turn:127.0.0.1:${port}`,
      `turn:127.0.0.1:${port}?transport=tcp`,
    ].map((urls) => ({ urls, username: "a", credential: "b" }))
    return `<script>
      const peer = new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)} })
      const done = () => { document.body.dataset.webrtc = "done" }
      peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === "complete") done() }
      setTimeout(done, 1500)
      peer.createDataChannel("x")
      peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    </script>`
  }

  private receive(host: string): Promise<void> {
    const socket = createSocket(host === "::1" ? "udp6" : "udp4").on("message", () => {
      this.reached++
    })
    return new Promise((resolve, reject) => {
      socket.once("error", (error) => (host === "::1" ? resolve() : reject(error)))
      socket.bind(this.port, host, () => {
        this.servers.push(socket)
        resolve()
      })
    })
  }

  private listen(host: string): Promise<void> {
    const server = createServer((socket) => {
      this.reached++
      const body = "<title>secret</title>"
      socket.on("error", () => {})
      socket.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      )
    })
    this.servers.push(server)
    return new Promise((resolve, reject) => {
      // A machine without IPv6 has one loopback.
      server.once("error", (error) => (host === "::1" ? resolve() : reject(error)))
      server.listen(this.port, host, () => {
        this.port = (server.address() as { port: number }).port
        resolve()
      })
    })
  }

  close(): void {
    for (const server of this.servers) server.close()
  }
}

/**
 * Names of internal hosts as a hostile resolver returns them; `rebound` is public only at the first
 * look-up.
 */
const names: Record<string, string[]> = {
  "inside.test": ["127.0.0.1"],
  "six.test": ["::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "zero.test": ["0.0.0.0"],
  "mixed.test": ["93.184.215.14", "127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
}

/** An egress filter whose resolver is the attacker's; it has no public names. */
export function attackedFilter(allow: readonly string[] = []): EgressFilter {
  return new EgressFilter(allow, async (name) => {
    const found = names[name] ?? (name.endsWith(".rebound.test") ? ["127.0.0.1"] : undefined)
    if (found) return found
    throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
  })
}

/**
 * Every spelling of an address that leads to the probe server, or would if a part did not use the
 * filter.
 */
export function spellings(port: number): string[] {
  const hosts = [
    "127.0.0.1",
    "127.0.0.2",
    "2130706433",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "0x7f000001",
    "017700000001",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "localhost",
    "LOCALHOST.",
    "a.localhost",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "127\u30020\u30020\u30021",
    "\uff11\uff12\uff17.0.0.1",
    "127.0.0.1%00.example.com",
    ...Object.keys(names),
    "a1.rebound.test",
  ].map((host) => `http://${host}:${port}/`)
  const shapes = [
    `http://user:password@127.0.0.1:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@example.com/`,
    `http://127.0.0.1:${port}\\@example.com/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http:/127.0.0.1:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `\thttp://127.0.0.1:${port}/`,
    `http://127.0.0.1\t:${port}/`,
    `https://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `data:text/html,<meta http-equiv=refresh content="0;url=http://127.0.0.1:${port}/">`,
    `view-source:http://127.0.0.1:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://100.100.100.200/",
  ]
  return [...hosts, ...shapes]
}
