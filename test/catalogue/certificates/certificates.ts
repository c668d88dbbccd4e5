import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const openssl = Bun.which("openssl")

export interface Identity {
  key: string
  cert: string
}

/** Certificates created for a test: a root, an authority below it, and leaves of that authority. */
export class CertificateAuthority {
  private readonly folder = mkdtempSync(join(tmpdir(), "trawl-certificates-"))
  readonly root = this.selfSigned("Tide Root")
  readonly authority = this.issue("Tide CA", {
    by: "Tide Root",
    extension: "basicConstraints=CA:TRUE",
  })

  selfSigned(name: string, extension?: string): Identity {
    this.run(
      [
        "req",
        "-x509",
        ...newKey,
        "-keyout",
        this.path(name, "key"),
        "-out",
        this.path(name, "pem"),
      ],
      ["-days", "20", "-subj", `/O=Tide Works/CN=${name}`],
      extension ? ["-addext", extension] : [],
    )
    return this.read(name)
  }

  issue(name: string, options: { by?: string; extension: string; days?: number }): Identity {
    const { by = "Tide CA", extension, days = 20 } = options
    writeFileSync(this.path(name, "ext"), extension)
    this.run(
      ["req", ...newKey, "-keyout", this.path(name, "key"), "-out", this.path(name, "csr")],
      ["-subj", `/O=Tide Works/CN=${name}`],
    )
    this.run(
      ["x509", "-req", "-in", this.path(name, "csr"), "-out", this.path(name, "pem")],
      ["-CA", this.path(by, "pem"), "-CAkey", this.path(by, "key"), "-CAcreateserial"],
      ["-days", String(days), "-extfile", this.path(name, "ext")],
    )
    return this.read(name)
  }

  close(): void {
    rmSync(this.folder, { recursive: true })
  }

  private path(name: string, extension: string): string {
    return join(this.folder, `${name.replaceAll(/\W/g, "-")}.${extension}`)
  }

  private read(name: string): Identity {
    const text = (extension: string) => readFileSync(this.path(name, extension), "utf8")
    return { key: text("key"), cert: text("pem") }
  }

  private run(...parts: string[][]): void {
    const { exitCode, stderr } = Bun.spawnSync([openssl!, ...parts.flat()])
    if (exitCode !== 0) throw new Error(`openssl ${parts[0]![0]}: ${stderr}`)
  }
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
