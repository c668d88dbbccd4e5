import { nearest } from "../../base/nearest.ts"
import { secrets, upstreamSetting } from "../../catalogue/kit/index.ts"
import { upstreamTables } from "../../catalogue/site-constants.ts"
import { type Config, ConfigError, settingRows } from "../../config/config.ts"
import { checkedSettings, type Env, otherNames } from "./checked-settings.ts"

/**
 * Returns the settings of this process after checking their names and values.
 * @throws ConfigError with the variable and its accepted values
 */
export function readSettings(env: Env = process.env): Config {
  refuseUnknown(env)
  return checkedSettings(env)
}

/** A misspelt name would otherwise be a setting that is silently not there. */
function refuseUnknown(env: Env): void {
  const ofUpstreams = [
    ...Object.keys(secrets),
    ...upstreamTables.map(({ site }) => upstreamSetting(site)),
  ]
  const known = [...settingRows().map((row) => row.env), ...ofUpstreams]
  for (const name of otherNames(env)) {
    if (ofUpstreams.includes(name)) continue
    const plain = (setting: string) => setting.replace(/^TRAWL_/, "")
    const near = nearest(
      plain(name),
      known.filter((setting) => setting.startsWith("TRAWL_")).map(plain),
    )
    const hint = near
      ? `did you mean TRAWL_${near}?`
      : "`trawl config` lists the settings; unset it."
    throw new ConfigError(`Unknown setting ${name}; ${hint}`)
  }
}
