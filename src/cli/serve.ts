import type { Command } from "commander"
import { type App, startApp } from "../app/app.ts"
import { ServiceManager } from "../base/service-manager.ts"
import type { Config } from "../config/config.ts"
import { checkedSettings, otherNames } from "./common/checked-settings.ts"
import { inWords } from "./log-lines.ts"

/** Running targets have this long to end before the process does. */
const graceMs = 30_000

/** `trawl serve`, and `trawl` alone. */
export function registerServe(program: Command): void {
  program
    .command("serve", { isDefault: true })
    .description("Serve Trawl over HTTP (the default command)")
    .action(serve)
}

/** JSON lines for programs, words for people. */
async function serve(): Promise<void> {
  const manager = ServiceManager.of(process.env)
  const app = await startApp(await settings(), process.stderr.isTTY ? inWords : undefined)
  stopBySignal(app, manager)
  manager?.ready()
}

/** Reads the settings. Scrapers define the names of site constants, so they are loaded if one may be set. */
async function settings(): Promise<Config> {
  if (otherNames(process.env).length === 0) return checkedSettings(process.env)
  const { readSettings } = await import("./common/settings.ts")
  return readSettings()
}

function stopBySignal(app: App, manager: ServiceManager | undefined): void {
  const stop = () => {
    manager?.stopping()
    // A second signal ends at once what the first one did not.
    for (const signal of signals) process.on(signal, () => process.exit(1))
    void app.stop(graceMs).then(() => process.exit(0))
  }
  for (const signal of signals) process.once(signal, stop)
}

const signals = ["SIGTERM", "SIGINT"] as const
