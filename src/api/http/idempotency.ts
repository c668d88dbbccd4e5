import { sha256 } from "../../accounts/secrets.ts"
import { dayMs } from "../../base/time.ts"
import { diskIssue } from "../../store/db/disk/disk-error.ts"
import { newId } from "../../store/db/ids.ts"
import type { Store } from "../../store/store.ts"
import { sentWith } from "./body.ts"
import { ApiError } from "./errors.ts"
import type { Head } from "./long-response.ts"

const retentionMs = dayMs
const maxKey = 255

interface SavedResponse {
  status: number
  body: string
  headers: Record<string, string>
}

/** The result of a request that creates something. */
interface Created {
  status: number
  body: unknown
  /** The body of a repeated request, if the first body contains a secret that is shown once. */
  repeatedBody?: unknown
}

/** `begin` is called once the status is final; the body may take longer. */
type Create = (id: string, repeated: boolean, begin: (head: Head) => void) => Promise<Created>

interface Running {
  fingerprint: string
  started: Promise<Head>
  work: Promise<{ response: Response; saved: SavedResponse }>
}

export interface Repeatable {
  request: Request
  accountId: string
  /** Prefix of the new ID. */
  prefix: Parameters<typeof newId>[0]
  /** URL of the list that contains the new entry, for the header `Location`. */
  list: string
}

/**
 * Handles `Idempotency-Key` (`X-Idempotency-Key` of Firecrawl's clients): a repeated request with
 * the same key creates nothing, and gets the first response. The ID is reserved first, so that this
 * holds even if the service stops between creation and response.
 */
export class Idempotency {
  private readonly running = new Map<string, Running>()

  constructor(private readonly store: Store) {}

  /**
   * Returns the response of `create`, called with the new ID and whether an earlier request may have
   * created it already. Errors of `create` are not stored. `begin` is called with the status and headers
   * as soon as they are known.
   */
  async response(
    call: Repeatable,
    create: Create,
    begin: (head: Head) => void = () => {},
  ): Promise<Response> {
    const { headers: sent } = call.request
    const key = sent.get("idempotency-key") ?? sent.get("x-idempotency-key")
    if (key === null) {
      const id = newId(call.prefix)
      const headers = locationOf(call, id)
      const { status, body } = await create(id, false, (head) => begin(withHeaders(head, headers)))
      return Response.json(body, { status, headers })
    }
    if (key === "" || key.length > maxKey) {
      throw new ApiError(400, `The Idempotency-Key must have 1 to ${maxKey} characters.`)
    }
    return this.once(call, key, create, begin)
  }

  private async once(
    call: Repeatable,
    key: string,
    create: Create,
    begin: (head: Head) => void,
  ): Promise<Response> {
    const { request, accountId } = call
    const path = request.url.slice(request.url.indexOf("/", 8))
    const fingerprint = sha256(`${request.method} ${path}\n${sentWith(request)?.text ?? ""}`)
    const memberKey = `${accountId} ${key}`
    const before = this.running.get(memberKey)
    if (before) {
      if (before.fingerprint !== fingerprint) throw otherCall()
      void before.started.then((head) => begin(withHeaders(head, replayed)))
      return replay((await before.work).saved)
    }
    const { promise: started, resolve } = Promise.withResolvers<Head>()
    void started.then(begin)
    const work = this.reserved(call, key, fingerprint, create, resolve)
    this.running.set(memberKey, { fingerprint, started: started, work })
    try {
      return (await work).response
    } finally {
      this.running.delete(memberKey)
    }
  }

  private async reserved(
    call: Repeatable,
    key: string,
    fingerprint: string,
    create: Create,
    begin: (head: Head) => void,
  ): Promise<{ response: Response; saved: SavedResponse }> {
    const { accountId, prefix } = call
    const now = Date.now()
    const { row, created } = await this.store.write("idempotency.reserve", {
      accountId,
      key,
      fingerprint,
      resourceId: newId(prefix),
      at: new Date(now).toISOString(),
      storedSince: new Date(now - retentionMs).toISOString(),
    })
    if (row.fingerprint !== fingerprint) throw otherCall()
    const headers = locationOf(call, row.resource_id)
    if (row.status !== null) {
      const saved = { status: row.status, body: row.body ?? "", headers }
      return { response: replay(saved), saved }
    }
    const {
      status,
      body,
      repeatedBody = body,
    } = await create(row.resource_id, !created, (head) => begin(withHeaders(head, headers)))
    const text = JSON.stringify(repeatedBody)
    await this.store
      .write("idempotency.save", { accountId, key, status, body: text })
      .catch((error: unknown) => {
        // The resource was created; a repeated request finds it by the reserved ID.
        if (!diskIssue(error)) throw error
      })
    const saved = { status, body: text, headers }
    return { response: Response.json(body, { status, headers }), saved }
  }
}

function otherCall(): ApiError {
  return new ApiError(
    422,
    "This Idempotency-Key was used for a different request in the last 24 hours; use a new key.",
  )
}

const replayed = {
  "content-type": "application/json;charset=utf-8",
  "idempotent-replayed": "true",
}

function replay({ status, body, headers }: SavedResponse): Response {
  return new Response(body, { status, headers: { ...headers, ...replayed } })
}

const locationOf = ({ list }: Repeatable, id: string) => ({ location: `${list}/${id}` })

const withHeaders = (head: Head, headers: Record<string, string>): Head => ({
  ...head,
  headers: { ...head.headers, ...headers },
})
