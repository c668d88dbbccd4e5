import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { dayMs } from "../../base/time.ts"
import { purge } from "../../engine/ops/background/purge.ts"
import { backupFailed, NoBackupStorage } from "../../engine/ops/backups/backups.ts"
import { countOlder } from "../../store/runs/deletions.ts"
import { type DiskUse, daysUntilFull } from "../../store/upkeep/disk-use.ts"
import { inUpkeepThread } from "../../store/upkeep/upkeep.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { maybe, responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, OperationParts } from "../service-parts.ts"
import { namedAccount } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

const bytes = (description: string) => Type.Integer({ description })

const shares = (name: string) =>
  Type.Array(
    responseObject({
      name: Type.String({ description: name }),
      runs: Type.Integer(),
      items: Type.Integer(),
      bytes: bytes("Size of inputs, targets, items and files."),
    }),
  )

const diskSchema = responseObject(
  {
    databaseBytes: bytes("Size of the database and its write-ahead log."),
    reusableBytes: bytes("Free space inside the database."),
    fileBytes: bytes(
      "Size of the files of runs in the data folder, for example screenshots and PDFs.",
    ),
    freeBytes: bytes("Free space on the disk of the data folder."),
    bytesPerDay: bytes(
      "Average growth per day over the last seven days, without what was deleted.",
    ),
    daysUntilFull: maybe(
      Type.Integer({
        description:
          "Days until the disk is full at this growth; null if retention keeps the size within the limits.",
      }),
    ),
    accounts: shares("Account ID, or `keyless`."),
    scrapers: shares("Slug of the scraper."),
    ages: shares("Age of the runs."),
  },
  { $id: "Disk" },
)
export type Disk = Static<typeof diskSchema>

const pruneSchema = Type.Object(
  {
    days: Type.Integer({
      minimum: 0,
      description: "Delete runs that finished more than this many days ago.",
    }),
    account: Type.Optional(
      Type.String({ description: "Only this account: ID, email address or `keyless`." }),
    ),
    scraper: Type.Optional(Type.String({ description: "Only runs of this scraper." })),
    dryRun: Type.Boolean({ default: false, description: "Count the runs without deleting them." }),
  },
  { additionalProperties: false },
)

const prunedSchema = responseObject(
  { runs: Type.Integer(), items: Type.Integer() },
  { $id: "Pruned" },
)

const backupSchema = responseObject(
  { name: Type.String(), bytes: bytes("Its size."), madeAt: time("Time of creation.") },
  { $id: "Backup" },
)
const backupsSchema = responseObject({ items: Type.Array(backupSchema) }, { $id: "BackupList" })

/** Maximum time to delete within the call; the rest is deleted in the background. */
const purgeMs = 20_000

/** Disk use, manual deletion and backups. */
export function upkeepAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & OperationParts,
): AnyElysia {
  const { store, config, backups } = service
  const { db } = store
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      Disk: responseSchema(diskSchema),
      Pruned: responseSchema(prunedSchema),
      Backup: responseSchema(backupSchema),
      BackupList: responseSchema(backupsSchema),
    })
    .get(
      "/disk",
      async () => {
        if (store.isShared)
          throw new ApiError(
            409,
            "The data is in PostgreSQL: use PostgreSQL's own tools to measure it.",
          )
        const use: DiskUse = await inUpkeepThread((thread) => thread.diskUse(config.dataDir))
        return { ...use, daysUntilFull: daysUntilFull(use, config.retentionDays) }
      },
      {
        owner: true,
        response: { 200: "Disk" },
        detail: operation({
          id: "adminDisk",
          tag: "Administration",
          summary: "Get disk use by account, scraper and age, with a forecast",
          auth: "owner",
          replies: { 200: "The 50 largest of each." },
        }),
      },
    )
    .post(
      "/prune",
      async ({ body: { days, account, scraper, dryRun } }) => {
        const now = new Date()
        const older = {
          before: new Date(now.getTime() - days * dayMs).toISOString(),
          ...(account && {
            accountId: account === "keyless" ? null : (await namedAccount(db, account)).id,
          }),
          ...(scraper && { slug: scraper }),
        }
        const counts = await countOlder(db, older)
        if (dryRun || counts.runs === 0) return counts
        const at = now.toISOString()
        while ((await store.write("runs.deleteOlder", { ...older, at })) > 0);
        service.log.info({ ...counts, days }, "runs were deleted by an administrator")
        await purge(store, config, AbortSignal.timeout(purgeMs))
        return counts
      },
      {
        owner: true,
        ownerJson: true,
        body: requestSchema.body(pruneSchema),
        response: { 200: "Pruned" },
        detail: operation({
          id: "adminPrune",
          tag: "Administration",
          summary: "Delete runs that ended some time ago, with their items",
          auth: "owner",
          examples: { month: { value: { days: 30, scraper: "website-content-crawler" } } },
          replies: { 200: "Number of runs." },
          refusals: [400, 404],
        }),
      },
    )
    .get("/backups", async () => ({ items: await backups.list() }), {
      owner: true,
      response: { 200: "BackupList" },
      detail: operation({
        id: "adminListBackups",
        tag: "Administration",
        summary: "List the backups, newest first",
        auth: "owner",
        replies: { 200: "The backups." },
      }),
    })
    .post(
      "/backups",
      async () => {
        try {
          const made = await backups.make()
          service.log.info({ backup: made.name, bytes: made.bytes }, "a backup was made")
          return made
        } catch (error) {
          if (error instanceof NoBackupStorage) throw new ApiError(409, error.message)
          service.log.error(backupFailed(error))
          const message = backupFailed(error).replace(/[.\s]*$/, ".")
          throw new ApiError(502, `${message} Check TRAWL_BACKUP_TO, and make a backup again.`)
        }
      },
      {
        owner: true,
        response: { 200: "Backup" },
        detail: operation({
          id: "adminBackUp",
          tag: "Administration",
          summary: "Back up the database to `TRAWL_BACKUP_TO` now",
          auth: "owner",
          replies: { 200: "The checked backup." },
          refusals: [409, 502],
        }),
      },
    )
}
