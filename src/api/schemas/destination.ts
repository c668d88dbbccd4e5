import { type Static, Type } from "@sinclair/typebox"
import { expectedWords, oneOf } from "../../catalogue/kit/index.ts"
import {
  type DestinationKind,
  type DestinationOptions,
  defaultBatchSize,
  defaultRegion,
  defaultSchema,
  destinationKinds,
  objectFormats,
} from "../../engine/ops/destinations/model/options.ts"
import type { DestinationRow } from "../../store/destinations/destinations.ts"
import type { DeliveryCounts, RunDeliveryRow } from "../../store/destinations/run-deliveries.ts"
import { maybe, pathId, responseObject, time } from "./common.ts"

const kinds = Object.keys(destinationKinds) as DestinationKind[]
const described = kinds.map((kind) => `\`${kind}\`: ${destinationKinds[kind]}`).join("; ")
const timings = ["as_they_come", "at_end"] as const
const identifier = "^[A-Za-z_][A-Za-z0-9_]{0,62}$"
const identifierWords =
  "a name of at most 63 letters, digits and _, which does not start with a digit"

const fields = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        "URL of the database (`postgres://user:password@host/database?sslmode=verify-full`), of the receiver, or of a storage that is not Amazon's. It is stored encrypted.",
    }),
  ),
  table: Type.Optional(
    Type.String({
      pattern: identifier,
      [expectedWords]: identifierWords,
      description: "Table of `postgres`; it is created if it is missing.",
    }),
  ),
  schema: Type.Optional(
    Type.String({
      pattern: identifier,
      [expectedWords]: identifierWords,
      description: `Schema of the table (default ${defaultSchema}).`,
    }),
  ),
  uniqueBy: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 10,
      description:
        "Fields that identify an item: a later item with the same values replaces its row. Default: `uniqueBy` of the run; without one, each item is a row.",
    }),
  ),
  bucket: Type.Optional(
    Type.String({
      pattern: "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
      [expectedWords]: "a bucket name of 3 to 63 small letters, digits, hyphens and dots",
      description: "Bucket of `s3`.",
    }),
  ),
  region: Type.Optional(
    Type.String({
      pattern: "^[a-z0-9-]{1,40}$",
      [expectedWords]: "a region, for example eu-central-1",
      description: `Region of the bucket (default ${defaultRegion}).`,
    }),
  ),
  accessKeyId: Type.Optional(
    Type.String({ pattern: "^[\\x21-\\x7e]{1,200}$", [expectedWords]: "an access key ID" }),
  ),
  secretAccessKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "Stored encrypted." }),
  ),
  path: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: "^[A-Za-z0-9_=-][A-Za-z0-9._=-]*(?:/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*$",
      [expectedWords]: "names of letters, digits, . _ = -, separated by /",
      description: "Path in the bucket of `s3`, or in the folder of `folder`.",
    }),
  ),
  format: Type.Optional(
    oneOf(objectFormats, {
      description: "Format of the files of `s3` and `folder` (default jsonl).",
    }),
  ),
  batchSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: `Maximum items of a request of \`webhook\` (1-1000, default ${defaultBatchSize}).`,
    }),
  ),
  deliver: Type.Optional(
    oneOf(timings, {
      description:
        "`as_they_come`: while the run continues (default of `postgres` and `webhook`); `at_end`: when it has finished.",
    }),
  ),
}

const name = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,62}$",
  [expectedWords]:
    "a name of at most 63 small letters, digits, dots, _ and -, for example warehouse",
  description: "Name, by which runs choose it.",
})
const scraper = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Slug of a scraper or recipe: all its runs are delivered.",
})
const schedule = Type.String({
  pattern: "^sch_[0-9a-f]{32}$",
  [expectedWords]: "the ID of a schedule, `sch_…`",
  description: "ID of a schedule: all its runs are delivered.",
})

