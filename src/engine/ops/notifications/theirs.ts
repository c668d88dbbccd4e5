import { createHmac } from "node:crypto"
import type { TheirKind } from "../../../store/automation/webhooks.ts"

/** The encrypted data of a webhook that a compatible API made. */
export interface TheirSecret {
  secret: string
  headers?: Record<string, string> | undefined
}

/** An event as their receivers know it. */
export function theirBody(kind: TheirKind, payload: string): string {
  return kind === "apify" ? JSON.stringify(asApify(JSON.parse(payload))) : payload
}

/** By what their receivers know the sender. */
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
