import { SizedMap } from "../../base/sized-map.ts"
import { type Coding, codingFor, packWhole } from "../http/coding/coding.ts"
import { minPacked } from "../http/compress.ts"
import type { ToolSet } from "./tool-set.ts"

/** Maximum bytes of prepared responses and the pages that they contain. */
const maxStoredBytes = 32 * 1024 * 1024
const maxStoredId = 40
const closing = Buffer.from("}")

export interface KnownSet {
  tools: ToolSet
  /** Identifies the tool set. */
  cacheKey: string
}

interface Prepared {
  /** A Blob is sent without a copy; bytes would be copied for each response. */
  body: Blob
  headers: Record<string, string>
}

/**
 * Prepared responses to `tools/list`, in each coding: all clients request it at every start, and
 * number their calls alike.
 */
export class PreparedLists {
  private readonly stored = new SizedMap<string, Prepared>(maxStoredBytes)
  private readonly pages = new SizedMap<string, Uint8Array>(maxStoredBytes)

  /** Returns the response; undefined for an unknown cursor. */
  async response(
    { tools, cacheKey }: KnownSet,
    id: string | number,
    cursor: string | undefined,
    request: Request,
  ): Promise<Response | undefined> {
    const coding = codingFor(request.headers.get("accept-encoding"))
    const named = JSON.stringify(id)
    const from = tools.startOf(cursor)
    if (from === undefined) return undefined
    const key = JSON.stringify([cacheKey, from, named, coding])
    let prepared = this.stored.get(key)
    if (!prepared) {
      const page = this.page(tools, JSON.stringify([cacheKey, from]), cursor)
      const head = Buffer.from(`{"jsonrpc":"2.0","id":${named},"result":`)
      prepared = await packed(Buffer.concat([head, page, closing]), coding)
      if (named.length <= maxStoredId) this.stored.set(key, prepared, prepared.body.size)
    }
    const { body, headers } = prepared
    return new Response(body, { headers })
  }

  private page(tools: ToolSet, key: string, cursor: string | undefined): Uint8Array {
    const known = this.pages.get(key)
    if (known) return known
    const page = new TextEncoder().encode(JSON.stringify(tools.page(cursor)))
    this.pages.set(key, page, page.length)
    return page
  }

  clear(): void {
    this.stored.clear()
    this.pages.clear()
  }
}

async function packed(
  whole: Uint8Array<ArrayBuffer>,
  coding: Coding | undefined,
): Promise<Prepared> {
  const headers = { "content-type": "application/json" }
  if (!coding || whole.length < minPacked) return { body: new Blob([whole]), headers }
  const body = new Blob([(await packWhole(whole, coding)) as Uint8Array<ArrayBuffer>])
  return { body, headers: { ...headers, "content-encoding": coding } }
}
