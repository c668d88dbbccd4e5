/**
 * Installs what a fresh clone lacks: the packages, and with `--chrome` a Chrome for the browser
 * tests, the nginx that some of them run behind, and PostgreSQL. Uses nothing but Bun itself.
 */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dir, "..")
const stamp = join(root, "node_modules/.trawl-installed")
const lock = join(root, "bun.lock")

function run(command: string[], quiet = false): boolean {
  const { exitCode } = Bun.spawnSync(command, {
    cwd: root,
    stdout: quiet ? "ignore" : "inherit",
    stderr: quiet ? "ignore" : "inherit",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
  })
  return exitCode === 0
}

async function ensurePackages(): Promise<void> {
  const fresh = existsSync(stamp) && statSync(stamp).mtimeMs >= statSync(lock).mtimeMs
  if (fresh) return
  console.error("Installing packages …")
  if (!run([process.execPath, "install", "--frozen-lockfile"])) process.exit(1)
  await Bun.write(stamp, "")
}

function ensureChrome(): void {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
  const found = process.env.TRAWL_CHROME || names.some((name) => Bun.which(name))
  if (!found) console.error("No Chrome was found; trying to install Chromium …")
  if (!found && !install("chromium")) {
    console.error(
      "Chrome could not be installed. Install Chromium or Google Chrome, or set TRAWL_CHROME to its path.",
    )
    process.exit(1)
  }
  // Many tests take half the time with it. Debian has it since 2024, next to its Chromium.
  const isDebians = !process.env.TRAWL_CHROME && existsSync("/usr/bin/chromium")
  if (isDebians && !Bun.which("chromium-headless-shell")) install("chromium-headless-shell")
}

/** Without nginx, the tests behind a reverse proxy are skipped with a message. */
function ensureNginx(): void {
  if (Bun.which("nginx") || existsSync("/usr/sbin/nginx")) return
  console.error("No nginx was found; trying to install it …")
  if (install("nginx")) return
  console.error("nginx could not be installed; the tests behind a reverse proxy are skipped.")
}

/** Without PostgreSQL, the tests of the store against it are skipped with a message. */
function ensurePostgres(): void {
  const isThere = Bun.which("postgres") || existsSync("/usr/lib/postgresql")
  if (isThere || process.env.TRAWL_TEST_POSTGRES) return
  console.error("No PostgreSQL was found; trying to install it …")
  if (install("postgresql")) return
  console.error(
    "PostgreSQL could not be installed; the tests of the store against it are skipped. Install it (Debian: apt-get install postgresql), or set TRAWL_TEST_POSTGRES to the URL of one.",
  )
}

/** Installs a Debian package without starting its service. Returns false if that is not possible. */
function install(name: string): boolean {
  if (process.getuid?.() !== 0 || !Bun.which("apt-get")) return false
  return (
    run(["apt-get", "update", "-qq"], true) &&
    run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", name], true)
  )
}

await ensurePackages()
if (process.argv.includes("--chrome")) {
  ensureChrome()
  ensureNginx()
  ensurePostgres()
}
