import type { DayOfHealth, State } from "./catalogue.ts"
import { type Part, partPath } from "./part.ts"
import { remove, requestJson, sendChange } from "./request.ts"
import type { Run } from "./runs.ts"

const admin = "/api/admin/v1"

export interface Now {
  work: { queued: number; running: number; workers: number } | null
  chrome: { chromes: number; contexts: number; leases: number } | null
  hosts: {
    waiting: number
    inFlight: number
    suspended: { host: string; reason: string; seconds: number }[]
    quotas: { host: string; requests: number; left: number; without: string }[]
  } | null
  minutes: { at: string; pages: number; failures: number; memoryBytes: number }[]
  runs: (Pick<
    Run,
    "id" | "scraper" | "status" | "statusMessage" | "targetsDone" | "targetsTotal" | "createdAt"
  > & { account: string | null })[]
}

interface Share {
  name: string
  runs: number
  items: number
  bytes: number
}

export interface Disk {
  databaseBytes: number
  reusableBytes: number
  fileBytes: number
  freeBytes: number
  bytesPerDay: number
  daysUntilFull: number | null
  accounts: Share[]
  scrapers: Share[]
}

export interface Backup {
  name: string
  bytes: number
  madeAt: string
}

export interface OwnedAccount {
  id: string
  email: string | null
  role: "owner" | "member"
  credits: { balance: number; unlimited: boolean }
  limits: { callsPerMinute: number | null; runsAtOnce: number | null }
  keys: number
  createdAt: string
  lastUsedAt: string | null
  lockedAt: string | null
}

export interface AccountChange {
  role?: OwnedAccount["role"]
  locked?: boolean
  unlimited?: boolean
  limits?: Partial<OwnedAccount["limits"]>
}

export interface OpenLink {
  url: string
  expiresAt: string
}

export interface Setting {
  name: string
  value: string | null
  isSet: boolean
  source: "environment" | "database" | "default"
  locked: boolean
  secret: boolean
  default: string
  description: string
}

export interface Listed {
  slug: string
  name: string
  health: { state: State; since: string | null; checkedAt: string | null; reason: string | null }
}

interface Figures {
  targets: number
  good: number
  items: number
  errors: Record<string, number>
  medianMs: number | null
}

export interface ScraperHealth {
  health: { days: DayOfHealth[] }
  drifted: string[]
  traffic: { fetchMethod: string; hour: Figures; day: Figures; week: Figures }[]
}

export const nowPath = `${admin}/now`
export const now = (signal: AbortSignal) => requestJson<Now>(nowPath, signal)
export const disk = (signal: AbortSignal) => requestJson<Disk>(`${admin}/disk`, signal)
export const backups = (signal: AbortSignal) =>
  requestJson<{ items: Backup[] }>(`${admin}/backups`, signal)
export const backUp = () => sendChange<Backup>(`${admin}/backups`)

export interface DriftCase {
  scraper: string
  name: string
  storedAt: string
  bytes: number
}
export const driftCases = (signal: AbortSignal) =>
  requestJson<{ items: DriftCase[] }>(`${admin}/drift`, signal)
export const driftPath = ({ scraper, name }: DriftCase) => `${admin}/drift/${scraper}/${name}`

export interface ServiceLine {
  id: number
  at: string
  level: string
  message: string
  details: Record<string, unknown>
}

export const logPath = (level: string, text: string) =>
  `${admin}/log?${new URLSearchParams({ level, ...(text && { text }) })}`
export const log = (level: string, text: string, signal: AbortSignal) =>
  requestJson<{ items: ServiceLine[] }>(logPath(level, text), signal)

export const accountsPath = (search: string, cursor?: string) =>
  partPath(`${admin}/accounts`, 100, cursor) + (search && `&${new URLSearchParams({ search })}`)
export const accounts = (search: string, cursor: string | undefined, signal: AbortSignal) =>
  requestJson<Part<OwnedAccount>>(accountsPath(search, cursor), signal)
export const changeAccount = (id: string, change: AccountChange) =>
  sendChange<OwnedAccount>(`${admin}/accounts/${id}`, change, "PATCH")
export const grantCredits = (id: string, amount: number) =>
  sendChange<OwnedAccount>(`${admin}/accounts/${id}/credits`, { amount })
export const invite = (terms: { email?: string; credits?: number }) =>
  sendChange<OpenLink & { emailed: boolean }>(`${admin}/invitations`, terms)
export const passwordLink = (id: string) =>
  sendChange<OpenLink>(`${admin}/accounts/${id}/password-link`)

export const settingsPath = `${admin}/settings`
export const settings = (signal: AbortSignal) =>
  requestJson<{ items: Setting[] }>(settingsPath, signal)
export const setSetting = (name: string, value: string) =>
  sendChange<Setting>(`${settingsPath}/${name}`, { value }, "PUT")
export const unsetSetting = (name: string) => remove(`${settingsPath}/${name}`)

export const scrapers = (signal: AbortSignal) =>
  requestJson<Part<Listed>>("/api/v1/scrapers", signal)
export const scraperHealth = (slug: string, signal: AbortSignal) =>
  requestJson<ScraperHealth>(`${admin}/scrapers/${slug}/health`, signal)
/** Returns the health of all scrapers in the last seven days. */
export const healthOfAll = (signal: AbortSignal) =>
  requestJson<{ items: { scraper: string; days: DayOfHealth[] }[] }>("/api/v1/health", signal)
const checksPath = `${admin}/checks`
export const checks = (signal?: AbortSignal) =>
  requestJson<{ pending: { scraper: string }[] }>(checksPath, signal)
export const check = (slugs: string[]) =>
  sendChange<{ pending: { scraper: string }[] }>(checksPath, { scrapers: slugs })
