import { type AnyElysia, Elysia } from "elysia"
import { newSecret, sha256 } from "../../accounts/secrets.ts"
import { newId } from "../../store/db/ids.ts"
import { datasetLinks, openDatasetLink } from "../../store/runs/dataset-links.ts"
import { runOfDataset } from "../../store/runs/datasets.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callerOf, limitCalls, requireAccount } from "../http/access.ts"
import { readJson } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { openCors } from "../http/cors.ts"
import { ApiError, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  cursorListed,
  cursorListOf,
  cursorQuery,
  cursors,
  pathId,
  query,
} from "../schemas/common.ts"
import { datasetParams } from "../schemas/dataset.ts"
import {
  datasetLinkResponse,
  datasetLinkSchema,
  linkEnd,
  newDatasetLinkBody,
  newDatasetLinkSchema,
  unlockBody,
  unlockedSchema,
} from "../schemas/dataset-link.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import { LinkPasswords, providedLink, requireUnlocked } from "./link-passwords.ts"

/** Maximum links per dataset. */
const maxLinks = 100

/** Links that open a dataset without an API key. */
export function datasetLinkRoutes(service: CoreParts & ClientParts & AccessParts): AnyElysia {
  const { store } = service
  const passwords = new LinkPasswords(service)
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      DatasetLinkList: responseSchema(cursorListOf(datasetLinkSchema, "DatasetLinkList")),
      NewDatasetLink: responseSchema(newDatasetLinkSchema),
      UnlockedDatasetLink: responseSchema(unlockedSchema),
    })
    .get(
      "/datasets/:datasetId/links",
      async ({ accountId, params, query: page }) => {
        const { dataset_id: id } = await ownDataset(service, accountId, params.datasetId)
        const links = await datasetLinks(store.db, id, new Date().toISOString(), page)
        return cursorListed(links, links.rows.map(datasetLinkResponse), page)
      },
      {
        account: true,
        params: requestSchema.params(datasetParams),
        query: requestSchema.query(query(cursorQuery(cursors.id("lnk")))),
        response: { 200: "DatasetLinkList" },
        detail: operation({
          id: "listDatasetLinks",
          tag: "Datasets",
          summary: "List the links of a dataset, newest first",
          replies: { 200: "The links." },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/datasets/:datasetId/links",
      async ({ accountId, params, body, root, set }) => {
        const { dataset_id: id } = await ownDataset(service, accountId, params.datasetId)
        const now = new Date()
        const secret = newSecret()
        const link = {
          id: newId("lnk"),
          hash: sha256(secret),
          dataset_id: id,
          account_id: accountId,
          created_at: now.toISOString(),
          expires_at: linkEnd(body, now),
          password_hash:
            body.password === undefined
              ? null
              : await service.accounts.passwords.hash(body.password),
        }
        const made = await store.write("datasets.link", { ...link, maximum: maxLinks })
        if (!made) requireBelowLimit(maxLinks, maxLinks, "links to one dataset")
        set.status = 201
        set.headers["cache-control"] = "no-store"
        const url = `${root}/api/v1/datasets/${id}/items?link=${secret}`
        const pageUrl = `${root}/shared/${id}?link=${secret}`
        return { ...datasetLinkResponse(link), url, pageUrl }
      },
      {
        account: true,
        fullKey: true,
        root: true,
        params: requestSchema.params(datasetParams),
        json: true,
        body: requestSchema.body(newDatasetLinkBody),
        response: { 201: "NewDatasetLink" },
        detail: operation({
          id: "createDatasetLink",
          tag: "Datasets",
          summary:
            "Create a link that opens this dataset without a key; only this response contains it",
          description:
            "The link gives access to the items of this dataset in every format, also for scripts of any origin, and to nothing else.",
          examples: { untilThen: { value: {} } },
          replies: { 201: "The link." },
          refusals: [400, 403, 404, 409],
        }),
      },
    )
    .post(
      "/datasets/:datasetId/links/unlock",
      ({ call, params, body, set }) => {
        set.headers["cache-control"] = "no-store"
        return passwords.unlock(call, params.datasetId, body.link, body.password)
      },
      {
        call: true,
        params: requestSchema.params(datasetParams),
        parse: ({ request }) => readJson(request),
        body: requestSchema.body(unlockBody),
        response: { 200: "UnlockedDatasetLink" },
        detail: operation({
          id: "unlockDatasetLink",
          tag: "Datasets",
          summary: "Open a link that has a password",
          description: "Returns a `link` parameter that gives access to the items for 12 hours.",
          auth: "none",
          examples: { password: { value: { link: "0abc…", password: "correct horse" } } },
          replies: { 200: "The unlocked link." },
          refusals: [400, 401, 404, 429],
        }),
      },
    )
    .delete(
      "/datasets/:datasetId/links/:linkId",
      async ({ accountId, params, set }) => {
        const { dataset_id: datasetId } = await ownDataset(service, accountId, params.datasetId)
        const revoked = await store.write("datasets.unlink", { id: params.linkId, datasetId })
        if (!revoked) throw notFound("link", params.linkId)
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params({ ...datasetParams, linkId: pathId("link", "lnk") }),
        detail: operation({
          id: "revokeDatasetLink",
          tag: "Datasets",
          summary: "Revoke a link to a dataset",
          replies: { 204: "Revoked." },
          refusals: [404],
        }),
      },
    )
}

/**
 * The run whose items a caller may read: a run of its account, or the one of its link. @throws
 * ApiError
 */
export async function readableDataset(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  datasetId: string,
  link: string | undefined,
): Promise<RunRow> {
  if (link === undefined) {
    await requireAccount(service, call)
    return ownDataset(service, callerOf(call.request).accountId, datasetId)
  }
  Object.assign(call.set.headers, openCors)
  limitCalls(call, service.limit, service.callerKey(call))
  const provided = providedLink(link)
  const wanted = { hash: sha256(provided.secret), datasetId, now: new Date().toISOString() }
  const opened = await openDatasetLink(service.store.db, wanted)
  if (!opened) {
    throw new ApiError(
      404,
      "This link has expired, was revoked, or belongs to another dataset. Ask the person who shared it for a new one.",
    )
  }
  requireUnlocked(opened, provided)
  return ownDataset(service, opened.account_id, datasetId)
}

/** @throws ApiError 404 */
export async function ownDataset(
  service: CoreParts,
  accountId: string,
  id: string,
): Promise<RunRow> {
  const run = await runOfDataset(service.store.db, { id, accountId })
  if (!run) throw notFound("dataset", id)
  return run
}
