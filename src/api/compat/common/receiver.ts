import type { TheirKind } from "../../../store/automation/webhooks.ts"
import { newId } from "../../../store/db/ids.ts"
import { ApiError } from "../../http/errors.ts"
import { checkReceiver } from "../../notifications/receiver.ts"
import type { CoreParts } from "../../service-parts.ts"

export interface ReceiverOptions {
  kind: TheirKind
  accountId: string
  url: string
  /** Trawl's event names. */
  events: readonly string[]
  headers?: Record<string, string> | undefined
  description?: string | null
  slug?: string | null
  runId?: string | null
}

const maxHeaders = 20
const maxHeader = 2000
const ours = /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect)$/i

/** A webhook that receives events in another service's format. @throws ApiError 400 */
export function receiverRow(service: CoreParts, requested: ReceiverOptions) {
  const { kind, accountId, url, events, description = null, slug = null, runId = null } = requested
  checkReceiver(service, url)
  const { secrets } = service.store
  const id = newId("whk")
  const secret = {
    secret: secretOf(service, accountId, runId),
    headers: checkedHeaders(requested.headers),
  }
  return {
    id,
    account_id: accountId,
    kind,
    url,
    events: JSON.stringify(events),
    description,
    secret: secrets.close(JSON.stringify(secret), id),
    previous_secret: null,
    previous_until: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: new Date().toISOString(),
    slug,
    run_id: runId,
  }
}

/**
 * Returns the secret that signs a webhook's events. Webhooks of a single run have their own secret.
 * The key that starts the run gets it, and must not be able to sign events of other runs.
 */
export const secretOf = ({ store }: CoreParts, accountId: string, runId: string | null) =>
  store.secrets.derive(`webhooks of ${accountId}${runId === null ? "" : ` for ${runId}`}`)

function checkedHeaders(headers: unknown): Record<string, string> | undefined {
  if (headers === undefined || headers === null) return undefined
  const written = Object.entries(headers as object)
  for (const [name, value] of written) {
    const isName = /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) && !ours.test(name)
    const isValue =
      typeof value === "string" &&
      value.length <= maxHeader &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isName || !isValue) {
      throw new ApiError(
        400,
        `The webhook's header "${name.slice(0, 60)}" is not a valid header name or value.`,
      )
    }
  }
  if (written.length <= maxHeaders) return headers as Record<string, string>
  throw new ApiError(400, `A webhook may have at most ${maxHeaders} headers. Remove some.`)
}
