import { readFileSync } from "node:fs"
import type { Command } from "commander"
import { newSecret } from "../../accounts/secrets.ts"
import { messageOf } from "../../base/error-message.ts"
import { ServiceManager } from "../../base/service-manager.ts"
import { type Config, ConfigError } from "../../config/config.ts"
import { version } from "../../config/version.ts"
import { identityLocation } from "../../engine/net/browser/chrome/identity-file.ts"
import { BrowserHost } from "../../engine/net/browser/host.ts"
import { servedPath } from "../../engine/net/browser/lease/remote-addresses.ts"
import { BrowserServer } from "../../engine/net/browser/served/server.ts"
import { isToken, tokenForm } from "../../engine/net/browser/served/token.ts"
import { readSettings } from "../common/settings.ts"

/** Milliseconds that open tabs get at shutdown. */
const graceMs = 30_000
const maxTabs = 200

interface Options {
  listen: string
  tokenFile?: string
  tabs?: string
}

/** `trawl browser serve`: serves this machine's Chrome to Trawl on other machines. */
export function registerBrowserServe(browser: Command): void {
  browser
    .command("serve")
    .description(
      "Serve the Chrome of this machine to Trawl servers on other machines, through the egress filter",
    )
    .option("--listen <host:port>", "address to listen on", "127.0.0.1:9223")
    .option("--token-file <path>", "file with the token (default: TRAWL_BROWSER_TOKEN)")
    .option("--tabs <count>", "maximum open tabs (default: TRAWL_BROWSER_TABS)")
    .action(serve)
}

async function serve(options: Options): Promise<void> {
  const manager = ServiceManager.of(process.env)
  const settings = readSettings()
  const { hostname, port } = readListen(options.listen)
  const tabs = readTabs(options.tabs) ?? settings.browserTabs
  const provided = readToken(options.tokenFile, settings)
  const token = provided ?? newSecret()
  // It serves a local Chrome, never a remote one.
  const config = { ...settings, chromeWs: [], browserTabs: tabs }
  const onNote = (message: string) => say("warn", message)
  const host = new BrowserHost(config, onNote, identityLocation(config))
  // Also handled while Chrome starts, which would otherwise leave its folder.
  let server: BrowserServer | undefined
  stopBySignal(async () => (server ? server.stop(graceMs) : host.stop()))
  server = await BrowserServer.start(host, { hostname, port, token, tabs, version, onNote })
  const visible = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}`
  say("info", `serving Chrome with ${tabs} tabs at ws://${visible}${servedPath}`)
  if (!provided) {
    console.log(`ws://${visible}${servedPath}?token=${token}`)
    say(
      "info",
      "use this URL in TRAWL_CHROME_WS. The token is valid until this process ends; set TRAWL_BROWSER_TOKEN to keep it",
    )
  }
  if (!/^(?:127\.|localhost$|::1$)/.test(hostname)) {
    say("warn", "ws:// is not encrypted: use a reverse proxy with TLS, and wss://")
  }
  manager?.ready()
}

function stopBySignal(end: () => Promise<void>): void {
  const stop = () => {
    for (const signal of signals) process.on(signal, () => process.exit(1))
    void end().then(() => process.exit(0))
  }
  for (const signal of signals) process.once(signal, stop)
}

const signals = ["SIGTERM", "SIGINT"] as const

/** Logs JSON lines for programs, text for people. */
function say(level: "info" | "warn", msg: string): void {
  const line = JSON.stringify({ level, time: new Date().toISOString(), msg })
  console.error(process.stderr.isTTY ? msg : line)
}

function readListen(listen: string): { hostname: string; port: number } {
  const match = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(listen)
  const port = Number(match?.[2])
  if (!match || port > 65_535) {
    throw new ConfigError(
      `--listen must be a host and a port, for example 0.0.0.0:9223, not "${listen}".`,
    )
  }
  return { hostname: match[1]!.replace(/^\[|\]$/g, ""), port }
}

function readTabs(tabs: string | undefined): number | undefined {
  if (tabs === undefined) return undefined
  const count = /^\d{1,3}$/.test(tabs) ? Number(tabs) : 0
  if (count >= 1 && count <= maxTabs) return count
  throw new ConfigError(`--tabs must be from 1 to ${maxTabs}, not "${tabs}".`)
}

function readToken(path: string | undefined, settings: Config): string | undefined {
  if (path === undefined) return settings.browserToken
  const token = contentsOf(path).trim()
  if (isToken(token)) return token
  throw new ConfigError(`--token-file: ${path} must hold ${tokenForm}.`)
}

function contentsOf(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    throw new ConfigError(`--token-file: ${path} cannot be read (${messageOf(error)}).`)
  }
}
