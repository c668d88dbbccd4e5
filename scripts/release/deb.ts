import { join } from "node:path"
import { type Package, packageTree } from "./package-tree.ts"

/** Builds a Debian package. */
export async function makeDeb(of: Package): Promise<void> {
  const { architecture, version, out, changedAt } = of
  const name = `trawl_${version}_${architecture}`
  const tree = await packageTree(of, name, "lib/systemd/system")
  const kilobytes = Math.ceil(tree.bytes / 1024)
  tree.put("DEBIAN/control", control({ architecture, version, kilobytes }))
  tree.put("DEBIAN/conffiles", "/etc/trawl/trawl.env\n")
  for (const script of ["postinst", "prerm", "postrm"]) {
    tree.put(`DEBIAN/${script}`, tree.own(`deploy/debian/${script}`), 0o755)
  }
  tree.finish()
  const { exitCode, stderr } = Bun.spawnSync(
    ["dpkg-deb", "--build", "--root-owner-group", "-Zgzip", tree.folder, join(out, `${name}.deb`)],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(changedAt) } },
  )
  if (exitCode !== 0) throw new Error(`dpkg-deb: ${stderr}`)
  tree.remove()
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
 durable runs and datasets, an MCP endpoint. Data is stored in
 /var/lib/trawl, settings in /etc/trawl/trawl.env.
`
