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

export interface Package {
  program: string
  /** The architecture's name in the package system. */
  architecture: string
  version: string
  /** The root folder of the sources. */
  root: string
  out: string
  /** Seconds since 1970. */
  changedAt: number
}

/** The files of a package in a folder, with the paths of an installation. */
export interface PackageTree {
  folder: string
  /** Size of the executable in bytes. */
  bytes: number
  own(path: string): Buffer
  put(path: string, content: string | Uint8Array, mode?: number): void
  /** Sets the permissions of every folder, independent of this process's umask. */
  finish(): void
  remove(): void
}

/**
 * Writes the files of every package: the executable, its unit, settings, manual, completion and
 * guide.
 */
export async function packageTree(
  { program, root }: Package,
  name: string,
  unitFolder: string,
): Promise<PackageTree> {
  const folder = join(root, "dist/parts", name)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  remove()
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
    chmodSync(join(folder, path), mode)
  }
  const own = (path: string) => readFileSync(join(root, path))
  const executable = readFileSync(program)
  put("usr/bin/trawl", executable, 0o755)
  put(`${unitFolder}/trawl.service`, own("deploy/systemd/trawl.service"))
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
  const guide = join(folder, "usr/share/doc/trawl/guide")
  cpSync(join(root, "docs/guide"), guide, { recursive: true })
  for (const page of readdirSync(guide, { recursive: true, withFileTypes: true })) {
    if (page.isFile()) chmodSync(join(page.parentPath, page.name), 0o644)
  }
  const finish = () => {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
    }
    chmodSync(folder, 0o755)
  }
  return { folder, bytes: executable.length, own, put, finish, remove }
}
