import type { CallToolRequest, Tool } from "@modelcontextprotocol/sdk/types.js"
import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { BoundedMap } from "../../base/bounded-map.ts"
import { messageOf } from "../../base/error-message.ts"
import { type AnyScraper, parseJson } from "../../catalogue/kit/index.ts"
import { recipesVersion } from "../../store/automation/recipes.ts"
import { UnchangedReads } from "../../store/unchanged-reads.ts"
import { llmsText } from "../docs/llms.ts"
import { bearerOf, countCall, keyIssue } from "../http/access.ts"
import { readText } from "../http/body.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { rebindingSign } from "../http/origin.ts"
import { queryOf } from "../http/query.ts"
import { agentHeader } from "../keyless/caller.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import { ownScrapers } from "../recipes/own-scrapers.ts"
import { query, responseObject } from "../schemas/common.ts"
import type { Call } from "../service.ts"
import type { AccessParts } from "../service-parts.ts"
import { opensUrls, sessionFor } from "./elicitation.ts"
import { KeylessRuns } from "./keyless-runs.ts"
import { type KnownSet, PreparedLists } from "./prepared-lists.ts"
import { mayStay, type StoredPages } from "./stored-pages.ts"
import { FilterError, type ToolFilter, ToolSet, toolFilter } from "./tool-set.ts"
import { toolOf } from "./tools.ts"

interface Message {
  jsonrpc?: unknown
  id?: unknown
  method?: unknown
  params?: {
    cursor?: unknown
    requestId?: unknown
    task?: unknown
    _meta?: { progressToken?: unknown }
  }
}

const rpcErrorSchema = responseObject(
  {
    jsonrpc: Type.Literal("2.0"),
    error: responseObject({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(Type.Unknown()),
    }),
    id: Type.Union([Type.String(), Type.Number(), Type.Null()]),
  },
  { $id: "JsonRpcError" },
)

const filterQuery = query({
  tools: Type.Optional(Type.String({ description: "Comma-separated slugs: only these scrapers." })),
  category: Type.Optional(Type.String({ description: "Only this category." })),
  set: Type.Optional(
    Type.String({
      description:
        '"meta" for general tools such as find_scrapers and run_scraper, instead of one tool per scraper; "manage" for these and tools for sessions and destinations.',
    }),
  ),
  outputSchema: Type.Optional(
    Type.Boolean({
      description: "Whether tools have output schemas and return structured content.",
    }),
  ),
  maxTokens: Type.Optional(
    Type.Integer({ description: "Approximate maximum tokens of a response (default 8,000)." }),
  ),
  pageSize: Type.Optional(Type.Integer({ description: "Number of tools per page of tools/list." })),
})

/** The Model Context Protocol over streamable HTTP, without sessions. */
export function mcpRoutes(surface: KeylessSurface): AnyElysia {
  const endpoint = new McpEndpoint(surface)
  const handle = ({ request, set, server }: Call) => endpoint.handle({ request, set, server })
  return new Elysia()
    .model({ JsonRpcError: responseSchema(rpcErrorSchema) })
    .post("/api/mcp", handle, {
      parse: "none",
      query: requestSchema.anyQuery(filterQuery),
      response: {
        200: responseSchema(Type.Unknown()),
        400: "JsonRpcError",
        401: "JsonRpcError",
        403: "JsonRpcError",
        406: "JsonRpcError",
        408: "JsonRpcError",
        413: "JsonRpcError",
        415: "JsonRpcError",
      },
      detail: operation({
        id: "mcp",
        tag: "Agents",
        summary: "Model Context Protocol endpoint (streamable HTTP) with every scraper as a tool",
        description:
          "JSON-RPC. Without a key, calls use the daily free quota, and `X-Trawl-Agent` or the session ID keeps the identity. With `Authorization: Bearer`, the account pays.",
        auth: "none",
        replies: {
          200: "The JSON-RPC response, or a stream that ends with it.",
          202: "The notification was accepted.",
          400: "The message or a query parameter is not valid.",
          401: "The key in Authorization is not valid.",
          403: "The Host or Origin does not belong to this service.",
          406: "Accept does not include JSON.",
          408: "The message arrived too slowly.",
          413: "The message is larger than 1 MB.",
          415: "The message is not application/json.",
        },
      }),
    })
}

/** Returns the issue with the key of a call; a call without a key uses the daily free quota. */
async function wrongKey(service: AccessParts, request: Request): Promise<string | undefined> {
  if (request.headers.get("authorization") === null) return undefined
  const bearer = bearerOf(request)
  if (bearer === undefined) return "Send the API key as Authorization: Bearer <API_KEY>."
  const owner = await service.keys.owner(bearer)
  if (!owner) return "The API key is not valid: it is incomplete, revoked or from another server."
  return keyIssue(owner)
}

/** JSON-RPC's code for an error without a code. */
const internalError = -32603

type Protocol = typeof import("./protocol.ts")
let protocol: Protocol | undefined

