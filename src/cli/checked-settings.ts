import { accessSync, constants, existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { CallerAddress } from "../accounts/address.ts"
import { messageOf } from "../base/error-message.ts"
import { type Config, ConfigError, loadConfig, settingRows } from "../config.ts"
import { checkChromeArgs } from "../engine/browser/operator-flags.ts"
import { EgressPolicy } from "../engine/egress/policy.ts"
import { isProxyScheme, readProxyRule } from "../engine/http/proxy-rules.ts"

export type Env = Record<string, string | undefined>

/**
 * The settings of this process, with all that can be told of their values before they are used.
 * @throws ConfigError naming the variable, and what it takes.
 */
export function checkedSettings(env: Env): Config {
  const config = loadConfig({ ...env, TRAWL_DATA_DIR: env.TRAWL_DATA_DIR || dataFolder(env) })
  for (const check of checks) check(config)
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

const checks: readonly ((config: Config) => void)[] = [
  ({ baseUrl }) => {
    if (baseUrl === undefined) return
    const url = URL.parse(baseUrl)
    const isRoot = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
    if (isRoot && !url.username) return
    throw new ConfigError(
      `TRAWL_BASE_URL must be the whole public address, as https://trawl.example.com or https://example.com/trawl, not "${baseUrl}".`,
    )
  },
  ({ trustProxy }) => {
    for (const entry of trustProxy) {
      try {
        new CallerAddress([entry])
      } catch {
        throw new ConfigError(
          `TRAWL_TRUST_PROXY takes addresses and CIDRs, as 127.0.0.1 or 10.0.0.0/8, not "${entry}".`,
        )
      }
    }
  },
  ({ egressAllow }) => {
    try {
      new EgressPolicy(egressAllow)
    } catch (error) {
      throw new ConfigError(messageOf(error))
    }
  },
  ({ chrome }) => {
    if (chrome === undefined || isProgram(chrome)) return
    throw new ConfigError(
      `TRAWL_CHROME: ${chrome} is no program that can be started; give the path of Chrome or Chromium, or unset it to have one found.`,
    )
  },
  ({ chromeArgs }) => {
    try {
      checkChromeArgs(chromeArgs)
    } catch (error) {
      throw new ConfigError(`TRAWL_CHROME_ARGS: ${messageOf(error)}`)
    }
  },
  ({ toolsLimitStatus }) => {
    if (toolsLimitStatus === 200 || toolsLimitStatus === 429) return
    throw new ConfigError(`TRAWL_TOOLS_LIMIT_STATUS must be 200 or 429, not ${toolsLimitStatus}.`)
  },
  // Their values hold passwords, and are not repeated.
  ({ proxyUrls }) => {
    for (const [index, entry] of proxyUrls.entries()) {
      try {
        readProxyRule(entry)
      } catch (error) {
        throw new ConfigError(
          `TRAWL_PROXY_URLS: entry ${index + 1} ${messageOf(error)}. It has the form http://user:password@host:port, and may end with #hosts=*.shop.com|shop.org&country=de&sticky=run.`,
        )
      }
    }
  },
  ({ unlockerUrl }) => {
    const form = "http://user:password@host:port"
    urls("TRAWL_UNLOCKER_URL", unlockerUrl ? [unlockerUrl] : [], form)
    const address = unlockerUrl && URL.parse(unlockerUrl)
    if (!address || isProxyScheme(address)) return
    throw new ConfigError(
      `TRAWL_UNLOCKER_URL has the scheme ${address.protocol}//; give a proxy by http:// or https://, as ${form}.`,
    )
  },
  ({ chromeWs }) => urls("TRAWL_CHROME_WS", chromeWs, "ws://host:port/path"),
]

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function urls(name: string, entries: readonly string[], form: string): void {
  const wrong = entries.findIndex((entry) => !URL.parse(entry)?.host)
  if (wrong < 0) return
  const which = entries.length > 1 ? `: entry ${wrong + 1} is no address;` : " is no address;"
  throw new ConfigError(`${name}${which} give it as ${form}.`)
}
