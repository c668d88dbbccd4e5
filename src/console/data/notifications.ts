import type { Part } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"

export interface Channel {
  id: string
  kind: Kind
  name: string | null
  /** The host or the email addresses. The full URL is a secret and is not returned. */
  target: string
  events: EventName[]
  template: Template | null
  enabled: boolean
  disabledReason: string | null
  lastDelivery: { state: Delivery["state"]; at: string; error: string | null } | null
}

/** A user's own text for notifications. */
export interface Template {
  title?: string
  text?: string
}

export const placeholders =
  "{monitor} {name} {old} {new} {change} {url} {monitorUrl} {scraper} {event} {link} {title} {text}"

export interface Delivery {
  id: string
  event: string
  runId: string | null
  state: "pending" | "delivered" | "failed" | "gathered"
  nextTryAt: string | null
  createdAt: string
  tries: { at: string; status: number | null; error: string | null; milliseconds: number }[]
  payload: unknown
}

export type Kind = (typeof kinds)[number][0]

/** Kinds of channels, each with its fields. */
export const kinds = [
  ["email", "Email", ["to"]],
  ["ntfy", "ntfy", ["url", "token"]],
  ["browser", "This browser", []],
  ["telegram", "Telegram", ["token", "room"]],
  ["pushover", "Pushover", ["token", "user"]],
  ["slack", "Slack, Mattermost", ["url"]],
  ["discord", "Discord", ["url"]],
  ["teams", "Teams", ["url"]],
  ["google-chat", "Google Chat", ["url"]],
  ["matrix", "Matrix", ["url", "room", "token"]],
  ["post", "JSON by POST", ["url", "token"]],
  ["webhook", "Webhook, signed", ["url"]],
] as const

export const kindName = (kind: Kind) =>
  kind === "browser" ? "Browser" : (kinds.find(([one]) => one === kind)?.[1] ?? kind)

/** Events, each with its text and whether channels receive it by default. */
export const eventWords = [
  ["run.succeeded", "a run succeeded", false],
  ["run.failed", "a run failed", true],
  ["run.timed_out", "a run exceeded its time limit", true],
  ["run.aborted", "a run was aborted", false],
  ["monitor.changed", "a monitor finds a change", true],
  ["credits.low", "credits are running out", true],
  ["schedule.disabled", "a schedule was disabled", true],
  ["destination.failed", "items could not be delivered", true],
  ["session.expired", "a session has expired", true],
  ["scraper.health", "a scraper stops working or works again", false],
] as const
export const ownerEventWords = [
  ["disk.low", "the disk is nearly full", true],
  ["backup.failed", "a backup failed", true],
] as const
export type EventName = (typeof eventWords | typeof ownerEventWords)[number][0]

export interface ChannelTerms {
  kind: Kind
  name?: string
  url?: string
  token?: string
  room?: string
  user?: string
  to?: string[]
  keys?: { p256dh: string; auth: string }
  events: EventName[]
}

export const channelsPath = "/api/v1/notifications?limit=200"
export const channels = (signal: AbortSignal) => requestJson<Part<Channel>>(channelsPath, signal)
export const channelOf = (id: string, signal: AbortSignal) =>
  requestJson<Channel>(`/api/v1/notifications/${id}`, signal)
export const makeChannel = (terms: ChannelTerms) =>
  sendChange<Channel & { secret?: string }>("/api/v1/notifications", terms)
export const changeChannel = (
  id: string,
  change: { enabled?: boolean; events?: EventName[]; template?: Template | null },
) => sendChange<Channel>(`/api/v1/notifications/${id}`, change, "PATCH")
export const deleteChannel = (id: string) => remove(`/api/v1/notifications/${id}`)
export const testChannel = (id: string) => sendChange<Delivery>(`/api/v1/notifications/${id}/test`)
export const deliveriesPath = (id: string) => `/api/v1/notifications/${id}/deliveries?limit=50`
export const deliveries = (id: string, signal: AbortSignal) =>
  requestJson<Part<Delivery>>(deliveriesPath(id), signal)
/** Sends a delivery of a webhook again. */
export const replay = (id: string, delivery: string) =>
  sendChange<Delivery>(`/api/v1/webhooks/${id}/deliveries/${delivery}/replay`)
export const rotateSecret = (id: string) =>
  sendChange<{ secret: string }>(`/api/v1/webhooks/${id}/rotate-secret`)
