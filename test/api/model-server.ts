/** A request to a server of chat completions. */
export interface Completion {
  authorization: string | null
  path: string
  model: string
  messages: { role: string; content: string }[]
}

/** How the server responds: with a text, a status, or not at all. */
type Reply = string | number | "never"

/**
 * A fake of the operator's model, on loopback. It returns the given responses one after the other.
 */
export class ModelServer {
  readonly requested: Completion[] = []
  readonly replies: Reply[] = []
  private readonly server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => this.response(request),
  })

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/v1`
  }

  stop(): Promise<void> {
    return this.server.stop(true)
  }

  private async response(request: Request): Promise<Response> {
    const { model, messages } = (await request.json()) as Completion
    const authorization = request.headers.get("authorization")
    this.requested.push({ authorization, path: new URL(request.url).pathname, model, messages })
    const reply = this.replies.shift() ?? 500
    if (reply === "never") return new Promise(() => {})
    if (typeof reply === "number") return new Response("no", { status: reply })
    return Response.json({
      choices: [{ message: { role: "assistant", content: reply } }],
      usage: { prompt_tokens: 100, completion_tokens: 10, cost: 0.002 },
    })
  }
}