export const newDestinationBody = Type.Object(
  {
    name,
    kind: oneOf(kinds, { description: described }),
    ...fields,
    scraper: Type.Optional(scraper),
    schedule: Type.Optional(schedule),
  },
  { additionalProperties: false },
)
export const destinationChange = Type.Object(
  {
    name: Type.Optional(name),
    ...fields,
    scraper: Type.Optional(maybe(scraper)),
    schedule: Type.Optional(maybe(schedule)),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type NewDestination = Static<typeof newDestinationBody>
export type DestinationChange = Static<typeof destinationChange>

/** A destination of a run, batch, schedule or recipe. */
export const chosenDestination = Type.String({
  pattern: "^[a-z0-9][a-z0-9._-]{0,62}$",
  [expectedWords]: "the name of a destination of the account",
  description: "Name of the destination that receives the items: see `/api/v1/destinations`.",
})

const count = (description: string) => Type.Integer({ description })

const destination = {
  id: Type.String({ description: "`dst_…`" }),
  name: Type.String(),
  kind: oneOf(kinds),
  target: Type.String({ description: "The part of the address that is not secret." }),
  table: Type.Optional(Type.String()),
  schema: Type.Optional(Type.String()),
  uniqueBy: Type.Optional(Type.Array(Type.String())),
  bucket: Type.Optional(Type.String()),
  region: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  format: Type.Optional(oneOf(objectFormats)),
  batchSize: Type.Optional(Type.Integer()),
  deliver: oneOf(timings),
  scraper: maybe(Type.String({ description: "All runs of this scraper are delivered." })),
  schedule: maybe(Type.String({ description: "All runs of this schedule are delivered." })),
  enabled: Type.Boolean(),
  deliveries: responseObject(
    {
      waiting: count("Runs that are not delivered to the end."),
      delivered: count("Delivered runs of the last 30 days."),
      failed: count("Runs that were given up; `retry` delivers them again."),
    },
    { description: "Number of deliveries by state." },
  ),
  itemCount: count("Items of these runs."),
  lastDeliveredAt: maybe(time("Time of the last delivery.")),
  lastFailedAt: maybe(time("Time of the last failed attempt.")),
  lastError: maybe(
    Type.String({ description: "Error of the last failed attempt; null after a success." }),
  ),
  nextAttemptAt: maybe(time("No attempt before this time, after failures.")),
  createdAt: time("Time of creation."),
}
export const destinationSchema = responseObject(destination, { $id: "Destination" })
export const ownedDestinationSchema = responseObject(
  { ...destination, accountId: Type.String() },
  { $id: "AdminDestination" },
)
export const newDestinationSchema = responseObject(
  {
    ...destination,
    signingSecret: Type.Optional(
      Type.String({
        description: "Of a webhook: `whsec_…`, which signs its requests. It is returned only once.",
      }),
    ),
  },
  { $id: "NewDestination" },
)

export const destinationTestSchema = responseObject(
  {
    ok: Type.Boolean(),
    milliseconds: Type.Integer(),
    error: maybe(Type.String({ description: "Reason if the probe failed." })),
  },
  { $id: "DestinationTest" },
)

export const runDeliverySchema = responseObject(
  {
    id: Type.String({ description: "`rdl_…`" }),
    runId: Type.String(),
    pass: count("0; more for the targets that a retry or a resumed run added."),
    state: oneOf(["waiting", "delivered", "failed"]),
    itemCount: count("Items delivered so far."),
    partCount: count("Transactions, files or requests so far."),
    attempts: count("Failed attempts since the last success."),
    nextAttemptAt: maybe(time("Time of the next attempt; null when it has ended.")),
    error: maybe(Type.String({ description: "Error of the last attempt." })),
    notes: Type.Array(Type.String(), {
      description: "Differences from the items, for example a column that became text.",
    }),
    createdAt: time("Time of queueing."),
    endedAt: maybe(time("Time at which it was delivered or given up.")),
  },
  { $id: "RunDelivery" },
)

export const redeliveredSchema = responseObject(
  { queued: count("Deliveries that are attempted again.") },
  { $id: "Redelivered" },
)

export const destinationParams = { destinationId: pathId("destination", "dst") }
export const runDeliveryParams = { ...destinationParams, deliveryId: pathId("delivery", "rdl") }

const none = { waiting: 0, delivered: 0, failed: 0, items: 0 }

export function destinationResponse(
  row: DestinationRow,
  counts: DeliveryCounts & { items: number } = none,
) {
  const { items, ...deliveries } = counts
  const options = JSON.parse(row.options) as DestinationOptions
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    target: row.target,
    ...options,
    deliver: row.timing,
    scraper: row.scraper,
    schedule: row.schedule_id,
    enabled: row.disabled_at === null,
    deliveries,
    itemCount: items,
    lastDeliveredAt: row.delivered_at,
    lastFailedAt: row.failed_at,
    lastError: row.error,
    nextAttemptAt: row.retry_at,
    createdAt: row.created_at,
  }
}

export function runDeliveryResponse(row: RunDeliveryRow) {
  return {
    id: row.id,
    runId: row.run_id,
    pass: row.pass,
    state: row.state,
    itemCount: row.items,
    partCount: row.parts,
    attempts: row.tries,
    nextAttemptAt: row.next_at,
    error: row.error,
    notes: JSON.parse(row.notes) as string[],
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}
