import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Package, packageTree } from "./package-tree.ts"

/** Builds an RPM package with rpmbuild, for Fedora, RHEL, SUSE and similar systems. */
export async function makeRpm(of: Package): Promise<void> {
  const { architecture, out, changedAt } = of
  // A hyphen separates version and release.
  const version = of.version.replaceAll("-", "~")
  const name = `trawl-${version}-1.${architecture}`
  const tree = await packageTree(of, name, "usr/lib/systemd/system")
  tree.finish()
  const top = mkdtempSync(join(tmpdir(), "trawl-rpm-"))
  try {
    const file = join(top, "trawl.spec")
    writeFileSync(file, spec({ version, files: tree.folder, changedAt }))
    mkdirSync(join(top, "BUILD"))
    const define = (value: string) => ["--define", value]
    const { exitCode, stderr } = Bun.spawnSync(
      [
        ...["rpmbuild", "-bb", "--target", `${architecture}-linux`],
        ...define(`_topdir ${top}`),
        ...define("_buildhost trawl"),
        ...define("use_source_date_epoch_as_buildtime 1"),
        ...define("clamp_mtime_to_source_date_epoch 1"),
        file,
      ],
      { env: { ...process.env, HOME: top, SOURCE_DATE_EPOCH: String(changedAt) } },
    )
    if (exitCode !== 0) throw new Error(`rpmbuild: ${stderr}`)
    const built = join(top, "RPMS", architecture)
    for (const rpm of readdirSync(built)) renameSync(join(built, rpm), join(out, `${name}.rpm`))
  } finally {
    rmSync(top, { recursive: true, force: true })
    tree.remove()
  }
}

/** Turns off stripping: the executable contains its code after the runtime in the same file. */
const spec = (of: { version: string; files: string; changedAt: number }) => `\
%global __os_install_post %{nil}
%global _build_id_links none
%global _binary_payload w7.zstdio
%global debug_package %{nil}
Name: trawl
Version: ${of.version}
Release: 1
Summary: Web-scraping service in one executable
License: MIT
AutoReqProv: no
Requires: glibc >= 2.31
Requires: ca-certificates
Recommends: chromium-headless
%description
Any page as Markdown or by CSS selectors, named scrapers, a REST API with
durable runs and datasets, an MCP endpoint. Data is stored in /var/lib/trawl,
settings in /etc/trawl/trawl.env.
%install
cp -a ${of.files}/. %{buildroot}/
# All files have the time of the sources.
find %{buildroot} -exec touch --no-dereference --date=@${of.changedAt} {} +
%files
%defattr(-,root,root,-)
%attr(0755,root,root) /usr/bin/trawl
/usr/lib/systemd/system/trawl.service
%dir %attr(0755,root,root) /etc/trawl
%config(noreplace) %attr(0640,root,root) /etc/trawl/trawl.env
/usr/share/man/man1/trawl.1.gz
/usr/share/bash-completion/completions/trawl
/usr/share/zsh/vendor-completions/_trawl
/usr/share/fish/vendor_completions.d/trawl.fish
/usr/share/doc/trawl
%post
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null 2>&1 || :
  if [ "$1" = 1 ]; then systemctl preset trawl.service >/dev/null 2>&1 || :; fi
fi
%preun
if [ "$1" = 0 ] && [ -d /run/systemd/system ]; then
  systemctl --no-reload disable --now trawl.service >/dev/null 2>&1 || :
fi
%postun
if [ -d /run/systemd/system ]; then
  systemctl --system daemon-reload >/dev/null 2>&1 || :
  if [ "$1" -ge 1 ]; then systemctl try-restart trawl.service >/dev/null 2>&1 || :; fi
fi
`
