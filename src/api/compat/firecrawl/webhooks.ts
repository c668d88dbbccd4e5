import { ApiError } from "../../http/errors.ts"
import type { CoreParts } from "../../service-parts.ts"
import { receiverRow } from "../common/receiver.ts"
import type { Json } from "./options.ts"

const names = ["started", "page", "completed", "failed"] as const
export type JobEvent = (typeof names)[number]

/** How a job's receiver is notified. */
export interface HookOptions {
  /** Before each event's name. */
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

/** What a start says of its webhook: an address, or an object with one. @throws ApiError 400 */
export function hookWanted({ webhook }: Json): Wanted | undefined {
  if (webhook === undefined || webhook === null || webhook === "") return undefined
  const requested = (typeof webhook === "string" ? { url: webhook } : webhook) as Json
  const { url, headers, metadata = {}, events = names } = requested
  if (typeof url !== "string") throw new ApiError(400, '"webhook" needs a "url".')
  const isKnown = Array.isArray(events) && events.every((one) => names.includes(one))
  if (!isKnown) throw new ApiError(400, `"webhook.events" may have ${names.join(", ")}.`)
  const isFew = typeof metadata === "object" && JSON.stringify(metadata ?? {}).length <= maxMetadata
  if (!isFew) throw new ApiError(400, '"webhook.metadata" must be a small object.')
  return {
    url,
    metadata: (metadata ?? {}) as Json,
    events: [...(events as JobEvent[])],
    ...(headers != null && { headers: headers as Record<string, string> }),
  }
}

/** Stores the webhook before the run starts, so that errors in it are reported at once. @throws ApiError 400 */
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
    // job-hooks.ts queues its events.
    events: [],
    headers,
    runId,
  })
  const webhook = { ...row, run_id: runId }
  await service.store.write("hooks.create", { webhook, options: JSON.stringify(requested) })
}
