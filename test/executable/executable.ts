import { existsSync, mkdtempSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { removeAfterUse } from "../chrome.ts"

const root = join(import.meta.dir, "../..")

/** Returns the executable: TRAWL_BINARY, or dist/trawl, which is built if a source is newer. */
export function executable(): string {
  if (process.env.TRAWL_BINARY) return process.env.TRAWL_BINARY
  const path = join(root, "dist/trawl")
  const builtAt = existsSync(path) ? statSync(path).mtimeMs : 0
  const sources = [
    ...new Bun.Glob("src/**/*.{ts,tsx,css}").scanSync(root),
    "package.json",
    "bun.lock",
  ]
  const isOld = sources.some((source) => statSync(join(root, source)).mtimeMs > builtAt)
  if (isOld) {
    const { exitCode } = Bun.spawnSync([process.execPath, "build.ts", "--quick"], { cwd: root })
    if (exitCode !== 0) throw new Error("The executable could not be built.")
  }
  return path
}

export interface Service {
  /** URL at which it listens, also behind a proxy. */
  root: string
  /** Link by which the first administrator signs up. */
  ownerLink: string | undefined
  stop(): Promise<void>
}

/** Starts the executable in an empty folder. */
export async function startExecutable(settings: Record<string, string>): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-executable-"))
  const child = Bun.spawn([executable()], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      TMPDIR: folder,
      TRAWL_PORT: "0",
      ...settings,
    },
    stdout: "ignore",
    stderr: "pipe",
  })
  const listening = Promise.withResolvers<void>()
  let text = ""
  const reading = (async () => {
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('"listening"')) listening.resolve()
    }
    listening.reject(new Error(`The executable ended: ${text}`))
  })()
  await listening.promise
  const port = settings.TRAWL_PORT ?? "0"
  return {
    root: `http://127.0.0.1:${port}`,
    ownerLink: /"ownerLink":"([^"]+)"/.exec(text)?.[1],
    async stop() {
      child.kill("SIGTERM")
      await Promise.all([child.exited, reading])
      await removeAfterUse(folder)
    },
  }
}
