import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"
import { nearest } from "../../base/nearest.ts"
import { briefText } from "../../catalogue/kit/index.ts"

const requests = {
  initialize: InitializeRequestSchema,
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
  "resources/list": ListResourcesRequestSchema,
  "resources/templates/list": ListResourceTemplatesRequestSchema,
  "resources/read": ReadResourceRequestSchema,
  "prompts/list": ListPromptsRequestSchema,
  "prompts/get": GetPromptRequestSchema,
  "completion/complete": CompleteRequestSchema,
}

interface MessageError {
  status: number
  code: ErrorCode
  message: string
  id: string | number | null
}

/**
 * Returns the error of an invalid JSON-RPC message, with JSON-RPC's code for it. The SDK reports
 * the same errors as internal errors with its validator's text.
 */
export function messageError(message: unknown): MessageError | undefined {
  if (Array.isArray(message) && message.length > 0) return undefined
  const { jsonrpc, id, method, result, error } = (message ?? {}) as Record<string, unknown>
  const isId = typeof id === "string" || typeof id === "number"
  const invalid = (text: string) => ({
    status: 400,
    code: ErrorCode.InvalidRequest,
    message: `Invalid request: ${text}`,
    id: isId ? id : null,
  })
  if (!isObject(message)) return invalid("the message must be a JSON object.")
  if (jsonrpc !== "2.0") return invalid('"jsonrpc" must be "2.0".')
  if (result !== undefined || error !== undefined) return undefined
  if (typeof method !== "string") return invalid('"method" must be a string.')
  if (id !== undefined && !isId) return invalid('"id" must be a string or a number.')
  if (!isId) return undefined
  if (!methods.includes(method)) return { ...unknownMethod(method), id }
  if (!Object.hasOwn(requests, method)) return undefined
  if (isPlain(method, (message as { params?: unknown }).params)) return undefined
  const parsed = requests[method as keyof typeof requests].safeParse(message)
  if (parsed.success) return undefined
  const [issue] = parsed.error.issues
  return {
    status: 200,
    code: ErrorCode.InvalidParams,
    message: `Invalid params: ${issueText(issue)}`,
    id,
  }
}

/** The methods with a result that clients may call. */
const methods = [
  ...Object.keys(requests),
  ...["ping", "logging/setLevel"],
  ...["resources/subscribe", "resources/unsubscribe"],
]

function unknownMethod(method: string): Omit<MessageError, "id"> {
  const near = nearest(method, methods)
  const hint = near ? `Did you mean "${near}"?` : `There are: ${methods.join(", ")}.`
  const message = `Method not found: there is no "${briefText(method)}". ${hint}`
  return { status: 200, code: ErrorCode.MethodNotFound, message }
}

/** Returns whether these are the usual parameters of the two frequent methods, which need no schema. */
function isPlain(method: string, params: unknown): boolean {
  if (method === "tools/list") return params === undefined
  if (method !== "tools/call" || !isObject(params)) return false
  const { name, arguments: args, ...others } = params
  const fits = typeof name === "string" && (args === undefined || isObject(args))
  return fits && Object.keys(others).length === 0
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Types of the SDK's validator in JSON's words. */
const typeWords: Record<string, string> = {
  record: "a JSON object",
  object: "a JSON object",
  string: "a text",
}

function issueText(issue: { path: PropertyKey[]; message: string } | undefined): string {
  if (!issue) return "the parameters do not fit the method."
  const expected = (issue as { expected?: unknown }).expected
  const names = issue.path.map((name) =>
    typeof name === "number" ? `[${name}]` : `.${String(name)}`,
  )
  const field = `"${names.join("").slice(1)}"`
  return typeof expected === "string"
    ? `${field} must be ${typeWords[expected] ?? `of type ${expected}`}.`
    : `${field}: ${issue.message}.`
}
