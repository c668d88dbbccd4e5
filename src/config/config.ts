import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { changeable, secretSettings, settings } from "./settings.ts"

const schema = Type.Object(settings)
/** The checked settings, and the whole environment for upstream tokens that scrapers name. */
export type Config = Static<typeof schema> & { env: Record<string, string | undefined> }

/** A setting that cannot be used; the message names its variable. */
export class ConfigError extends Error {}

function parse(name: string, field: TSchema, value: string): unknown {
  if (field.type === "integer") {
    const number = Number(value)
    if (value.trim() !== "" && Number.isInteger(number)) return number
    throw new ConfigError(`${name} must be ${valuesOf(field)}, not "${value}".`)
  }
  if (field.type === "boolean") {
    if (value === "true" || value === "false") return value === "true"
    throw new ConfigError(`${name} must be true or false, not "${value}".`)
  }
  if (field.type === "array") {
    return value
      .split(field.separator ? new RegExp(field.separator) : ",")
      .map((part) => part.trim())
      .filter(Boolean)
  }
  return value
}

/** Returns the valid values of a setting: "an integer from 0 to 65535". */
function valuesOf({ anyOf, type, minimum, maximum, pattern }: TSchema): string {
  if (anyOf) return `one of ${anyOf.map((option: TSchema) => option.const).join(", ")}`
  if (type !== "integer") return pattern ? `a text that matches ${pattern}` : `a ${type}`
  if (maximum !== undefined) return `an integer from ${minimum ?? 0} to ${maximum}`
  return minimum === undefined ? "an integer" : `an integer of at least ${minimum}`
}

/** Reads the settings from an environment. An empty variable counts as unset. @throws ConfigError */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const provided: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(settings)) {
    const name = (field as TSchema).env as string
    const value = env[name]
    if (value) provided[key] = parse(name, field, value)
  }
  const config = Value.Default(schema, provided)
  const error = Value.Errors(schema, config).First()
  if (error) {
    const field = settings[error.path.slice(1) as keyof typeof settings] as TSchema | undefined
    const wanted = field ? valuesOf(field) : error.message.toLowerCase()
    throw new ConfigError(
      `${field?.env ?? error.path} must be ${wanted}, not "${String(error.value)}".`,
    )
  }
  return { ...(config as Static<typeof schema>), env }
}

/** Returns the public root URL: TRAWL_BASE_URL, or the URL of the server. */
export function publicRoot(config: Config, port: number): string {
  return (config.baseUrl ?? localRoot(config, port)).replace(/\/+$/, "")
}

/** Returns the URL of the service on this machine. */
export function localRoot({ host }: Pick<Config, "host">, port: number): string {
  return `http://${ownHost(host)}:${port}`
}

/** Returns a host as URLs contain it; localhost for a server that listens on all interfaces. */
function ownHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost"
  return host.includes(":") ? `[${host}]` : host
}

/** Returns the path of the public root URL without a trailing slash. */
export function basePath(config: Pick<Config, "baseUrl">): string {
  return config.baseUrl ? new URL(config.baseUrl).pathname.replace(/\/+$/, "") : ""
}

export interface SettingRow {
  key: keyof typeof settings
  env: string
  fallback: string
  description: string
  /** Whether administrators can change it while the service runs. */
  changeable: boolean
  isSecret: boolean
}

/** Returns one row per setting, for `trawl config` and the README. */
export function settingRows(): SettingRow[] {
  return Object.entries(settings).map(([name, field]) => {
    const { env, default: fallback, description } = field as TSchema
    const key = name as SettingRow["key"]
    const visible = fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)
    return {
      key,
      env: env as string,
      fallback: visible ? "" : String(fallback),
      description: description ?? "",
      changeable: changeable.includes(key),
      isSecret: secretSettings.includes(key),
    }
  })
}