/** Maximum stored tool sets, one per combination of filters. */
const storedSets = 200
/** Maximum pages of items in memory; each one is small. */
const maxItemPages = 200
/** Maximum calls that can be cancelled. Messages that never become a call leave an entry. */
const maxRunning = 10_000

class McpEndpoint {
  private readonly sets = new BoundedMap<string, ToolSet>(storedSets)
  private readonly lists = new PreparedLists()
  private readonly itemPages: StoredPages
  private readonly own = new BoundedMap<string, AnyScraper[]>(storedSets)
  private version = 0
  /** Tools by their shape, which all sets share. */
  private tools = new WeakMap<AnyScraper, Map<string, Tool>>()
  /** Running calls, by caller and request ID: a cancellation arrives as a separate request. */
  private readonly running = new BoundedMap<string, AbortController>(maxRunning)

  constructor(private readonly surface: KeylessSurface) {
    this.itemPages = new UnchangedReads(surface.service.store, maxItemPages, mayStay)
  }

  async handle(call: Call): Promise<Response> {
    const { request } = call
    const sign = rebindingSign(this.surface.service, call)
    if (sign) return refusal(403, -32000, sign)
    await countCall(this.surface.service, call)
    const wrong = await wrongKey(this.surface.service, request)
    if (wrong) {
      return refusal(401, -32000, wrong, {
        "www-authenticate": 'Bearer realm="Trawl", error="invalid_token"',
      })
    }
    let set: KnownSet
    try {
      set = await this.toolSet(request)
    } catch (error) {
      if (error instanceof FilterError) return refusal(400, -32602, error.message)
      throw error
    }
    const text = await readText(request)
    let message: unknown
    try {
      message = parseJson(text)
    } catch (error) {
      const why = messageOf(error)
      return refusal(400, -32700, `Parse error: the message is not valid JSON: ${why}.`)
    }
    protocol ??= await import("./protocol.ts")
    const issue = protocol.messageError(message)
    if (issue) return refusal(issue.status, issue.code, issue.message, {}, issue.id)
    // The SDK's server and transport cost more than most calls, and add nothing to these.
    const plain = plainRequest(request, message, protocol)
    if (plain?.method === "tools/call") return this.callTool(call, set.tools, plain, protocol)
    const list = plain?.method === "tools/list" ? await this.list(request, set, plain) : undefined
    return list ?? this.serve(call, set.tools, { text, message }, protocol)
  }

  private async toolSet(request: Request): Promise<KnownSet> {
    const { service } = this.surface
    const { health } = service
    const { own, version } = await this.ownOf(request)
    const catalogue = own.length > 0 ? [...own, ...service.catalogue] : service.catalogue
    // Tool descriptions contain the health of their scrapers.
    if (health.version !== this.version) {
      this.sets.clear()
      this.lists.clear()
      this.tools = new WeakMap()
    }
    this.version = health.version
    const filter: ToolFilter = toolFilter(queryOf(request), catalogue)
    const cacheKey = JSON.stringify([filter, version, health.version])
    const known = this.sets.get(cacheKey)
    if (known) return { tools: known, cacheKey: cacheKey }
    const healthOf = (slug: string) => (service.scraper(slug) ? health.of(slug) : undefined)
    const made = new ToolSet(catalogue, filter, healthOf, (scraper, shape) => {
      const tools = this.tools.get(scraper) ?? new Map<string, Tool>()
      this.tools.set(scraper, tools)
      const key = `${shape.isFull} ${shape.hasOutput}`
      const tool = tools.get(key) ?? toolOf(scraper, { ...shape, healthOf })
      tools.set(key, tool)
      return tool
    })
    this.sets.set(cacheKey, made)
    return { tools: made, cacheKey: cacheKey }
  }

  /** Returns the recipes of the account that calls; their version identifies them. */
  private async ownOf(request: Request): Promise<{ own: AnyScraper[]; version: string }> {
    const { service } = this.surface
    const bearer = bearerOf(request)
    const owner = bearer === undefined ? undefined : await service.keys.owner(bearer)
    if (!owner || keyIssue(owner)) return { own: [], version: "" }
    const latest = await recipesVersion(service.store.db, owner.accountId)
    if (latest === "") return { own: [], version: "" }
    const version = `${owner.accountId} ${latest}`
    const own = this.own.get(version) ?? (await ownScrapers(service, owner.accountId))
    this.own.set(version, own)
    return { own, version }
  }

  /** Responds to `tools/list` with prepared bytes; undefined for an unknown page. */
  private async list(
    request: Request,
    set: KnownSet,
    { id, params }: PlainRequest,
  ): Promise<Response | undefined> {
    const cursor = params?.cursor
    if (cursor !== undefined && typeof cursor !== "string") return undefined
    return this.lists.response(set, id, cursor, request)
  }

