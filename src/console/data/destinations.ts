import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"

export interface Destination {
  id: string
  name: string
  kind: DestinationKind
  /** The part of the URL that is not secret. */
  target: string
  format?: string
  uniqueBy?: string[]
  deliver: "as_they_come" | "at_end"
  scraper: string | null
  schedule: string | null
  enabled: boolean
  deliveries: { waiting: number; delivered: number; failed: number }
  itemCount: number
  lastDeliveredAt: string | null
  lastError: string | null
  nextAttemptAt: string | null
}

export interface RunDelivery {
  id: string
  runId: string
  state: "waiting" | "delivered" | "failed"
  itemCount: number
  attempts: number
  nextAttemptAt: string | null
  error: string | null
  notes: string[]
  createdAt: string
}

export type DestinationKind = (typeof kinds)[number][0]
export type FieldName = keyof typeof fields

/** Kinds of destinations with their names and fields. Fields with `?` are optional. */
export const kinds = [
  ["postgres", "PostgreSQL table", ["url", "table", "uniqueBy?"]],
  [
    "s3",
    "S3-compatible storage",
    ["bucket", "region?", "url?", "accessKeyId", "secretAccessKey", "path?", "format"],
  ],
  ["webhook", "Webhook, signed", ["url"]],
  ["folder", "Folder of the server", ["path?", "format"]],
] as const

export const fields = {
  url: { label: "URL", type: "text" },
  table: { label: "Table", type: "text" },
  uniqueBy: { label: "Fields that identify an item", type: "text" },
  bucket: { label: "Bucket", type: "text" },
  region: { label: "Region", type: "text" },
  accessKeyId: { label: "Access key ID", type: "text" },
  secretAccessKey: { label: "Secret access key", type: "password" },
  path: { label: "Path", type: "text" },
  format: { label: "Format", type: "text" },
} as const

/** Examples of values by kind and field. */
export const examples: Record<string, string> = {
  "postgres url": "postgres://user:password@host/database",
  "postgres table": "products",
  "postgres uniqueBy": "url",
  "s3 url": "https://s3.example.com",
  "s3 region": "eu-central-1",
  "s3 path": "exports",
  "webhook url": "https://…",
  "folder path": "items",
}

export const kindName = (kind: DestinationKind) => kinds.find(([one]) => one === kind)![1]

export const timings = [
  ["as_they_come", "during the run"],
  ["at_end", "at the end of the run"],
] as const

export const destinationsPath = "/api/v1/destinations?limit=100"
export const destinations = (signal: AbortSignal) =>
  requestJson<Part<Destination>>(destinationsPath, signal)
export const destinationOf = (id: string, signal: AbortSignal) =>
  requestJson<Destination>(`/api/v1/destinations/${id}`, signal)
export const makeDestination = (terms: Record<string, unknown>) =>
  sendChange<Destination & { signingSecret?: string }>("/api/v1/destinations", terms)
export const changeDestination = (id: string, change: Record<string, unknown>) =>
  sendChange<Destination>(`/api/v1/destinations/${id}`, change, "PATCH")
export const deleteDestination = (id: string) => remove(`/api/v1/destinations/${id}`)
export const testDestination = (id: string) =>
  sendChange<{ ok: boolean; milliseconds: number; error: string | null }>(
    `/api/v1/destinations/${id}/test`,
  )
export const runDeliveriesPath = (id: string) => `/api/v1/destinations/${id}/deliveries?limit=50`
export const runDeliveries = (id: string, signal: AbortSignal) =>
  requestJson<Part<RunDelivery>>(runDeliveriesPath(id), signal)
export const retryDelivery = (id: string, delivery: string) =>
  sendChange<RunDelivery>(`/api/v1/destinations/${id}/deliveries/${delivery}/retry`)
export const retryAll = (id: string) =>
  sendChange<{ queued: number }>(`/api/v1/destinations/${id}/retry`)
