import { createHash } from "node:crypto"
import { clean } from "./types.ts"

/** Maximum bytes of a name; PostgreSQL would truncate longer ones. */
const maxBytes = 63
const hashLength = 8

/** Columns of each table, in addition to those of fields. */
export const ownColumns = {
  key: "_key",
  run: "_run_id",
  at: "_delivered_at",
  rest: "_rest",
} as const

/** Names that the column of a field must not have. */
const reserved = new Set<string>([
  ...Object.values(ownColumns),
  ...["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "oid"],
])

/** Returns the column of a field: its name, or a name with a hash if PostgreSQL would refuse it. */
export function columnOf(field: string): string {
  const name = clean(field)
  const encoder = new TextEncoder()
  const isLong = encoder.encode(name).length > maxBytes
  if (name === field && name !== "" && !isLong && !reserved.has(name)) return name
  const hash = createHash("sha256").update(field).digest("hex").slice(0, hashLength)
  const left = new Uint8Array(maxBytes - hashLength - 1)
  const { read } = encoder.encodeInto(name, left)
  return `${name.slice(0, read)}_${hash}`
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
