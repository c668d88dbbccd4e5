import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { programOf } from "../../src/cli/main.ts"
import { completionFor } from "../../src/cli/shell/completion.ts"
import { manualOf } from "../../src/cli/shell/man.ts"

interface Package {
  program: string
  /** As Debian names it. */
  architecture: string
  version: string
  /** Of the sources. */
  root: string
  out: string
  /** Seconds since 1970. */
  changedAt: number
}

/** A Debian package: the executable, its unit, its settings, and what the licence asks for. */
export async function makeDeb(of: Package): Promise<void> {
  const { program, architecture, version, root, out, changedAt } = of
  const name = `trawl_${version}_${architecture}`
  const tree = join(root, "dist/parts", name)
  rmSync(tree, { recursive: true, force: true })
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), content)
    chmodSync(join(tree, path), mode)
  }
  const own = (path: string) => readFileSync(join(root, path))
  const bytes = readFileSync(program)
  put("usr/bin/trawl", bytes, 0o755)
  put("lib/systemd/system/trawl.service", own("deploy/systemd/trawl.service"))
  put("etc/trawl/trawl.env", own("deploy/debian/trawl.env"), 0o640)
  const commands = await programOf()
  put("usr/share/man/man1/trawl.1.gz", gzipSync(manualOf(commands), { level: 9 }))
  const completions = {
    bash: "bash-completion/completions/trawl",
    zsh: "zsh/vendor-completions/_trawl",
    fish: "fish/vendor_completions.d/trawl.fish",
  } as const
  for (const shell of ["bash", "zsh", "fish"] as const) {
    put(`usr/share/${completions[shell]}`, completionFor(shell, commands))
  }
  put("usr/share/doc/trawl/copyright", own("LICENSE"))
  put("usr/share/doc/trawl/changelog.gz", gzipSync(own("CHANGELOG.md"), { level: 9 }))
  cpSync(join(root, "docs/guide"), join(tree, "usr/share/doc/trawl/guide"), { recursive: true })
  for (const name of readdirSync(join(tree, "usr/share/doc/trawl/guide")))
    chmodSync(join(tree, "usr/share/doc/trawl/guide", name), 0o644)
  put(
    "DEBIAN/control",
    control({ architecture, version, kilobytes: Math.ceil(bytes.length / 1024) }),
  )
  put("DEBIAN/conffiles", "/etc/trawl/trawl.env\n")
  for (const script of ["postinst", "prerm", "postrm"]) {
    put(`DEBIAN/${script}`, own(`deploy/debian/${script}`), 0o755)
  }
  // Whatever this process's umask is.
  for (const entry of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }
  chmodSync(tree, 0o755)
  const { exitCode, stderr } = Bun.spawnSync(
    ["dpkg-deb", "--build", "--root-owner-group", "-Zgzip", tree, join(out, `${name}.deb`)],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(changedAt) } },
  )
  if (exitCode !== 0) throw new Error(`dpkg-deb: ${stderr}`)
  rmSync(tree, { recursive: true, force: true })
}

const control = (of: {
  architecture: string
  version: string
  kilobytes: number
}) => `Package: trawl
Version: ${of.version}
Architecture: ${of.architecture}
Installed-Size: ${of.kilobytes}
Maintainer: Trawl <trawl@localhost>
Section: net
Priority: optional
Depends: libc6 (>= 2.31), ca-certificates
Recommends: chromium-headless-shell | chromium | google-chrome-stable
Description: web-scraping service in one executable
 Any page as Markdown or by CSS selectors, named scrapers, a REST API with
 durable runs and datasets, an MCP endpoint. Data lies in /var/lib/trawl,
 settings in /etc/trawl/trawl.env.
`
