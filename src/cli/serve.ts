import type { Command } from "commander"
import { startApp } from "../app.ts"
import { loadConfig } from "../config.ts"

/** Running targets have this long to end before the process does. */
const graceMs = 30_000

/** `trawl serve`, and `trawl` alone. */
export function registerServe(program: Command): void {
  program
    .command("serve", { isDefault: true })
    .description("serve Trawl over HTTP (the default)")
    .action(serve)
}

async function serve(): Promise<void> {
  const app = await startApp(loadConfig(process.env))
  const stop = () => {
    // A second signal ends at once what the first one did not.
    for (const signal of signals) process.on(signal, () => process.exit(1))
    app.stop(graceMs).then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of signals) process.once(signal, stop)
}

const signals = ["SIGTERM", "SIGINT"] as const
