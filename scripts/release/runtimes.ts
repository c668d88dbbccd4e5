/**
 * Bun for the platforms of a release, which executables are built from. It is downloaded from the
 * registry that npm is configured with, and must match the checksum pinned here. A download by Bun
 * itself is not checked, and the build that it uses for this machine depends on the processor.
 *
 * `bun scripts/release/runtimes.ts` pins the builds of the Bun that runs it.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Pinned {
  version: string
  /** Checksums by the package's platform. */
  integrity: Record<string, string>
}

const table = join(import.meta.dir, "runtimes.json")
export const pinned: Pinned = JSON.parse(readFileSync(table, "utf8"))

/** Returns npm's package name for a platform of `bun build --target`. */
export const platformOf = (target: string) => target.replace("arm64", "aarch64")
export const packageOf = (platform: string) => `@oven/bun-${platform}`

/**
 * Downloads a build that is not in the folder yet.
 * @returns the path of the program
 * @throws Error if its checksum is not the pinned one
 */
export function fetchRuntime(
  target: string,
  folder: string,
  of: Pinned = pinned,
  env = process.env,
): string {
  const platform = platformOf(target)
  const name = `oven-bun-${platform}-${of.version}`
  const archive = join(folder, `${name}.tgz`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(archive)) {
    sh(["npm", "pack", "--silent", `${packageOf(platform)}@${of.version}`], folder, env)
  }
  const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`
  if (found !== of.integrity[platform]) {
    rmSync(archive)
    throw new Error(
      `${packageOf(platform)} ${of.version} has the checksum ${found}, but ${of.integrity[platform]} is pinned.`,
    )
  }
  const program = join(folder, name)
  rmSync(program, { recursive: true, force: true })
  mkdirSync(program)
  sh(["tar", "-xzf", archive, "-C", program, "--strip-components=1"], folder)
  return join(program, "bin", platform.startsWith("windows") ? "bun.exe" : "bun")
}

function sh(command: string[], cwd: string, env = process.env): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env })
  if (exitCode === 0) return stdout.toString().trim()
  throw new Error(`${command.join(" ")}: ${stderr}`)
}

if (import.meta.main) {
  const { version } = Bun
  const integrity = Object.fromEntries(
    Object.keys(pinned.integrity).map((platform) => {
      const requested = [
        "npm",
        "view",
        "--silent",
        `${packageOf(platform)}@${version}`,
        "dist.integrity",
      ]
      return [platform, sh(requested, import.meta.dir)]
    }),
  )
  writeFileSync(table, `${JSON.stringify({ version, integrity }, null, 2)}\n`)
}