  /** Runs a tool, and responds once with its result. */
  private async callTool(
    call: Call,
    tools: ToolSet,
    { id, params }: PlainRequest,
    { ToolCall }: Protocol,
  ): Promise<Response> {
    const control = new AbortController()
    const key = this.key(call, id)
    this.running.set(key, control)
    call.server?.timeout(call.request, 0)
    call.request.signal.addEventListener("abort", () => control.abort(), { once: true })
    const runs = new KeylessRuns(this.surface, call, this.itemPages)
    const waiting = {
      signal: control.signal,
      ...(opensUrls(call.request) && { opensUrls: true }),
    }
    const { name, arguments: args = {} } = params as CallToolRequest["params"]
    try {
      const result = await new ToolCall(tools, runs, waiting).response(name, args)
      return rpcResponse({ result, jsonrpc: "2.0", id })
    } catch (error) {
      return rpcResponse({ jsonrpc: "2.0", id, error: rpcErrorOf(error) })
    } finally {
      this.running.delete(key)
    }
  }

  private async serve(
    call: Call,
    tools: ToolSet,
    { text, message }: { text: string; message: unknown },
    { mcpServer, WebStandardStreamableHTTPServerTransport }: Protocol,
  ): Promise<Response> {
    const { method, params, id } = (message ?? {}) as Message
    if (method === "notifications/cancelled") this.cancel(call, params?.requestId)
    const control = new AbortController()
    const key = method === "tools/call" ? this.key(call, id) : undefined
    if (key) this.running.set(key, control)
    const { service } = this.surface
    const runs = new KeylessRuns(this.surface, call)
    const server = mcpServer(tools, runs, {
      llms() {
        const { catalogue, config, health, signUpIsOpen } = service
        const scraper = (slug: string) => service.scraper(slug)
        return llmsText({ catalogue, config, scraper, health, signUpIsOpen }, service.root(call))
      },
      signal: control.signal,
      opensUrls: opensUrls(call.request),
      onAnswered: () => key && this.running.delete(key),
    })
    const kinds = kindsFor(call.request)
    const transport = new WebStandardStreamableHTTPServerTransport({
      // A stream is used only if something is sent before the response.
      enableJsonResponse: params?._meta?.progressToken === undefined || !kinds.stream,
    })
    await server.connect(transport)
    const headers = new Headers(call.request.headers)
    // The transport requires both media types in Accept.
    if (kinds.json) headers.set("accept", "application/json, text/event-stream")
    // The body was read here to limit its size; the transport gets a copy.
    const again = new Request(call.request.url, { method: "POST", headers, body: text })
    call.server?.timeout(call.request, 0)
    call.request.signal.addEventListener("abort", () => control.abort(), { once: true })
    const response = await transport.handleRequest(again, { parsedBody: message })
    const isKeyless = bearerOf(call.request) === undefined
    const newAgentId = () => service.freeQuota.newAgentId(service.address(call))
    const session = sessionFor(message, isKeyless ? newAgentId : null)
    if (session && response.ok) response.headers.set("mcp-session-id", session)
    return response
  }

  private key(call: Call, id: unknown): string {
    const { headers } = call.request
    const who = headers.get("authorization") ?? agentHeader(headers) ?? ""
    return `${this.surface.service.address(call)} ${who} ${JSON.stringify(id)}`
  }

  private cancel(call: Call, requestId: unknown): void {
    this.running.get(this.key(call, requestId))?.abort()
  }
}

/** A request to which one JSON message is the whole response. */
interface PlainRequest extends Message {
  id: string | number
}

/** Returns undefined for messages, headers or options that the SDK has to handle. */
function plainRequest(
  request: Request,
  message: unknown,
  { SUPPORTED_PROTOCOL_VERSIONS }: Protocol,
): PlainRequest | undefined {
  const { jsonrpc, id, params, method } = (message ?? {}) as Message
  if (jsonrpc !== "2.0" || (typeof id !== "string" && typeof id !== "number")) return undefined
  if (params?._meta !== undefined || params?.task !== undefined) return undefined
  if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? "")) return undefined
  if (!kindsFor(request).json) return undefined
  const version = request.headers.get("mcp-protocol-version")
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined
  return { id, method, ...(params && { params }) }
}

const rpcResponse = (message: object) =>
  new Response(JSON.stringify(message), { headers: { "content-type": "application/json" } })

/** Returns an error of a tool as JSON-RPC reports it. */
function rpcErrorOf(error: unknown) {
  const { code, message, data } = error as { code?: unknown; message?: string; data?: unknown }
  return {
    code: Number.isSafeInteger(code) ? code : internalError,
    message: message ?? "Internal error",
    ...(data !== undefined && { data }),
  }
}

/** The media types that a caller accepts; all if it names none. */
function kindsFor({ headers }: Request): { json: boolean; stream: boolean } {
  const accept = headers.get("accept") ?? "*/*"
  const accepts = (...names: string[]) => names.some((name) => accept.includes(name))
  return {
    json: accepts("*/*", "application/*", "application/json"),
    stream: accepts("*/*", "text/*", "text/event-stream"),
  }
}

function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
  id: string | number | null = null,
) {
  const body = { jsonrpc: "2.0", error: { code, message }, id }
  return Response.json(body, { status, headers })
}
