import { BoundedMap } from "../../base/bounded-map.ts"
import { type Coding, codingFor, packWhole } from "../http/coding.ts"
import { leastPacked } from "../http/compress.ts"
import type { ToolSet } from "./tool-set.ts"

/** Each has up to some hundred kilobytes. */
const mostKept = 50
const longestKeptId = 40
const closing = Buffer.from("}")

export interface KnownSet {
  tools: ToolSet
  /** Tells the set from all others. */
  place: string
}

interface Prepared {
  /** A Blob is sent as it lies there; bytes would be copied for each answer. */
  body: Blob
  headers: Record<string, string>
}

/**
 * Answers to `tools/list` as they were sent, each packed its way: all clients ask for it at every
 * start, and number their calls alike.
 */
export class PreparedLists {
  private readonly kept = new BoundedMap<string, Promise<Prepared>>(mostKept)

  /** Undefined for a cursor of nobody. */
  async answer(
    { tools, place }: KnownSet,
    id: string | number,
    cursor: string | undefined,
    request: Request,
  ): Promise<Response | undefined> {
    const coding = codingFor(request.headers.get("accept-encoding"))
    const named = JSON.stringify(id)
    const key = JSON.stringify([place, cursor, named, coding])
    let prepared = this.kept.get(key)
    if (!prepared) {
      const page = tools.pageBytes(cursor)
      if (!page) return undefined
      const head = Buffer.from(`{"jsonrpc":"2.0","id":${named},"result":`)
      prepared = packed(Buffer.concat([head, page, closing]), coding)
      if (named.length <= longestKeptId) this.kept.set(key, prepared)
    }
    const { body, headers } = await prepared
    return new Response(body, { headers })
  }

  clear(): void {
    this.kept.clear()
  }
}

async function packed(
  whole: Uint8Array<ArrayBuffer>,
  coding: Coding | undefined,
): Promise<Prepared> {
  const headers = { "content-type": "application/json" }
  if (!coding || whole.length < leastPacked) return { body: new Blob([whole]), headers }
  const body = new Blob([(await packWhole(whole, coding)) as Uint8Array<ArrayBuffer>])
  return { body, headers: { ...headers, "content-encoding": coding } }
}
