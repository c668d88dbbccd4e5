import { accessSync, constants, statSync } from "node:fs"
import ipaddr from "ipaddr.js"
import { messageOf } from "../../../base/error-message.ts"
import { type Config, ConfigError } from "../../../config/config.ts"
import { checkChromeArgs } from "../../net/browser/chrome/operator-flags.ts"
import { isCdpElsewhere, readRemoteAddress } from "../../net/browser/lease/remote-addresses.ts"
import { isToken, tokenForm } from "../../net/browser/served/token.ts"
import { EgressPolicy } from "../../net/egress/policy.ts"
import { S3Storage } from "../../net/files/s3-storage.ts"
import { isProxyScheme, readProxyRule } from "../../net/http/proxy-rules.ts"
import { readRateLimit } from "../../net/rate-limits/configured-limits.ts"
import { positionOf } from "../backups/storage-of.ts"
import { mailServerOf } from "../notifications/mailer.ts"

/** Validates settings as far as possible before use. @throws ConfigError */
export function checkSettings(config: Config): void {
  for (const check of checks) check(config)
}

const addressForm = /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i

const isAddressOrRange = (entry: string) =>
  entry.includes("/") ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)

const checks: readonly ((config: Config) => void)[] = [
  ({ baseUrl }) => {
    if (baseUrl === undefined) return
    const url = URL.parse(baseUrl)
    const isRoot = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash
    if (isRoot && !url.username) return
    throw new ConfigError(
      `TRAWL_BASE_URL must be the complete public URL, for example https://trawl.example.com or https://example.com/trawl, not "${baseUrl}".`,
    )
  },
  ({ databaseUrl, backupTo }) => {
    if (databaseUrl === undefined) return
    const url = /^postgres(?:ql)?:\/\//.test(databaseUrl) ? URL.parse(databaseUrl) : null
    if (!url?.hostname || url.pathname.length < 2) {
      throw new ConfigError(
        "TRAWL_DATABASE_URL must be the URL of a PostgreSQL database, for example postgres://trawl:secret@db:5432/trawl.",
      )
    }
    if (backupTo !== undefined) {
      throw new ConfigError(
        "TRAWL_BACKUP_TO applies to the SQLite database in the data folder. Back up the PostgreSQL database of TRAWL_DATABASE_URL with its own tools.",
      )
    }
  },
  ({ processUrl }) => {
    if (processUrl === undefined || /^https?:$/.test(URL.parse(processUrl)?.protocol ?? "")) return
    throw new ConfigError(
      `TRAWL_PROCESS_URL must be the URL of this process, for example http://10.0.0.7:8080, not "${processUrl}".`,
    )
  },
  ({ trustProxy }) => {
    for (const entry of trustProxy) {
      if (!isAddressOrRange(entry)) {
        throw new ConfigError(
          `TRAWL_TRUST_PROXY must contain IP addresses and CIDRs, for example 127.0.0.1 or 10.0.0.0/8, not "${entry}".`,
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
      `TRAWL_CHROME: ${chrome} is not an executable file. Set it to the path of Chrome or Chromium, or unset it to find one automatically.`,
    )
  },
  ({ chromeDownloadUrl }) => {
    if (
      chromeDownloadUrl === "never" ||
      /^https?:$/.test(URL.parse(chromeDownloadUrl)?.protocol ?? "")
    )
      return
    throw new ConfigError(
      `TRAWL_CHROME_DOWNLOAD_URL must be the URL of a mirror of Chrome for Testing, or "never", not "${chromeDownloadUrl}".`,
    )
  },
  ({ chromeArgs }) => {
    try {
      checkChromeArgs(chromeArgs)
    } catch (error) {
      throw new ConfigError(`TRAWL_CHROME_ARGS: ${messageOf(error)}`)
    }
  },
  ({ backupTo, env }) => {
    if (backupTo !== undefined) positionOf({ backupTo, env })
  },
  ({ s3Bucket, env }) => {
    if (s3Bucket !== undefined) S3Storage.of(s3Bucket, env)
  },
  ({ toolsLimitStatus }) => {
    if (toolsLimitStatus === 200 || toolsLimitStatus === 429) return
    throw new ConfigError(`TRAWL_TOOLS_LIMIT_STATUS must be 200 or 429, not ${toolsLimitStatus}.`)
  },
  ({ hostRateLimits }) => {
    try {
      readRateLimit(hostRateLimits)
    } catch (error) {
      throw new ConfigError(`TRAWL_HOST_RATE_LIMITS ${messageOf(error)}.`)
    }
  },
  // The values contain passwords, so they are not repeated.
  ({ proxyUrls }) => {
    for (const [index, entry] of proxyUrls.entries()) {
      try {
        readProxyRule(entry)
      } catch (error) {
        throw new ConfigError(
          `TRAWL_PROXY_URLS: entry ${index + 1} ${messageOf(error)}. Use the form http://user:password@host:port, optionally followed by #hosts=*.shop.com|shop.org&country=de&sticky=run.`,
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
      `TRAWL_UNLOCKER_URL has the scheme ${address.protocol}//; use a proxy with http:// or https://, for example ${form}.`,
    )
  },
  ({ smtpUrl }) => {
    if (smtpUrl !== undefined) mailServerOf(smtpUrl)
  },
  ({ smtpFrom }) => {
    if (smtpFrom === undefined || /^(?:[^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(smtpFrom)) return
    throw new ConfigError(
      `TRAWL_SMTP_FROM must be an email address, for example Trawl <trawl@example.com>, not "${smtpFrom}".`,
    )
  },
  ({ smtpTo }) => {
    const wrong = smtpTo.find((entry) => entry !== "*" && !/^[^\s@]*@[^\s@]+$/.test(entry))
    if (wrong === undefined) return
    throw new ConfigError(
      `TRAWL_SMTP_TO must contain email addresses, domains such as @example.com, or *, not "${wrong}".`,
    )
  },
  ({ metricsToken }) => {
    if (metricsToken === undefined || metricsToken.length >= 16) return
    throw new ConfigError("TRAWL_METRICS_TOKEN must have at least 16 characters.")
  },
  ({ metricsAddress }) => {
    if (metricsAddress === undefined) return
    if (addressForm.test(metricsAddress) && URL.canParse(`http://${metricsAddress}`)) return
    throw new ConfigError(
      `TRAWL_METRICS_ADDRESS must be an IP address and a port, for example 127.0.0.1:9090, not "${metricsAddress}".`,
    )
  },
  ({ otlpEndpoint }) => {
    if (otlpEndpoint === undefined || /^https?:$/.test(URL.parse(otlpEndpoint)?.protocol ?? "")) {
      return
    }
    throw new ConfigError(
      `TRAWL_OTLP_ENDPOINT must be the URL of a collector, for example http://127.0.0.1:4318, not "${otlpEndpoint}".`,
    )
  },
  ({ llmUrl, llmModel }) => {
    if (llmUrl === undefined) return
    const url = URL.parse(llmUrl)
    if (!url || !/^https?:$/.test(url.protocol) || url.username) {
      throw new ConfigError(
        `TRAWL_LLM_URL must be the URL of a chat completions server, for example http://127.0.0.1:11434/v1.`,
      )
    }
    if (!llmModel)
      throw new ConfigError("TRAWL_LLM_URL is set, so TRAWL_LLM_MODEL must name the model.")
  },
  ({ chromeWs, proxyUrls }) => {
    for (const [index, entry] of chromeWs.entries()) {
      try {
        const address = readRemoteAddress(entry)
        if (proxyUrls.length > 0 && isCdpElsewhere(address)) throw new Error(cannotProxy)
      } catch (error) {
        const which = chromeWs.length > 1 ? `: entry ${index + 1}` : ""
        throw new ConfigError(`TRAWL_CHROME_WS${which} ${messageOf(error)}`)
      }
    }
  },
  ({ browserToken }) => {
    if (browserToken === undefined || isToken(browserToken)) return
    throw new ConfigError(`TRAWL_BROWSER_TOKEN must have ${tokenForm}.`)
  },
]

const cannotProxy =
  "is a CDP endpoint on another machine, whose pages cannot use TRAWL_PROXY_URLS. Run `trawl browser serve` with TRAWL_PROXY_URLS on that machine, or set only one of the two."

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
  const which = entries.length > 1 ? `: entry ${wrong + 1}` : ""
  throw new ConfigError(`${name}${which} is not a valid URL; use ${form}.`)
}
