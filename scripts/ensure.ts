/**
 * Installs what a fresh clone lacks: the packages, and with `--chrome` a Chrome for the browser
 * tests. Uses nothing but Bun itself.
 */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "..")
const installed = join(root, "node_modules/.trawl-installed")
const lock = join(root, "bun.lock")

function run(command: string[], quiet = false): boolean {
  const { exitCode } = Bun.spawnSync(command, {
    cwd: root,
    stdout: quiet ? "ignore" : "inherit",
    stderr: quiet ? "ignore" : "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  })
  return exitCode === 0
}

async function ensurePackages(): Promise<void> {
  const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs
  if (fresh) return
  console.error("Installing packages …")
  if (!run([process.execPath, "install", "--frozen-lockfile"])) process.exit(1)
  await Bun.write(installed, "")
}

function ensureChrome(): void {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  const found = process.env.TRAWL_CHROME || names.some((name) => Bun.which(name))
  if (found) return
  console.error("No Chrome was found; trying to install Chromium …")
  const canInstall = process.getuid?.() === 0 && Bun.which("apt-get")
  const done =
    canInstall &&
    run(["apt-get", "update", "-qq"], true) &&
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"], true)
  if (done) return
  console.error(
    "Chrome could not be installed. Install Chromium or Google Chrome, or set TRAWL_CHROME to its path.",
  )
  process.exit(1)
}

await ensurePackages()
if (process.argv.includes("--chrome")) ensureChrome()
