import { defaultSchema } from "../model/options.ts"
import { DestinationError, type Row } from "../model/sink.ts"
import type { DatabaseConnection } from "./connect.ts"
import { columnOf, ownColumns, quoted } from "./names.ts"
import { type ColumnType, cast, holds, isColumnType, typeOf, widened } from "./types.ts"

/**
 * Maximum columns of fields. With more, a row of long texts would not fit into a PostgreSQL page.
 */
export const maxColumns = 400

interface Wanted {
  field: string
  type: ColumnType
}

/** A table that grows with the fields of the items. */
export class ItemTable {
  readonly name: string
  /** Types by column, in the server's notation. */
  private readonly columns = new Map<string, string>()
  /** Columns that could not be added or widened. */
  private readonly fixed = new Set<string>()
  private notes: string[] = []

  constructor(
    private readonly connection: DatabaseConnection,
    private readonly target: { table: string; schema?: string | undefined },
  ) {
    this.name = `${quoted(target.schema ?? defaultSchema)}.${quoted(target.table)}`
  }

  /**
   * Creates the table if it is missing. @throws DestinationError if it is a table of another
   * program
   */
  async prepare(): Promise<void> {
    await this.read()
    if (this.columns.size === 0) {
      await this.lock()
      const { key, run, at, rest } = ownColumns
      await this.connection.query(
        `CREATE TABLE IF NOT EXISTS ${this.name} (${key} text PRIMARY KEY, ${run} text NOT NULL, ${at} timestamptz NOT NULL, ${rest} jsonb)`,
      )
      await this.read()
    }
    this.requireOwn()
  }

  /** Checks a table that may be missing. @throws DestinationError if it is a table of another program */
  async checkOwner(): Promise<void> {
    await this.read()
    if (this.columns.size > 0) this.requireOwn()
  }

  private requireOwn(): void {
    const missing = Object.values(ownColumns).find((column) => !this.columns.has(column))
    if (missing === undefined) return
    throw new DestinationError(
      `The table ${this.target.table} was not created by Trawl: it has no column ${missing}. Choose another table.`,
    )
  }

  /** Adds and widens columns for the values of rows; returns the changes. */
  async fit(rows: readonly Row[]): Promise<string[]> {
    this.notes = []
    const changes = this.changesFor(rows)
    if (changes.length > 0) {
      await this.lock()
      await this.read()
      for (const change of this.changesFor(rows)) await this.change(change)
    }
    return this.notes
  }

  /**
   * Returns the column of a value with its type; undefined if the value goes into the rest column.
   */
  positionOf(field: string, value: unknown): { column: string; type: string } | undefined {
    const column = columnOf(field)
    const type = this.columns.get(column)
    const own = typeOf(value)
    if (type === undefined || (own !== undefined && !holds(type, own))) return undefined
    return { column, type }
  }

  private changesFor(rows: readonly Row[]): Wanted[] {
    const wanted = new Map<string, Wanted>()
    for (const row of rows) {
      for (const [field, value] of Object.entries(row)) {
        const type = typeOf(value)
        if (type === undefined) continue
        const before = wanted.get(field)
        if (before?.type !== type) {
          wanted.set(field, { field, type: before ? widened(before.type, type) : type })
        }
      }
    }
    let left = maxColumns - (this.columns.size - Object.keys(ownColumns).length)
    return [...wanted.values()].filter(({ field, type }) => {
      const column = columnOf(field)
      if (this.fixed.has(column)) return false
      const current = this.columns.get(column)
      if (current !== undefined) return !holds(current, type)
      if (left-- > 0) return true
      this.note(`Fields after the first ${maxColumns} are in ${ownColumns.rest}.`)
      return false
    })
  }

  private async change({ field, type }: Wanted): Promise<void> {
    const column = columnOf(field)
    const current = this.columns.get(column)
    const name = quoted(column)
    const target = current === undefined || !isColumnType(current) ? type : widened(current, type)
    const sql =
      current === undefined
        ? `ADD COLUMN ${name} ${type}`
        : `ALTER COLUMN ${name} TYPE ${target} USING ${cast(name, current, target)}`
    await this.connection.query("SAVEPOINT change")
    try {
      await this.connection.query(`ALTER TABLE ${this.name} ${sql}`)
      await this.connection.query("RELEASE SAVEPOINT change")
    } catch (error) {
      await this.connection.query("ROLLBACK TO SAVEPOINT change")
      if (isTransient(error)) throw error
      this.fixed.add(column)
      this.note(`${brief(field)} is in ${ownColumns.rest}: ${(error as Error).message}`)
      return
    }
    this.columns.set(column, target)
    if (current !== undefined) this.note(`${brief(field)} was ${current}, and is ${target} now.`)
    else if (column !== field) this.note(`${brief(field)} is in the column ${column}.`)
  }

  private note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text)
  }

  /** Locks the table against other deliveries, because its columns change. */
  private async lock(): Promise<void> {
    await this.connection.query("SELECT pg_advisory_xact_lock(hashtext($1))", [this.name])
  }

  private async read(): Promise<void> {
    const rows = await this.connection.query<{ name: string; type: string }>(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped`,
      [this.name],
    )
    this.columns.clear()
    for (const { name, type } of rows) this.columns.set(name, type)
  }
}

/** The server ended the transaction, or it waited too long for a lock: a later attempt may succeed. */
function isTransient(error: unknown): boolean {
  const { errno } = error as { errno?: unknown }
  return typeof errno !== "string" || /^(?:55P03|57014|40...|08...|57P..|53...|25P02)$/.test(errno)
}

const brief = (field: string) => `"${field.length > 60 ? `${field.slice(0, 59)}…` : field}"`
