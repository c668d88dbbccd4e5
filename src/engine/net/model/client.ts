import { messageOf } from "../../../base/error-message.ts"
import { Semaphore } from "../../../base/semaphore.ts"
import {
  briefText,
  type ModelRequest,
  type ModelResponse,
  type ModelUsage,
  parseJson,
  ScrapeError,
  Timeout,
  Unreachable,
  UpstreamError,
} from "../../../catalogue/kit/index.ts"
import type { Config } from "../../../config/config.ts"
import { EgressFilter } from "../egress/filter.ts"
import type { Transport } from "../http/exchange.ts"
import { hostOf, LiveTransport, portOf } from "../http/live.ts"
import { again, type Message, messagesFor } from "./prompt.ts"

export type ModelSettings = Pick<
  Config,
  "llmUrl" | "llmKey" | "llmModel" | "llmTimeoutSeconds" | "llmInputTokens"
>

/** Maximum concurrent requests of a worker to the model. */
const atOnce = 4
const maxResponseBytes = 2_000_000

/** The operator's model, by the chat completions API. */
export class ModelClient {
  private readonly slots = new Semaphore(atOnce)

  private constructor(
    private readonly settings: ModelSettings,
    private readonly url: string,
    private readonly transport: Transport,
  ) {}

  /** Returns undefined if no model is set. */
  static of(settings: ModelSettings): ModelClient | undefined {
    const { llmUrl, llmModel } = settings
    if (!llmUrl || !llmModel) return undefined
    const url = new URL(llmUrl)
    const path = url.pathname.replace(/\/+$/, "")
    url.pathname = path.endsWith("/chat/completions") ? path : `${path}/chat/completions`
    return new ModelClient(settings, url.href, new LiveTransport(egressFor(url)))
  }

  /**
   * Returns the model's validated response. Asks again once if it is not JSON or does not match the
   * schema.
   * @throws Timeout, Unreachable, UpstreamError
   */
  async request(requested: ModelRequest, signal: AbortSignal): Promise<ModelResponse> {
    const leave = await this.slots.take(signal)
    try {
      return await this.response(requested, signal)
    } finally {
      leave()
    }
  }

  private async response(requested: ModelRequest, signal: AbortSignal): Promise<ModelResponse> {
    const { messages, truncated } = messagesFor(requested, this.settings.llmInputTokens)
    const usage: Spent = { inputTokens: null, outputTokens: null, cost: null, requests: 0 }
    const first = await this.complete(messages, usage, signal)
    const read = readResponse(first, requested)
    const facts = { model: this.settings.llmModel!, truncated }
    if ("value" in read) return { value: read.value, usage: { ...facts, ...usage } }
    const second = await this.complete(again(messages, first, read.issue), usage, signal)
    const reread = readResponse(second, requested)
    if ("value" in reread) return { value: reread.value, usage: { ...facts, ...usage } }
    throw new UpstreamError(
      `The model's response is not valid after two attempts: ${reread.issue}`,
      {
        code: "model_invalid",
      },
    )
  }

  /** Returns the text of the model's response. */
  private async complete(messages: Message[], usage: Spent, signal: AbortSignal): Promise<string> {
    const { llmKey, llmModel, llmTimeoutSeconds } = this.settings
    const timeoutMs = llmTimeoutSeconds * 1000
    const response = await this.send({
      method: "POST",
      url: this.url,
      headers: new Headers({
        "content-type": "application/json",
        ...(llmKey ? { authorization: `Bearer ${llmKey}` } : {}),
      }),
      body: JSON.stringify({ model: llmModel, messages, stream: false }),
      maxBytes: maxResponseBytes,
      timeoutMs,
      headersWithinMs: timeoutMs,
      signal,
    })
    const text = new TextDecoder().decode(response.bytes)
    if (response.status !== 200) {
      throw new UpstreamError(`The model's server returned ${response.status}.`, {
        code: "model_failed",
      })
    }
    return contentOf(text, usage)
  }

  private async send(request: Parameters<Transport["send"]>[0]) {
    try {
      return await this.transport.send(request)
    } catch (error) {
      request.signal.throwIfAborted()
      // The message must not contain the server's URL.
      if (error instanceof Timeout) {
        const { llmTimeoutSeconds } = this.settings
        throw new Timeout(`The model did not respond within ${llmTimeoutSeconds} s.`, {
          code: "model_timeout",
        })
      }
      if (!(error instanceof ScrapeError)) throw error
      throw new Unreachable("The model's server cannot be reached.", "connection", {
        code: "model_unreachable",
        cause: error,
      })
    }
  }
}

/** Allows only the host that the operator set, even if it is private. */
function egressFor(url: URL): EgressFilter {
  const host = hostOf(url)
  return new EgressFilter([`${host.includes(":") ? `[${host}]` : host}:${portOf(url)}`])
}

type Spent = Pick<ModelUsage, "inputTokens" | "outputTokens" | "cost" | "requests">

interface Completion {
  choices?: { message?: { content?: unknown } }[]
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown; cost?: unknown }
}

/** @throws UpstreamError */
function contentOf(text: string, usage: Spent): string {
  let body: Completion | null = null
  try {
    body = JSON.parse(text)
  } catch {
    // Told below.
  }
  const content = body?.choices?.[0]?.message?.content
  const parts = Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : content
  if (typeof parts !== "string") {
    throw new UpstreamError("The model's server did not respond in the chat completions format.", {
      code: "model_failed",
    })
  }
  const { prompt_tokens, completion_tokens, cost } = body?.usage ?? {}
  usage.inputTokens = sum(usage.inputTokens, prompt_tokens)
  usage.outputTokens = sum(usage.outputTokens, completion_tokens)
  usage.cost = sum(usage.cost, cost)
  usage.requests++
  return parts
}

const sum = (known: number | null, more: unknown) =>
  typeof more === "number" && Number.isFinite(more) ? (known ?? 0) + more : known

type ReadResponse = { value: Record<string, unknown> } | { issue: string }

/** Returns the object in the model's text, which may have a code fence or text before it. */
function readResponse(written: string, { check }: ModelRequest): ReadResponse {
  const plain = written.replace(/^[\s\S]*<\/think>/, "")
  const from = plain.indexOf("{")
  const to = plain.lastIndexOf("}")
  if (from < 0 || to < from) return { issue: "it contains no JSON object." }
  let value: unknown
  try {
    value = parseJson(plain.slice(from, to + 1))
  } catch (error) {
    return { issue: `it is not valid JSON: ${briefText(messageOf(error), 200)}.` }
  }
  const issue = check(value)
  return issue === null ? { value: value as Record<string, unknown> } : { issue }
}
