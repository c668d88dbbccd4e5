/**
 * A site over TLS, for Chrome's network stack. It runs as a separate process, so that its processor
 * time is not counted. Prints its URL and its certificate, as `Site`.
 */
import { createHash, X509Certificate } from "node:crypto"
import { CertificateAuthority } from "../../test/catalogue/certificates/certificates.ts"

export interface Site {
  port: number
  /** The issuer's certificate, as PEM. */
  ca: string
  /** Makes a Chrome trust the certificate. */
  chromeArg: string
}

const filler = "<p>Some words of a paragraph that fills the page a little more.</p>".repeat(250)

/** Starts the site; `stop` ends it. */
export async function startSite(): Promise<Site & { stop(): void }> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdout: "pipe",
    stderr: "inherit",
    stdin: "pipe",
  })
  const { value } = await child.stdout.getReader().read()
  const site = JSON.parse(new TextDecoder().decode(value)) as Site
  return { ...site, stop: () => child.kill() }
}

function serve(): void {
  const authority = new CertificateAuthority()
  const { key, cert } = authority.issue("leaf", {
    by: "Tide Root",
    extension: "subjectAltName=IP:127.0.0.1",
  })
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    http2: true,
    tls: { key, cert },
    idleTimeout: 255,
    fetch({ url }) {
      const { pathname } = new URL(url)
      if (pathname === "/never") return new Promise<Response>(() => {})
      return new Response(`<title>${pathname}</title><h1>Page</h1>${filler}`, {
        headers: { "content-type": "text/html" },
      })
    },
  })
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" })
  const hash = createHash("sha256").update(spki).digest("base64")
  const site: Site = {
    port: server.port!,
    ca: authority.root.cert,
    chromeArg: `--ignore-certificate-errors-spki-list=${hash}`,
  }
  console.log(JSON.stringify(site))
  authority.close()
  // The parent process has ended.
  process.stdin.on("end", () => process.exit()).resume()
}

if (import.meta.main) serve()
