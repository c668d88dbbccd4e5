import { createHash } from "node:crypto"
import { valueAt } from "../../../../base/own-fields.ts"
import type { ItemPosition } from "../../../../store/runs/items.ts"
import type { EgressFilter } from "../../../net/egress/filter.ts"
import { type DestinationOptions, type DestinationSecret, defaultSchema } from "../model/options.ts"
import {
  type DeliveredItem,
  type Delivering,
  DestinationError,
  type Part,
  type Sink,
} from "../model/sink.ts"
import { DatabaseConnection } from "./connect.ts"
import { ownColumns, quoted } from "./names.ts"
import { ItemTable } from "./table.ts"
import { storable } from "./types.ts"

/** Table in the destination's schema with the position of each run. */
const checkpoints = "trawl_checkpoints"
/** Days after which a position is no longer needed. */
const checkpointDays = 60
/**
 * Maximum characters of a key; longer ones are replaced by their hash, because an index refuses
 * them.
 */
const maxKey = 500

/**
 * Delivers parts as rows. The position is written in the same transaction, so that each item is
 * stored exactly once, even if the service or the database crashes.
 */
export class PostgresSink implements Sink {
  readonly bounds = { items: 500, characters: 2_000_000 }
  private readonly table: ItemTable
  private readonly checkpoints: string
  private readonly uniqueBy: readonly string[]

  private constructor(
    private readonly connection: DatabaseConnection,
    options: DestinationOptions,
    private readonly delivering: Delivering,
  ) {
    const { table = "", schema } = options
    this.table = new ItemTable(connection, { table, schema })
    this.checkpoints = `${quoted(schema ?? defaultSchema)}.${quoted(checkpoints)}`
    const ofRun = delivering.run.unique_by
    this.uniqueBy = options.uniqueBy ?? (ofRun === null ? [] : JSON.parse(ofRun))
  }

  static async open(
    egress: EgressFilter,
    options: DestinationOptions,
    secret: DestinationSecret,
    delivering: Delivering,
  ): Promise<PostgresSink> {
    const connection = await DatabaseConnection.open(secret.url ?? "", egress)
    const sink = new PostgresSink(connection, options, delivering)
    try {
      await sink.prepare()
      return sink
    } catch (error) {
      await sink.close()
      throw error
    }
  }

  private async prepare(): Promise<void> {
    await this.connection.transaction(async () => {
      await this.table.prepare()
      await this.prepareCheckpoints()
    })
  }

