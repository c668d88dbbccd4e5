import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Config, loadConfig, settingRows } from "../../config/config.ts"
import { checkSettings } from "../../engine/ops/settings/checks.ts"

export type Env = Record<string, string | undefined>

/**
 * Returns the settings of this process after checking their values.
 * @throws ConfigError with the variable and its accepted values
 */
export function checkedSettings(env: Env): Config {
  const config = loadConfig({ ...env, TRAWL_DATA_DIR: env.TRAWL_DATA_DIR || dataFolder(env) })
  checkSettings(config)
  return config
}

/** Variables that Kubernetes sets for a Service called trawl. */
const serviceLink = /^TRAWL_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP))/

/** Returns set TRAWL_ variables that are not settings: keys and constants of sites, or mistakes. */
export function otherNames(env: Env): string[] {
  const known = settingRows().map((row) => row.env)
  return Object.keys(env).filter(
    (name) =>
      env[name] && name.startsWith("TRAWL_") && !serviceLink.test(name) && !known.includes(name),
  )
}

/**
 * Returns the default data folder. In the root directory, for example of a systemd unit, it is the state
 * folder of the unit or the data folder of the user.
 */
function dataFolder({ STATE_DIRECTORY: state, XDG_DATA_HOME: home }: Env): string | undefined {
  if (existsSync("trawl-data")) return undefined
  // systemd separates several by colons.
  if (state) return state.split(":")[0]
  return home && process.cwd() === "/" ? join(home, "trawl") : undefined
}
