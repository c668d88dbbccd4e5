import { dirname, join } from "node:path"
import { messageOf } from "../../../base/error-message.ts"
import { parseJson } from "../../../base/json-text.ts"
import { secondMs } from "../../../base/time.ts"
import {
  type TableValues,
  type UpstreamTable,
  upstreamSetting,
} from "../../../catalogue/kit/index.ts"
import { layOver } from "./override.ts"
import { fileMark, overridesName, readOverrides } from "./overrides-file.ts"
import { type PublishedTables, publishedName } from "./published.ts"
import { heldTables } from "./published-files.ts"

/** Interval for checking the file for changes. */
const lookAgainMs = secondMs
/** Minimum interval between two reports of a table's success. */
const repeatWarningMs = 60 * secondMs

export type Origin = "published" | "file" | "environment"

/** A table in use. */
export interface TableInForce {
  values: TableValues
  /** Sources of the values that are not the compiled ones, by path. */
  origins: Record<string, Origin>
  /** Issues of the overrides, as sentences; an override with issues is not used. */
  issues: string[]
}

/** The operator's file and its valid part, as plain data. */
export interface UpstreamOverrides {
  /** Path of upstreams.json; undefined if no file is read. */
  path?: string
  /** The last valid overrides by site, used while the file is broken. */
  good?: Record<string, unknown>
}

export interface UpstreamsOptions extends UpstreamOverrides {
  env: Record<string, string | undefined>
  now(): number
}

/**
 * The site constants (kit/upstream.ts), overridden by newer published ones, the operator's file and
 * settings. The file is read again when it changes; an override with issues leaves the previous one
 * in use.
 */
export class Upstreams {
  private mark: string | undefined
  private lookedAt = Number.NEGATIVE_INFINITY
  private read: ReturnType<typeof readOverrides> = { bySite: {}, issue: null, changedAt: null }
  private published: PublishedTables | null = null
  private readonly inForce = new Map<string, TableInForce>()
  /** Valid overrides in the file, by site. */
  readonly good: Record<string, unknown>
  private readonly notifiedAt = new Map<string, number>()

  constructor(private readonly options: UpstreamsOptions) {
    this.good = { ...options.good }
  }

  values<T extends TableValues>(table: UpstreamTable<T>): T {
    return this.table(table).values as T
  }

  table(table: UpstreamTable): TableInForce {
    this.look()
    let known = this.inForce.get(table.site)
    if (!known) {
      known = this.laid(table)
      this.inForce.set(table.site, known)
    }
    return known
  }

  /** Time of the last change of upstreams.json in milliseconds; null without a file. */
  get fileChangedAt(): number | null {
    this.look()
    return this.read.changedAt
  }

  /** Sequence number of the published tables in use; 0 without any. */
  get publishedSequence(): number {
    this.look()
    return this.published?.sequence ?? 0
  }

  /** Issues of the file as a whole, and sites without a table. */
  fileIssues(sites: readonly string[]): string[] {
    this.look()
    if (this.read.issue) return [`${overridesName} ${this.read.issue}`]
    return Object.keys(this.read.bySite)
      .filter((site) => !sites.includes(site))
      .map((site) => `${overridesName}: there is no table "${site}".`)
  }

  /** Whether a success of this table should be reported: at most once a minute. */
  isNews(site: string): boolean {
    const now = this.options.now()
    if (now - (this.notifiedAt.get(site) ?? Number.NEGATIVE_INFINITY) < repeatWarningMs)
      return false
    this.notifiedAt.set(site, now)
    return true
  }

  private look(): void {
    const now = this.options.now()
    if (now - this.lookedAt < lookAgainMs) return
    this.lookedAt = now
    const { path } = this.options
    const publishedPath = path && join(dirname(path), publishedName)
    const mark = `${fileMark(path)} | ${fileMark(publishedPath)}`
    if (mark === this.mark) return
    this.mark = mark
    this.read = readOverrides(path)
    this.published = publishedPath ? heldTables(publishedPath) : null
    this.inForce.clear()
  }

  private laid(table: UpstreamTable): TableInForce {
    const { site } = table
    const laid: TableInForce = { values: table.values, origins: {}, issues: [] }
    const published = this.published?.tables[site]
    // A newer version of Trawl may have newer compiled values.
    if (published && published.asOf >= table.asOf) {
      this.lay(table, published.values, "published", laid)
    }
    const fromFile = this.read.issue ? this.good[site] : this.read.bySite[site]
    if (fromFile === undefined) {
      delete this.good[site]
    } else if (this.lay(table, fromFile, "file", laid)) {
      this.good[site] = fromFile
    } else if (this.good[site] !== undefined) {
      this.lay(table, this.good[site], "file", laid)
    }
    const name = upstreamSetting(site)
    const text = this.options.env[name]
    if (!text) return laid
    try {
      this.lay(table, parseJson(text), "environment", laid)
    } catch (error) {
      laid.issues.push(`${name} is not valid JSON: ${messageOf(error)}.`)
    }
    return laid
  }

  /** Applies an override; returns whether it is valid. */
  private lay(
    table: UpstreamTable,
    override: unknown,
    origin: Origin,
    laid: TableInForce,
  ): boolean {
    const { values, provided, issues } = layOver(table, laid.values, override)
    for (const { path, sentence } of issues) {
      const setting = upstreamSetting(table.site)
      const named =
        origin !== "environment"
          ? `${origin === "file" ? overridesName : publishedName}: ${[table.site, path].filter(Boolean).join(".")}`
          : [setting, path].filter(Boolean).join(": ")
      laid.issues.push(`${named} ${sentence}`)
    }
    if (issues.length > 0) return false
    laid.values = values
    for (const path of provided) laid.origins[path] = origin
    return true
  }
}
