import { type TSchema, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { BadInput } from "../../../../catalogue/kit/index.ts"
import type { OpenRequest, Step } from "../lease/protocol.ts"
import type { NetLeaseRequest } from "../pool/lease.ts"

/** Maximum milliseconds of a lease, whatever the caller requests. */
const maxLeaseMs = 15 * 60_000

const anyObject = Type.Record(Type.String(), Type.Unknown())
const milliseconds = Type.Number({ minimum: 0, maximum: maxLeaseMs })
const bytes = Type.Number({ minimum: 0, maximum: 256 * 1024 * 1024 })
const owning = {
  owner: Type.String({ minLength: 1, maxLength: 200 }),
  unlocker: Type.Boolean(),
  exit: Type.Optional(
    Type.Object({
      run: Type.String(),
      account: Type.String(),
      country: Type.Optional(Type.String()),
    }),
  ),
  cookies: Type.Array(anyObject),
}
const storages = Type.Array(
  Type.Object({
    origin: Type.String({ pattern: "^https?://" }),
    entries: Type.Array(Type.Tuple([Type.String(), Type.String()])),
  }),
)
const opening = Type.Object({
  ...owning,
  storage: Type.Optional(Type.Object({ origins: storages, stale: storages })),
  deadlineMs: milliseconds,
  screenshots: Type.Boolean(),
})
const fetching = Type.Object({
  ...owning,
  request: Type.Object({
    as: Type.Union([Type.Literal("document"), Type.Literal("call")]),
    method: Type.String({ pattern: "^[A-Z]{1,20}$" }),
    url: Type.String({ pattern: "^https?://" }),
    headers: Type.Array(Type.Tuple([Type.String(), Type.String()])),
    body: Type.Optional(Type.String()),
    maxBytes: bytes,
    truncate: Type.Optional(Type.Boolean()),
    timeoutMs: milliseconds,
  }),
})

const text = Type.String({ maxLength: 100_000 })
const steps: Record<Step, TSchema[]> = {
  goto: [text, Type.Optional(anyObject)],
  read: [],
  next: [milliseconds],
  finish: [anyObject, Type.Optional(Type.Boolean())],
  waitFor: [text, Type.Optional(milliseconds)],
  click: [text],
  scroll: [Type.Optional(anyObject)],
  fetch: [text, Type.Optional(anyObject)],
  storage: [],
  watch: [milliseconds],
  input: [Type.Array(anyObject, { maxItems: 200 })],
}

export function checkOpen(request: OpenRequest): OpenRequest {
  return checked(opening, request, "The request for a tab")
}

export function checkFetch(request: Omit<NetLeaseRequest, "signal">) {
  return checked(fetching, request, "The request")
}

/** Allows only steps that scrapers use; each has its own limits on time and size. */
export function checkStep(step: Step, args: unknown[]): void {
  const wanted = Object.hasOwn(steps, step) ? steps[step] : undefined
  if (!wanted) throw new BadInput(`Unknown step "${String(step).slice(0, 40)}".`)
  if (!Array.isArray(args) || args.length > wanted.length) {
    throw new BadInput(`The step ${step} takes ${wanted.length} arguments.`)
  }
  for (const [index, schema] of wanted.entries()) {
    if (args[index] === undefined && index > 0) continue
    checked(schema, args[index], `Argument ${index + 1} of ${step}`)
  }
}

function checked<T>(schema: TSchema, value: T, what: string): T {
  const issue = Value.Errors(schema, value).First()
  if (!issue) return value
  throw new BadInput(`${what} is not valid at "${issue.path}": ${issue.message}.`)
}
