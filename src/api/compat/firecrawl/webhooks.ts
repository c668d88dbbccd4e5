import { ApiError } from "../../http/errors.ts"
import type { CoreParts } from "../../service-parts.ts"
import { receiverRow } from "../common/receiver.ts"
import type { Json } from "./options.ts"

const names = ["started", "page", "completed", "failed"] as const
export type JobEvent = (typeof names)[number]

/** The receiver of a job's events. */
export interface HookOptions {
  /** Prefix of the event names. */
  type: "crawl" | "batch_scrape"
  events: JobEvent[]
  metadata: Json
  root: string
}

interface Wanted {
  url: string
  headers?: Record<string, string>
  metadata: Json
  events: JobEvent[]
}

const maxMetadata = 4000

/** Reads a start's webhook: a URL, or an object with a URL. @throws ApiError 400 */
export function hookWanted({ webhook }: Json): Wanted | undefined {
  if (webhook === undefined || webhook === null || webhook === "") return undefined
  const requested = (typeof webhook === "string" ? { url: webhook } : webhook) as Json
  const { url, headers, metadata = {}, events = names } = requested
  if (typeof url !== "string") throw new ApiError(400, '"webhook" needs a "url".')
  const isKnown = Array.isArray(events) && events.every((one) => names.includes(one))
  if (!isKnown) throw new ApiError(400, `"webhook.events" may have ${names.join(", ")}.`)
  const isFew = typeof metadata === "object" && JSON.stringify(metadata ?? {}).length <= maxMetadata
  if (!isFew) throw new ApiError(400, '"webhook.metadata" must be an object of limited size.')
  return {
    url,
    metadata: (metadata ?? {}) as Json,
    events: [...(events as JobEvent[])],
    ...(headers != null && { headers: headers as Record<string, string> }),
  }
}

/**
 * Stores the webhook before the run starts, so that errors in it are returned immediately. @throws
 * ApiError 400
 */
export async function addHook(
  service: CoreParts,
  {
    wanted,
    accountId,
    runId,
    ...of
  }: { wanted: Wanted; accountId: string; runId: string } & Pick<HookOptions, "type" | "root">,
): Promise<void> {
  const { url, headers, events, metadata } = wanted
  const requested: HookOptions = { ...of, events, metadata }
  const row = receiverRow(service, {
    kind: "firecrawl",
    accountId,
    url,
    // job-hooks.ts queues the events.
    events: [],
    headers,
    runId,
  })
  const webhook = { ...row, run_id: runId }
  await service.store.write("hooks.create", { webhook, options: JSON.stringify(requested) })
}
