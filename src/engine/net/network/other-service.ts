import { messageOf } from "../../../base/error-message.ts"
import { isRefused } from "../http/connection-failure.ts"

/** Connections drop and services restart, so calls are retried. */
const tries = 6
const firstPauseMs = 500
const maxPauseMs = 60_000

/** The service's refusal, or the reason why it cannot be reached, as a sentence. */
export class Unanswered extends Error {
  constructor(
    message: string,
    /** Status of the response, if there was one. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** Returns why a request failed, without the runtime's question about the network. */
function reasonOf(error: unknown): string {
  if (isRefused(error)) return "the connection was refused"
  return messageOf(error).replace(/[.?]?\s*(?:Is the computer able to access the url\?)?$/, "")
}

/** The API of another Trawl. */
export class OtherService {
  private readonly root: string

  constructor(
    address: string,
    private readonly key: string,
  ) {
    this.root = address.replace(/\/+$/, "")
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return JSON.parse(await this.text(method, path, body))
  }

  async text(method: string, path: string, body?: unknown): Promise<string> {
    return (await this.response(method, path, body)).text()
  }

  async bytes(path: string): Promise<Uint8Array> {
    return (await this.response("GET", path)).bytes()
  }

  /** Sends a request, with retries while they may help. @throws Unanswered */
  private async response(method: string, path: string, body?: unknown): Promise<Response> {
    const request = {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        // Repeated calls start nothing twice.
        ...(method === "POST" ? { "idempotency-key": crypto.randomUUID() } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.root + path, request).catch(reasonOf)
      if (typeof response !== "string" && response.ok) return response
      const mayPass =
        typeof response === "string" || response.status === 429 || response.status >= 500
      if (!mayPass || attempt === tries) {
        const status = typeof response === "string" ? undefined : response.status
        throw new Unanswered(await this.refusal(response), status)
      }
      const retryAfter =
        typeof response === "string" ? 0 : Number(response.headers.get("retry-after"))
      await Bun.sleep(
        Math.min(maxPauseMs, Math.max(retryAfter * 1000 || 0, firstPauseMs * 2 ** (attempt - 1))),
      )
    }
  }

  private async refusal(response: Response | string): Promise<string> {
    if (typeof response === "string")
      return `${this.root} does not respond: ${response}. Check the URL, and that Trawl runs there.`
    const body = await response.text()
    try {
      return `${this.root}: ${JSON.parse(body).error.message}`
    } catch {
      return `${this.root} returned status ${response.status} without a message; check that it is the URL of Trawl.`
    }
  }
}
