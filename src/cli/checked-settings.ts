import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Config, loadConfig, settingRows } from "../config.ts"
import { checkSettings } from "../engine/ops/settings/checks.ts"

export type Env = Record<string, string | undefined>

/**
 * The settings of this process, with all that can be told of their values before they are used.
 * @throws ConfigError naming the variable, and what it takes.
 */
export function checkedSettings(env: Env): Config {
  const config = loadConfig({ ...env, TRAWL_DATA_DIR: env.TRAWL_DATA_DIR || dataFolder(env) })
  checkSettings(config)
  return config
}

/** Kubernetes tells each pod of a Service called trawl by variables of such names. */
const serviceLink = /^TRAWL_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/

/** What is set under our name and is no setting: an upstream's key or table, or a mistake. */
export function otherNames(env: Env): string[] {
  const known = settingRows().map((row) => row.env)
  return Object.keys(env).filter(
    (name) =>
      env[name] && name.startsWith("TRAWL_") && !serviceLink.test(name) && !known.includes(name),
  )
}

/**
 * Beside the working directory, unless that is the root, as it is of a systemd unit without one: then
 * in the folder that the unit is given for its state, or that of the user.
 */
function dataFolder({ STATE_DIRECTORY: state, XDG_DATA_HOME: home }: Env): string | undefined {
  if (existsSync("trawl-data")) return undefined
  // systemd joins several by colons.
  if (state) return state.split(":")[0]
  return home && process.cwd() === "/" ? join(home, "trawl") : undefined
}
