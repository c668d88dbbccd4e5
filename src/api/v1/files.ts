import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { opensFile } from "../../accounts/file-links.ts"
import { type FileRow, fileById, filesOfRun } from "../../store/files/files.ts"
import { callerOf, limitCalls, requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { openCors } from "../http/cors.ts"
import { notFound } from "../http/errors.ts"
import { fileResponse as responseWith } from "../http/file-response.ts"
import { operation } from "../http/operation.ts"
import { cursorListed, cursorListOf, cursorQuery, pathId, query } from "../schemas/common.ts"
import { fileResponse, fileSchema } from "../schemas/file.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts, ResultParts } from "../service-parts.ts"
import { ownRun } from "./runs.ts"

const fileParams = { fileId: pathId("file", "file") }
/** Index of a target and a file name. */
const fileCursor = "^[0-9]{1,9}\\.[a-z0-9.-]{1,80}$"
const linkQuery = query({
  until: Type.Optional(
    Type.String({ pattern: "^[0-9]{1,12}$", description: "Expiry of a link that needs no key." }),
  ),
  signature: Type.Optional(
    Type.String({
      pattern: "^[0-9a-f]{64}$",
      description: "Signature of a link that needs no key.",
    }),
  ),
})

const contents = responseSchema(Type.Unknown({ description: "Content of the file." }))

type Link = Static<typeof linkQuery>

/** Files that runs made from pages. */
export function fileRoutes(
  service: CoreParts & ClientParts & AccessParts & ResultParts,
): AnyElysia {
  const { store, files } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ FileList: responseSchema(cursorListOf(fileSchema, "FileList")) })
    .get(
      "/files/:fileId",
      async ({ call, params, query: link }) => {
        const file = await readableFile(service, call, params.fileId, link)
        const reply = await responseWith(call.request, file, (range) => files.open(file, range))
        if (!reply) throw notFound("file", params.fileId)
        if (file.account_id === null) setAll(reply.headers, openCors)
        return reply
      },
      {
        call: true,
        params: requestSchema.params(fileParams),
        query: requestSchema.query(linkQuery),
        response: { 200: contents, 206: contents },
        detail: operation({
          id: "getFile",
          tag: "Files",
          summary: "Get a screenshot or PDF of a run",
          description:
            "Files of keyless runs need only their URL, for 24 hours. Links in responses of the compatible APIs are valid for a day without a key. Supports `Range` and `If-None-Match`.",
          replies: {
            200: {
              description: "The file.",
              types: ["image/png", "image/jpeg", "image/webp", "application/pdf"],
            },
            206: {
              description: "The requested range.",
              types: ["image/png", "image/jpeg", "image/webp", "application/pdf"],
            },
            304: "The client's copy is current.",
            416: "The range starts after the end of the file.",
          },
          refusals: [400, 404],
        }),
      },
    )
    .delete(
      "/files/:fileId",
      async ({ accountId, params, set }) => {
        const at = new Date().toISOString()
        const file = await fileById(store.db, params.fileId, at)
        if (file?.account_id !== accountId) throw notFound("file", params.fileId)
        await store.write("files.remove", { id: file.id, at })
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params(fileParams),
        detail: operation({
          id: "deleteFile",
          tag: "Files",
          summary: "Delete a file; the item that names it stays",
          replies: { 204: "Deleted." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/runs/:runId/files",
      async ({ accountId, root, params, query: page }) => {
        const run = await ownRun(service, accountId, params.runId)
        const now = new Date().toISOString()
        const files = await filesOfRun(store.db, run.n, { ...page, now })
        const visible = files.rows.map((file) => fileResponse(file, root))
        return cursorListed(files, visible, page)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params({ runId: pathId("run", "run") }),
        query: requestSchema.query(query(cursorQuery(fileCursor))),
        response: { 200: "FileList" },
        detail: operation({
          id: "listFiles",
          tag: "Files",
          summary: "List the files of a run in the order of its targets",
          replies: { 200: "The files." },
          refusals: [400, 404],
        }),
      },
    )
}

/**
 * A file of a keyless run is readable by its ID; a file of an account needs the account's key or a
 * link.
 */
async function readableFile(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
  link: Link,
): Promise<FileRow> {
  const { db } = service.store
  const file = await fileById(db, id, new Date().toISOString())
  if (file && (file.account_id === null || (await opensFile(db, id, link)))) {
    limitCalls(call, service.limit, service.callerKey(call))
    return file
  }
  await requireAccount(service, call)
  if (!file || file.account_id !== callerOf(call.request).accountId) throw notFound("file", id)
  return file
}

function setAll(headers: Headers, values: Record<string, string>): void {
  for (const [name, value] of Object.entries(values)) headers.set(name, value)
}
