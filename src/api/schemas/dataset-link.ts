import { type Static, Type } from "@sinclair/typebox"
import { dayMs } from "../../base/time.ts"
import type { DatasetLinkRow } from "../../store/runs/dataset-links.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { responseObject, time } from "./common.ts"

const link = {
  id: Type.String({ description: "`lnk_…`" }),
  createdAt: time("Time of creation."),
  expiresAt: time("Time of expiry."),
  hasPassword: Type.Boolean({ description: "Whether it needs a password." }),
}

export const datasetLinkSchema = responseObject(link, { $id: "DatasetLink" })
export const newDatasetLinkSchema = responseObject(
  {
    ...link,
    url: Type.String({
      format: "uri",
      description: "URL that returns the items without a key; only this response contains it.",
    }),
    pageUrl: Type.String({
      format: "uri",
      description:
        "URL of a page with the items as a table, with search and downloads; returned only once.",
    }),
  },
  { $id: "NewDatasetLink" },
)

const usualDays = 7
const maxDays = 366

export const newDatasetLinkBody = Type.Object(
  {
    expiresAt: Type.Optional(
      time(`Time of expiry; default after ${usualDays} days, maximum ${maxDays} days.`),
    ),
    password: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 200,
        writeOnly: true,
        description: "Password that opens the link (6-200 characters); stored as a hash.",
      }),
    ),
  },
  { additionalProperties: false },
)

export const unlockBody = Type.Object(
  {
    link: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The link's `link` parameter.",
    }),
    password: Type.String({ minLength: 1, maxLength: 200, writeOnly: true }),
  },
  { additionalProperties: false },
)

export const unlockedSchema = responseObject(
  {
    link: Type.String({ description: "`link` parameter that opens the items." }),
    expiresAt: time("Time of expiry."),
  },
  { $id: "UnlockedDatasetLink" },
)

/** @throws ApiError 400 */
export function linkEnd({ expiresAt }: Static<typeof newDatasetLinkBody>, now: Date): string {
  if (expiresAt === undefined) return new Date(now.getTime() + usualDays * dayMs).toISOString()
  const end = Date.parse(expiresAt)
  if (end > now.getTime() && end <= now.getTime() + maxDays * dayMs) {
    return new Date(end).toISOString()
  }
  const expected = `a time within the next ${maxDays} days`
  const refusal = issue("expiresAt", `"expiresAt" must be ${expected}.`, expected)
  throw invalid([{ ...refusal, actual: expiresAt }], "body")
}

export function datasetLinkResponse(row: DatasetLinkRow) {
  return {
    id: row.id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    hasPassword: row.password_hash !== null,
  }
}
