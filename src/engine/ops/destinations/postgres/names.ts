import { createHash } from "node:crypto"
import { clean } from "./types.ts"

/** Bytes of a name; PostgreSQL would cut longer ones. */
const maxBytes = 63
const hashLength = 8

/** Columns of each table, next to those of the fields. */
export const ownColumns = {
  key: "_key",
  run: "_run_id",
  at: "_delivered_at",
  rest: "_rest",
} as const

/** Names that a column of a field cannot have. */
const reserved = new Set<string>([
  ...Object.values(ownColumns),
  ...["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"],
])

/** The column of a field: its name, or another one with a hash if PostgreSQL would refuse it. */
export function columnOf(field: string): string {
  const name = clean(field)
  const encoder = new TextEncoder()
  const isLong = encoder.encode(name).length > maxBytes
  if (name === field && name !== "" && !isLong && !reserved.has(name)) return name
  const hash = createHash("sha256").update(field).digest("hex").slice(0, hashLength)
  const room = new Uint8Array(maxBytes - hashLength - 1)
  const { read } = encoder.encodeInto(name, room)
  return `${name.slice(0, read)}_${hash}`
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
