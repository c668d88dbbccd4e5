import { newWebhookSecret } from "../../engine/ops/notifications/signature.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import { scheduleById } from "../../store/automation/schedules.ts"
import {
  type DestinationRow,
  destinationById,
  destinationByName,
} from "../../store/destinations/destinations.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid, notFound, requireBelowLimit } from "../http/errors.ts"
import type { DestinationChange, NewDestination } from "../schemas/destination.ts"
import type { CoreParts } from "../service-parts.ts"
import { checkedDestination, wrong } from "./checks.ts"

const maxDestinations = 50

interface Parts extends CoreParts {
  /** Whether the account has a scraper or recipe with this slug. */
  knowsScraper(accountId: string, slug: string): Promise<boolean>
}

/** @throws ApiError 400, 403, 409 */
export async function createDestination(
  service: Parts,
  { id, accountId }: { id: string; accountId: string },
  body: NewDestination,
): Promise<DestinationRow> {
  const { store } = service
  const { name, kind, deliver, scraper = null, schedule = null } = body
  const isAdministrator = await administers(service, accountId)
  const { name: _, kind: __, ...parts } = body
  const { options, secret, target } = checkedDestination(
    service,
    kind,
    parts,
    undefined,
    isAdministrator,
  )
  await checkFilters(service, accountId, { scraper, schedule })
  const usual = kind === "postgres" || kind === "webhook" ? "as_they_come" : "at_end"
  const ofWebhook = kind === "webhook" && { signingSecret: newWebhookSecret() }
  const now = new Date().toISOString()
  const row = await store.write("destinations.create", {
    maximum: maxDestinations,
    id,
    account_id: accountId,
    name,
    kind,
    target,
    options: JSON.stringify(options),
    secret: store.secrets.close(JSON.stringify({ ...secret, ...ofWebhook }), id),
    timing: deliver ?? usual,
    scraper,
    schedule_id: schedule,
    created_at: now,
    updated_at: now,
  })
  if (row === "full") requireBelowLimit(maxDestinations, maxDestinations, "destinations")
  if (row === "taken") throw nameInUse(name)
  return row as DestinationRow
}

/** @throws ApiError 400, 403, 404, 409 */
export async function changeDestination(
  service: Parts,
  row: DestinationRow,
  change: DestinationChange,
): Promise<DestinationRow> {
  if (Object.keys(change).length === 0)
    throw new ApiError(400, "The body contains no change. Send at least one field to change.", [])
  const { store } = service
  const { id, account_id: accountId, kind } = row
  const { name, deliver, scraper, schedule, enabled } = change
  const secret = store.secrets.opens(row.secret) ? store.secrets.open(row.secret, id) : "{}"
  const before = { options: JSON.parse(row.options), secret: JSON.parse(secret) }
  const isAdministrator = await administers(service, accountId)
  const checked = checkedDestination(service, kind, change, before, isAdministrator)
  await checkFilters(service, accountId, { scraper: scraper ?? null, schedule: schedule ?? null })
  const now = new Date().toISOString()
  const changed = await store.write("destinations.change", {
    id,
    accountId,
    set: {
      options: JSON.stringify(checked.options),
      secret: store.secrets.close(JSON.stringify(checked.secret), id),
      target: checked.target,
      // The reason of earlier failures may be gone.
      failures: 0,
      retry_at: null,
      updated_at: now,
      ...(name !== undefined && { name }),
      ...(deliver !== undefined && { timing: deliver }),
      ...(scraper !== undefined && { scraper }),
      ...(schedule !== undefined && { schedule_id: schedule }),
      ...(enabled === true && { disabled_at: null }),
      ...(enabled === false && { disabled_at: row.disabled_at ?? now }),
    },
  })
  if (changed === "taken") throw nameInUse(name!)
  if (!changed) throw notFound("destination", id)
  return changed
}

/** The signing secret of a new webhook; undefined for other kinds. */
export function signingSecretOf({ store }: CoreParts, row: DestinationRow): string | undefined {
  if (row.kind !== "webhook") return undefined
  return JSON.parse(store.secrets.open(row.secret, row.id)).signingSecret
}

/** Finds a destination by its ID or its name. @throws ApiError 404 */
export async function ownDestination(
  { store }: CoreParts,
  accountId: string,
  idOrName: string,
): Promise<DestinationRow> {
  const row =
    (await destinationById(store.db, { id: idOrName, accountId })) ??
    (await destinationByName(store.db, { name: idOrName, accountId }))
  if (!row) throw notFound("destination", idOrName)
  return row
}

/** Checks the destination that a call chooses, if it chooses one. @throws ApiError 400 */
export async function checkDestination(
  service: CoreParts,
  accountId: string,
  name: string | null | undefined,
  source: "query" | "body" = "body",
): Promise<void> {
  if (name !== null && name !== undefined) {
    await requireDestination(service, accountId, name, source)
  }
}

/** @throws ApiError 400 if there is no such destination, or it is switched off */
export async function requireDestination(
  { store }: CoreParts,
  accountId: string,
  name: string,
  source: "query" | "body" = "body",
): Promise<DestinationRow> {
  const row = await destinationByName(store.db, { name, accountId })
  if (row?.disabled_at === null) return row
  const message = row
    ? `The destination "${name}" is disabled. Enable it, or name another one.`
    : `There is no destination "${name}". Create it with POST /api/v1/destinations or in the console.`
  const expected = "a name of /api/v1/destinations"
  throw invalid([{ ...issue("destination", message, expected), actual: name }], source)
}

async function administers({ store }: CoreParts, accountId: string): Promise<boolean> {
  return (await accountById(store.db, accountId))?.role === "owner"
}

async function checkFilters(
  service: Parts,
  accountId: string,
  { scraper, schedule }: { scraper: string | null; schedule: string | null },
): Promise<void> {
  if (scraper !== null && !(await service.knowsScraper(accountId, scraper))) {
    throw wrong(
      "scraper",
      `There is no scraper "${scraper}". GET /api/v1/scrapers lists all.`,
      "a slug of /api/v1/scrapers",
    )
  }
  if (schedule === null) return
  if (await scheduleById(service.store.db, { id: schedule, accountId })) return
  throw wrong("schedule", `There is no schedule "${schedule}".`, "an ID of /api/v1/schedules")
}

function nameInUse(name: string): ApiError {
  return new ApiError(409, `There is a destination "${name}" already; choose another name.`)
}
