import type { DocumentDecoration } from "elysia"
import type { Tag } from "../docs/tags.ts"

interface Reply {
  description: string
  headers?: Record<string, object>
  /** Media types, which share one schema. Default: application/json. */
  types?: readonly string[]
  /** Example; a function if it is computed when the document is requested. */
  example?: unknown
}

/** The documentation of a route, in addition to its hooks. */
interface Operation {
  id: string
  tag: Tag
  summary: string
  description?: string
  /** Responses by status: a description, or a description with what the schemas lack. */
  replies: Record<number, string | Reply>
  /** Error statuses in addition to those of every such route. */
  refusals?: readonly number[]
  /** Examples of the body. */
  examples?: Record<string, { summary?: string; value: unknown }>
  /** Media type of the body. Default: application/json. */
  bodyType?: string
  /** `key` (default): an API key or a signed-in browser. `owner`: the same, of an administrator. */
  auth?: "key" | "session" | "owner" | "none"
}

/** Documentation that is merged into the plugin's output for a route (docs/openapi.ts). */
export interface Overlay {
  replies: Record<string, Reply>
  refusals: readonly number[]
  examples?: Operation["examples"]
  bodyType: string
}

const securityOf: Record<NonNullable<Operation["auth"]>, Record<string, string[]>[]> = {
  key: [{ key: [] }, { session: [] }],
  session: [{ session: [] }],
  owner: [{ key: [] }, { session: [] }],
  none: [],
}

const usualRefusals: Record<NonNullable<Operation["auth"]>, readonly number[]> = {
  key: [401, 429],
  session: [401, 429],
  owner: [401, 403, 429],
  none: [],
}

/** The `detail` of a route. */
export function operation(about: Operation): DocumentDecoration {
  const { id, tag, summary, description, replies, auth = "key", refusals = [] } = about
  const overlay: Overlay = {
    replies: Object.fromEntries(
      Object.entries(replies).map(([status, reply]) => [
        status,
        typeof reply === "string" ? { description: reply } : reply,
      ]),
    ),
    refusals: [...usualRefusals[auth], ...refusals],
    ...(about.examples && { examples: about.examples }),
    bodyType: about.bodyType ?? "application/json",
  }
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf[auth],
    ...{ "x-overlay": overlay },
  }
}
