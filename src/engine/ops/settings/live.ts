import { type Config, ConfigError, loadConfig, settingRows } from "../../../config/config.ts"
import { type SettingRow, storedSettings } from "../../../store/settings/settings.ts"
import type { OwnStore } from "../../../store/store.ts"
import { KeyLost } from "../../../store/upkeep/secret-box.ts"
import { checkSettings } from "./checks.ts"

type Env = Config["env"]

/** Source of a setting's value. */
export type Source = "environment" | "database" | "default"

const rows = settingRows()

/**
 * The settings of the running service. `config` is shared by all its parts and changes in place.
 * Administrators' changes are stored in the database; values in the environment take precedence.
 */
export class LiveSettings {
  /** Stored values by variable name. */
  private stored: Env = {}
  private readonly environment: Env
  private readonly listeners: (() => void)[] = []
  /** Fingerprint of the database's values at the last read. */
  private mark = "[]"

  private constructor(
    readonly config: Config,
    private readonly store: Pick<OwnStore, "db" | "secrets" | "write">,
    private readonly onLost: (message: string) => void,
  ) {
    this.environment = { ...config.env }
  }

  /**
   * Applies the stored settings to the config. `onLost` is called for values that cannot be
   * decrypted.
   */
  static async open(
    config: Config,
    store: Pick<OwnStore, "db" | "secrets" | "write">,
    onLost: (message: string) => void = () => {},
  ): Promise<LiveSettings> {
    const live = new LiveSettings(config, store, onLost)
    await live.reload()
    return live
  }

  /** Reads the settings again, because another process may have changed them. */
  async reload(): Promise<void> {
    const rows = await storedSettings(this.store.db)
    const mark = JSON.stringify(rows)
    if (mark === this.mark) return
    this.mark = mark
    const stored: Env = {}
    for (const row of rows) {
      const value = this.opened(row)
      if (value === undefined) {
        this.onLost(
          `The setting ${row.name} is encrypted with a lost key and is ignored. Set it again.`,
        )
      } else stored[row.name] = value
    }
    if (Bun.deepEquals(stored, this.stored)) return
    try {
      const config = this.checked(stored)
      this.stored = stored
      this.apply(config)
    } catch (error) {
      // A value that an earlier version accepted must not prevent the start.
      if (!(error instanceof ConfigError)) throw error
      this.onLost(`The settings in the database are ignored: ${error.message}`)
    }
  }

  /** Calls `listener` after each change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener)
  }

  sourceOf(name: string): Source {
    if (this.environment[name]) return "environment"
    return this.stored[name] === undefined ? "default" : "database"
  }

  valueOf(name: string): string | undefined {
    return this.environment[name] || this.stored[name]
  }

  /** Names of the settings in the database. */
  get storedNames(): string[] {
    return Object.keys(this.stored)
  }

  /** Sets a setting to a value in the format of its variable. @throws ConfigError */
  async set(name: string, value: string, isSecret: boolean): Promise<void> {
    this.requireFree(name)
    const next = { ...this.stored, [name]: value }
    const config = this.checked(next)
    await this.store.write("settings.keep", {
      name,
      value: isSecret ? this.store.secrets.close(value, positionOf(name)) : value,
      encrypted: isSecret ? 1 : 0,
      changed_at: new Date().toISOString(),
    })
    this.stored = next
    this.apply(config)
  }

  /** Resets a setting to the environment's value or the default. @throws ConfigError */
  async unset(name: string): Promise<void> {
    const { [name]: _, ...next } = this.stored
    const config = this.checked(next)
    await this.store.write("settings.drop", { name })
    this.stored = next
    this.apply(config)
  }

  private requireFree(name: string): void {
    if (this.sourceOf(name) !== "environment") return
    throw new ConfigError(
      `${name} is set in the environment, which takes precedence. Change it there.`,
    )
  }

  private checked(stored: Env): Config {
    const set = Object.entries(this.environment).filter(([, value]) => value)
    const config = loadConfig({ ...stored, ...Object.fromEntries(set) })
    checkSettings(config)
    return config
  }

  /** Changes the config in place, so that all its users see the change. */
  private apply(next: Config): void {
    const { config } = this
    for (const { key, changeable } of rows) {
      if (changeable) Object.assign(config, { [key]: next[key] })
    }
    for (const name of Object.keys(config.env)) if (!(name in next.env)) delete config.env[name]
    Object.assign(config.env, next.env)
    for (const listener of this.listeners) listener()
  }

  private opened({ name, value, encrypted }: SettingRow): string | undefined {
    if (encrypted === 0) return value
    try {
      return this.store.secrets.open(value, positionOf(name))
    } catch (error) {
      if (error instanceof KeyLost) return undefined
      throw error
    }
  }
}

const positionOf = (name: string) => `setting ${name}`
