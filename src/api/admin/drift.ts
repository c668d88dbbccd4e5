import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { expectedWords } from "../../catalogue/kit/index.ts"
import { driftName } from "../../engine/ops/health/names.ts"
import { caseFiles, caseName, storedCases } from "../../engine/ops/health/stored-cases.ts"
import { ZipWriter } from "../../export/zip.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { streamed } from "../http/stream.ts"
import { responseObject, time } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../service-parts.ts"
import { slugParameter } from "../v1/scrapers.ts"
import { adminPrefix } from "./prefix.ts"

const listSchema = responseObject(
  {
    items: Type.Array(
      responseObject({
        scraper: Type.String(),
        name: Type.String({ description: "Name of the case, unique for its scraper." }),
        storedAt: time("Time at which the scraper was found broken."),
        bytes: Type.Integer(),
        url: Type.String({ format: "uri", description: "URL of the case as an archive." }),
      }),
    ),
  },
  { $id: "DriftCaseList" },
)

/** Recorded responses of sites at the time a scraper failed, for its repair. */
export function driftAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): AnyElysia {
  const folder = join(service.config.dataDir, driftName)
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ DriftCaseList: responseSchema(listSchema) })
    .get(
      "/drift",
      async ({ root }) => ({
        items: (await storedCases(folder)).map(({ scraper, name, storedAt, bytes }) => ({
          scraper,
          name,
          storedAt: storedAt.toISOString(),
          bytes,
          url: `${root}${adminPrefix}/drift/${scraper}/${name}`,
        })),
      }),
      {
        owner: true,
        root: true,
        response: { 200: "DriftCaseList" },
        detail: operation({
          id: "adminListDriftCases",
          tag: "Administration",
          summary: "List recorded responses of failed health probes",
          auth: "owner",
          replies: { 200: "The cases, newest first; at most five per scraper." },
        }),
      },
    )
    .get(
      "/drift/:slug/:name",
      async ({ params: { slug, name } }) => {
        const files = await caseFiles(folder, { scraper: slug, name })
        if (files.length === 0) throw notFound("case", name)
        return streamed(zipped(files), {
          "content-type": "application/zip",
          "content-disposition": `attachment; filename="${slug}-${name}.zip"`,
          "cache-control": "no-store",
        })
      },
      {
        owner: true,
        params: requestSchema.params({
          slug: slugParameter(service),
          name: Type.String({
            pattern: caseName,
            [expectedWords]: "the `name` of a case",
            description: "Name of a case, from the list of cases.",
          }),
        }),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "adminGetDriftCase",
          tag: "Administration",
          summary: "Get the recorded request and response of a failed health probe",
          description:
            "The archive has the format of `trawl run … --record`; unpack it under `test/cases/{slug}`.",
          auth: "owner",
          replies: { 200: { description: "The archive.", types: ["application/zip"] } },
          refusals: [404],
        }),
      },
    )
}

async function* zipped(files: { name: string; path: string }[]) {
  const zip = new ZipWriter()
  for (const { name, path } of files) {
    yield zip.begin(name)
    for await (const part of Bun.file(path).stream()) yield zip.write(part)
    yield zip.end()
  }
  yield zip.directory()
}
