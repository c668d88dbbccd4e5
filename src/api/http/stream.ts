import type { Reader, Reading } from "../reading/reader.ts"
import type { Requested } from "../reading/responses.ts"
import { tooMany } from "./errors.ts"

/** Milliseconds after which a reader that receives nothing is disconnected. */
const idleMs = 120_000
/** Maximum long responses that one account reads at the same time. */
const maxAtOnce = 100

export const jsonHeaders = { "content-type": "application/json;charset=utf-8" }

/**
 * Returns a response whose body is produced as fast as the client reads it. A later failure cannot
 * change the status: `onBroken` is called, and the connection is closed.
 */
export function streamed(
  chunks: AsyncGenerator<string | Uint8Array>,
  headers: Record<string, string> | Headers,
  status = 200,
  onBroken?: (error: unknown) => void,
): Response {
  const encoder = new TextEncoder()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value)
      } catch (error) {
        onBroken?.(error)
        // Closes the connection, so that the reader does not mistake a part for the whole.
        controller.error()
      }
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
  return new Response(stream, { status, headers })
}

/** Long responses that are being sent, limited per account. */
export class Readings {
  private readonly open = new Map<string, number>()

  constructor(
    private readonly reader: Reader,
    private readonly settings: {
      idleMs?: number
      /** Called with failures after the headers, and the URL of the request. */
      onBroken?(error: unknown, url: string): void
    } = {},
  ) {}

  /**
   * Starts a response. Its first chunk is produced before the status, so that an immediate failure
   * is an error response.
   * @throws ApiError 429
   */
  async send(
    { url }: Pick<Request, "url">,
    accountId: string,
    requested: Requested,
    headers: Record<string, string> = jsonHeaders,
  ): Promise<Response> {
    const count = this.open.get(accountId) ?? 0
    if (count >= maxAtOnce) {
      throw tooMany(
        5,
        `An account may read ${maxAtOnce} lists and exports at the same time. Wait until one has finished.`,
      )
    }
    this.open.set(accountId, count + 1)
    const reading = this.reader.read(requested)
    try {
      const first = await reading.next()
      return new Response(this.body({ url, accountId }, reading, first), { headers })
    } catch (error) {
      this.end(accountId)
      throw error
    }
  }

  private body(
    { url, accountId }: { url: string; accountId: string },
    reading: Reading,
    first: Uint8Array | undefined,
  ) {
    const { onBroken } = this.settings
    let ahead = first
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = () => {
      clearTimeout(timer)
      if (over) return
      over = true
      this.end(accountId)
    }
    const leave = () => {
      end()
      reading.cancel()
    }
    const watch = (controller: ReadableStreamDefaultController) => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        leave()
        controller.error(new Error("The reader received nothing for too long."))
      }, this.settings.idleMs ?? idleMs)
      timer.unref()
    }
    return new ReadableStream<Uint8Array>({
      start: watch,
      async pull(controller) {
        watch(controller)
        try {
          const chunk = ahead ?? (await reading.next())
          ahead = undefined
          if (over) return
          if (chunk) return controller.enqueue(chunk)
          end()
          controller.close()
        } catch (error) {
          if (over) return
          end()
          onBroken?.(error, url)
          // Closes the connection, so that the reader does not mistake a part for the whole.
          controller.error()
        }
      },
      cancel: leave,
    })
  }

  private end(accountId: string): void {
    const left = (this.open.get(accountId) ?? 1) - 1
    if (left > 0) this.open.set(accountId, left)
    else this.open.delete(accountId)
  }
}
