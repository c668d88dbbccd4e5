import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const main = join(import.meta.dir, "../../src/main.ts")
const binary = process.env.TRAWL_BINARY

/** One of the processes that share a database. It can be killed and started again. */
export class TrawlProcess {
  private child?: Bun.Subprocess
  private cpu = 0
  root = ""

  constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
    keyFile?: string,
  ) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (keyFile && existsSync(keyFile)) copyFileSync(keyFile, join(folder, "trawl.key"))
  }

  get keyFile(): string {
    return join(this.folder, "trawl.key")
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  async start(): Promise<void> {
    const log = join(this.folder, "log")
    writeFileSync(log, "")
    this.child = Bun.spawn([...(binary ? [binary] : [process.execPath, main]), "serve"], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH!,
        HOME: this.folder,
        TRAWL_DATA_DIR: this.folder,
        TRAWL_PORT: "0",
        TRAWL_RATE_LIMIT: "0",
        TRAWL_CHROME_DOWNLOAD_URL: "never",
        ...this.env,
      },
      stdout: "ignore",
      stderr: Bun.file(log),
    })
    for (const end = Date.now() + 60_000; ; await Bun.sleep(50)) {
      const url = /"url":"([^"]+)"/.exec(await Bun.file(log).text())?.[1]
      if (url) {
        this.root = url
        return
      }
      if (Date.now() > end || this.child.exitCode !== null) {
        throw new Error(`The process did not start: ${await Bun.file(log).text()}`)
      }
    }
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const { child } = this
    this.root = ""
    child?.kill(signal)
    await child?.exited
    this.cpu += Number(child?.resourceUsage()?.cpuTime.total ?? 0) / 1e6
  }

  /**
   * Returns the processor time in seconds of all its processes so far, after the last one has
   * ended.
   */
  get cpuSeconds(): number {
    return this.cpu
  }
}
