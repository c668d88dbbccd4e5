/**
 * Bun for the platforms of a release, which executables are made of. It comes from the registry that
 * npm is configured with, and is what was pinned here: what Bun itself would fetch, it takes on trust,
 * and which of its builds runs on this machine depends on the processor.
 *
 * `bun scripts/release/runtimes.ts` pins those of the Bun that runs it.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

export interface Pinned {
  version: string
  /** By platform, as the packages are named. */
  integrity: Record<string, string>
}

const table = join(import.meta.dir, "runtimes.json")
export const pinned: Pinned = JSON.parse(readFileSync(table, "utf8"))

/** As npm names the package for a platform of `bun build --target`. */
export const platformOf = (target: string) => target.replace("arm64", "aarch64")
export const packageOf = (platform: string) => `@oven/bun-${platform}`

/**
 * Fetches what is not in the folder yet.
 * @returns the path of the program
 * @throws Error if it is not what was pinned
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
      `${packageOf(platform)} ${of.version} is ${found}, and ${of.integrity[platform]} was pinned.`,
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
