import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createTls } from "node:https"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { makeCertificate } from "../../test/nginx.ts"

/** A request that arrived at a host. */
export interface Arrival {
  host: string
  path: string
  /** The process that sent it: each has its own proxy. */
  from: number
  at: number
  /** When the response was sent; Infinity before. */
  until: number
}

export interface Page {
  status?: number
  headers?: Record<string, string>
  body?: string
  afterMs?: number
}

/**
 * Serves hosts behind proxies on this machine, so that requests have host names and no packet
 * leaves.
 */
export class Internet {
  readonly arrivals: Arrival[] = []
  readonly certificate: string
  private readonly servers: { close(): unknown }[] = []

  /** @param tlsHost One host that is requested over HTTPS. */
  constructor(
    folder: string,
    tlsHost: string,
    private readonly page: (host: string, path: string) => Page,
  ) {
    makeCertificate(folder, tlsHost)
    this.certificate = join(folder, "cert.pem")
    this.tls = { cert: readFileSync(this.certificate), key: readFileSync(join(folder, "key.pem")) }
  }
  private readonly tls: { cert: Buffer; key: Buffer }

  /** Starts a proxy for one process. Returns its URL. */
  async proxy(from: number): Promise<string> {
    const reply = (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url!, `https://${request.headers.host}`)
      void this.response(url.hostname, url.pathname, from, response)
    }
    const tls = createTls(this.tls, reply)
    const server = createServer(reply)
    for (const one of [tls, server]) {
      await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve))
      this.servers.push(one)
    }
    server.on("connect", (_, socket, head) => {
      const inner = connect((tls.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        inner.write(head)
        inner.pipe(socket).pipe(inner)
      })
      for (const end of [inner, socket]) end.on("error", () => inner.destroy())
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  private async response(host: string, path: string, from: number, response: ServerResponse) {
    const arrival: Arrival = { host, path, from, at: performance.now(), until: Infinity }
    this.arrivals.push(arrival)
    const { status = 200, headers, body = "", afterMs = 0 } = this.page(host, path)
    if (afterMs > 0) await Bun.sleep(afterMs)
    arrival.until = performance.now()
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(body)
  }

  of(host: string): Arrival[] {
    return this.arrivals.filter((one) => one.host === host && one.path !== "/robots.txt")
  }

  close(): void {
    for (const server of this.servers) server.close()
  }
}
