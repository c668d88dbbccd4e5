import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "./free-port.ts"

/** Printed by every test that needs nginx and cannot find it. */
export const nginxAdvice =
  "nginx was not found, so nothing is tested behind it: install it (Debian: apt-get install nginx)."

/** An ordinary user's PATH does not include /usr/sbin. */
export const nginxPath =
  Bun.which("nginx") ?? Bun.which("nginx", { PATH: "/usr/sbin:/usr/local/sbin:/opt/homebrew/bin" })

export interface Nginx {
  port: number
  stop(): Promise<void>
}

export interface NginxOptions {
  /** `location` blocks of the only server. */
  locations: string
  /** `upstream` blocks. */
  upstreams?: string
  /** Serves HTTPS with a self-signed certificate for this name. */
  tlsName?: string
}

/** Starts nginx as Debian ships it, with its defaults, in front of a service on this machine. */
export async function startNginx({
  locations,
  upstreams = "",
  tlsName,
}: NginxOptions): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-nginx-"))
  mkdirSync(join(folder, "temp"))
  const port = freePort()
  if (tlsName) makeCertificate(folder, tlsName)
  const tls = tlsName ? "ssl_certificate cert.pem; ssl_certificate_key key.pem;" : ""
  const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  writeFileSync(
    join(folder, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events { worker_connections 64; }
http {
  access_log off;
  ${temps.map((name) => `${name}_temp_path temp/${name};`).join(" ")}
  ${upstreams}
  server {
    listen 127.0.0.1:${port} ${tlsName ? "ssl" : ""};
    ${tls}
    ${locations}
  }
}
`,
  )
  const child = Bun.spawn([nginxPath!, "-p", folder, "-c", "nginx.conf", "-e", "error.log"], {
    stdout: "ignore",
    stderr: "inherit",
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

/** The headers with which a proxy forwards the client's address, as every guide recommends. */
export const forwarded = `proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;`

export function makeCertificate(folder: string, name: string): void {
  const { exitCode, stderr } = Bun.spawnSync(
    [
      // A key of this kind is created quickly.
      ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
      ...["-nodes", "-days", "2"],
      ...["-keyout", "key.pem", "-out", "cert.pem"],
      ...["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`],
    ],
    { cwd: folder, stdout: "ignore", stderr: "pipe" },
  )
  if (exitCode !== 0) throw new Error(`openssl created no certificate: ${stderr}`)
}

export async function connectable(port: number, ended: Promise<number>): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver) {
    try {
      const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data() {} } })
      socket.end()
      return
    } catch {
      await Bun.sleep(20)
    }
  }
  throw new Error("The proxy did not start.")
}
