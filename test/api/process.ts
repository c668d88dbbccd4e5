import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  IdentityFile,
  identityLocation,
} from "../../src/engine/net/browser/chrome/identity-file.ts"
import { removeAfterUse } from "../chrome.ts"
import { trawlCommand } from "../trawl.ts"

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

const agent = "Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36"
const headers = { accept: "*/*", "accept-language": "en-US,en;q=0.9", "user-agent": agent }

/**
 * Stores an identity of the installed Chrome. Without one, each service that runs for five seconds starts
 * Chrome to read it, which takes more processor time than most of these tests.
 */
function storeIdentity(dataDir: string): void {
  const location = identityLocation({ chromeArgs: [], chromeWs: [], dataDir })
  if (!location) return
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  new IdentityFile(location).save({
    ...{ version: "Chrome/156.0.8078.108", agent },
    headers: { navigation: headers, call: headers },
  })
}

/** A data folder, and the processes that use it. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "trawl-service-"))

  constructor(private readonly settings: Record<string, string> = {}) {}

  private env(): Record<string, string> {
    return {
      PATH: process.env.PATH ?? "",
      HOME: this.folder,
      // The temporary files of a killed process are removed with the folder.
      TMPDIR: this.folder,
      TRAWL_DATA_DIR: join(this.folder, "data"),
      TRAWL_PORT: "0",
      ...this.settings,
    }
  }

  /** Runs a command of the command line to its end. */
  async run(...args: string[]): Promise<Ended> {
    const child = Bun.spawn([...trawlCommand, ...args], {
      cwd: this.folder,
      env: this.env(),
      stdout: "pipe",
      stderr: "pipe",
    })
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  }

  /** @param by A command that executes its arguments. */
  async serve(by: readonly string[] = []): Promise<Serving> {
    const { TRAWL_DATA_DIR: dataDir, TRAWL_CHROME: chrome, ...more } = this.env()
    // Tests that name their Chrome use it.
    if (chrome === undefined && more.TRAWL_CHROME_WS === undefined) storeIdentity(dataDir!)
    const child = Bun.spawn([...by, ...trawlCommand, "serve"], {
      cwd: this.folder,
      env: this.env(),
      stdout: "ignore",
      stderr: "pipe",
    })
    const lines: Record<string, unknown>[] = []
    const noise: string[] = []
    const listening = Promise.withResolvers<string>()
    const reading = (async () => {
      let text = ""
      for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
        text += chunk
        const whole = text.split("\n")
        text = whole.pop()!
        for (const line of whole) {
          if (!line.startsWith("{")) {
            noise.push(line)
            continue
          }
          const entry = JSON.parse(line)
          lines.push(entry)
          if (entry.msg === "listening") listening.resolve(entry.url)
        }
      }
      listening.reject(new Error(`The service ended: ${[...noise, text].join("\n")}`))
    })()
    const root = await listening.promise
    return {
      root,
      lines,
      noise,
      async end(signal = "SIGTERM") {
        child.kill(signal)
        const code = await child.exited
        await reading
        return code
      },
    }
  }

  /** Removes the folder. A killed service leaves a Chrome that may still write to it for a moment. */
  remove(): Promise<void> {
    return removeAfterUse(this.folder)
  }
}

export interface Serving {
  root: string
  /** Returns the log so far. */
  lines: Record<string, unknown>[]
  /** Returns what it wrote to stderr, such as an error that Bun reports as uncaught. */
  noise: string[]
  /** Sends a signal. Returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number>
}