  private async prepareCheckpoints(): Promise<void> {
    const { connection } = this
    const { destination, delivery } = this.delivering
    const [known] = await connection.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [
      this.checkpoints,
    ])
    if (!known) {
      await connection.query("SELECT pg_advisory_xact_lock(hashtext($1))", [this.checkpoints])
      await connection.query(
        `CREATE TABLE IF NOT EXISTS ${this.checkpoints} (delivery_id text PRIMARY KEY, destination_id text NOT NULL, target bigint NOT NULL, item bigint NOT NULL, items bigint NOT NULL, updated_at timestamptz NOT NULL)`,
      )
    }
    await connection.query(
      `INSERT INTO ${this.checkpoints} VALUES ($1, $2, -1, -1, 0, now()) ON CONFLICT DO NOTHING`,
      [delivery.id, destination.id],
    )
    await connection.query(
      `DELETE FROM ${this.checkpoints} WHERE destination_id = $1 AND updated_at < now() - interval '${checkpointDays} days'`,
      [destination.id],
    )
  }

  async recorded(): Promise<{ position: ItemPosition; items: number } | undefined> {
    return this.readPosition("")
  }

  private async readPosition(lock: "" | "FOR UPDATE") {
    const [row] = await this.connection.query<Record<"target" | "item" | "items", string>>(
      `SELECT target, item, items FROM ${this.checkpoints} WHERE delivery_id = $1 ${lock}`,
      [this.delivering.delivery.id],
    )
    if (!row) return undefined
    const position = { seq: Number(row.target), idx: Number(row.item) }
    return { position, items: Number(row.items) }
  }

  async put({ from, to, items }: Part): Promise<string[]> {
    return this.connection.transaction(async () => {
      const recorded = await this.readPosition("FOR UPDATE")
      const { position } = recorded ?? {}
      if (!position) throw new DestinationError(`The table ${checkpoints} has lost its row.`)
      const isFirst = position.seq === -1 && position.idx === -1
      if (!isFirst && (position.seq !== from.seq || position.idx !== from.idx)) {
        throw new DestinationError(
          "Another process has delivered items of the run in the meantime.",
        )
      }
      const notes = await this.store(items)
      await this.connection.query(
        `UPDATE ${this.checkpoints} SET target = $2, item = $3, items = items + $4, updated_at = now() WHERE delivery_id = $1`,
        [this.delivering.delivery.id, to.seq, to.idx, items.length],
      )
      return notes
    })
  }

  private async store(items: readonly DeliveredItem[]): Promise<string[]> {
    const byKey = new Map<string, DeliveredItem["row"]>()
    const notes = new Set<string>()
    for (const item of items) {
      const key = this.keyOf(item)
      if (key.note) notes.add(key.note)
      byKey.set(key.text, item.row)
    }
    for (const note of await this.table.fit([...byKey.values()])) notes.add(note)
    const types = new Map<string, string>([
      [ownColumns.key, "text"],
      [ownColumns.run, "text"],
      [ownColumns.rest, "jsonb"],
    ])
    const records = [...byKey].map(([key, row]) => {
      const record: Record<string, unknown> = {
        [ownColumns.key]: key,
        [ownColumns.run]: this.delivering.run.id,
      }
      const rest: Record<string, unknown> = {}
      for (const [field, value] of Object.entries(row)) {
        const position = this.table.positionOf(field, value)
        if (position) {
          types.set(position.column, position.type)
          record[position.column] = storable(value)
        } else if (value !== null && value !== undefined) rest[field] = value
      }
      record[ownColumns.rest] = Object.keys(rest).length > 0 ? storable(rest) : null
      return record
    })
    await this.insert(records, types)
    return [...notes]
  }

  /** Inserts all rows with one statement; missing columns are null. */
  private async insert(records: readonly object[], types: ReadonlyMap<string, string>) {
    const names = [...types.keys()].map(quoted)
    const typed = [...types].map(([column, type]) => `${quoted(column)} ${type}`)
    const updates = names.slice(1).map((name) => `${name} = excluded.${name}`)
    const at = quoted(ownColumns.at)
    await this.connection.query(
      `INSERT INTO ${this.table.name} (${names.join(", ")}, ${at})
      SELECT ${names.map((name) => `r.${name}`).join(", ")}, now()
      FROM jsonb_to_recordset(($1::text)::jsonb) AS r (${typed.join(", ")})
      ON CONFLICT (${quoted(ownColumns.key)}) DO UPDATE SET ${[...updates, `${at} = excluded.${at}`].join(", ")}`,
      [JSON.stringify(records)],
    )
  }

  /**
   * Returns the values of the fields that identify an item; without them, its position in its run.
   */
  private keyOf({ seq, idx, row }: DeliveredItem): { text: string; note?: string } {
    const position = `${this.delivering.run.id}/${seq}/${idx}`
    if (this.uniqueBy.length === 0) return { text: position }
    const values = this.uniqueBy.map((name) =>
      Object.hasOwn(row, name) ? row[name] : valueAt(row, name.split(".")),
    )
    if (values.some((value) => value === null || value === undefined)) {
      return {
        text: position,
        note: `Items without ${this.uniqueBy.join(", ")} are stored once per run.`,
      }
    }
    const text = String(storable(JSON.stringify(values)))
    if (text.length <= maxKey) return { text }
    return { text: createHash("sha256").update(text).digest("hex") }
  }

  async close(): Promise<void> {
    await this.connection.close()
  }
}

/** Creates a table with a row and drops it again. */
export async function probePostgres(
  egress: EgressFilter,
  { table = "", schema = defaultSchema }: DestinationOptions,
  { url = "" }: DestinationSecret,
): Promise<void> {
  const connection = await DatabaseConnection.open(url, egress)
  try {
    await connection.transaction(async () => {
      const name = `trawl_probe_${crypto.randomUUID().replaceAll("-", "")}`
      const probe = `${quoted(schema)}.${quoted(name)}`
      await connection.query(`CREATE TABLE ${probe} (value jsonb)`)
      await connection.query(`INSERT INTO ${probe} VALUES ($1::jsonb)`, ["{}"])
      await connection.query(`DROP TABLE ${probe}`)
      await new ItemTable(connection, { table, schema }).checkOwner()
    })
  } finally {
    await connection.close()
  }
}
