import { createHmac } from "node:crypto"
import type { TheirKind } from "../../../store/automation/webhooks.ts"

/** Encrypted data of a webhook that was created by a compatible API. */
export interface TheirSecret {
  secret: string
  headers?: Record<string, string> | undefined
}

/** Returns an event in the other service's format. */
export function theirBody(kind: TheirKind, payload: string): string {
  return kind === "apify" ? JSON.stringify(asApify(JSON.parse(payload))) : payload
}

/** Returns headers in the other service's format. */
export function theirHeaders(
  kind: TheirKind,
  { secret, headers = {} }: TheirSecret,
  body: string,
): Record<string, string> {
  if (kind === "apify") return headers
  const signature = createHmac("sha256", secret).update(body).digest("hex")
  return { ...headers, "x-firecrawl-signature": `sha256=${signature}` }
}

interface RunEnd {
  type: string
  timestamp: string
  data: {
    runId: string
    scraper: string
    status: string
    datasetId: string
    itemCount: number
    errorCount: number
    error: { message: string } | null
  }
}

function asApify({ type, timestamp, data }: RunEnd) {
  const actId = `trawl~${data.scraper}`
  const status = (data.status ?? "").toUpperCase().replace("_", "-")
  return {
    userId: "trawl",
    createdAt: timestamp,
    eventType: type.startsWith("run.") ? `ACTOR.RUN.${type.slice(4).toUpperCase()}` : "TEST",
    eventData: { actorId: actId, actorRunId: data.runId },
    resource: {
      id: data.runId,
      actId,
      status,
      statusMessage: data.error?.message ?? null,
      finishedAt: timestamp,
      defaultDatasetId: data.datasetId,
      defaultKeyValueStoreId: data.runId?.replace(/^run_/, "kvs_"),
      stats: { itemCount: data.itemCount, errorCount: data.errorCount },
    },
  }
}
