import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { pageHeaders } from "../http/page.ts"
import { query } from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import { guideHtml, searchHtml } from "./guide-html.ts"
import { guidePictures } from "./guide-images.ts"
import { guidePages } from "./guide-pages.ts"

const searchQuery = query({
  q: Type.Optional(
    Type.String({ maxLength: 200, description: "Words that a section must contain." }),
  ),
})

/**
 * The guide: the files of docs/guide as pages with a sidebar and a search. They load nothing from
 * other hosts.
 */
export function guideRoutes(service: CoreParts & ClientParts & AccessParts): AnyElysia {
  const { base } = service
  const pages = new Map<string, string>()
  const respond = (html: string) => new Response(html, { headers: pageHeaders })
  const pageOf = (name: string) => {
    if (!Object.hasOwn(guidePages, name)) {
      throw new ApiError(404, `The guide has no page "${name}". /docs/guide lists its pages.`)
    }
    const html = pages.get(name) ?? guideHtml(name, base)
    pages.set(name, html)
    return respond(html)
  }
  return new Elysia()
    .use(callContext(service))
    .get(
      "/docs/guide",
      ({ query: { q } }) => (q ? respond(searchHtml(q, base)) : pageOf("index")),
      {
        query: requestSchema.query(searchQuery),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "guide",
          tag: "Service",
          summary: "Read or search the guide",
          auth: "none",
          replies: {
            200: { description: "The first page, or the results of `q`.", types: ["text/html"] },
          },
        }),
      },
    )
    .get(
      "/docs/guide/pictures/:name",
      async ({ params: { name } }) => {
        if (!Object.hasOwn(guidePictures, name)) {
          throw new ApiError(404, `The guide has no picture "${name}".`)
        }
        const headers = { "content-type": "image/webp", "cache-control": "public, max-age=3600" }
        return new Response(await Bun.file(guidePictures[name]!).bytes(), { headers })
      },
      { detail: { hide: true } },
    )
    .get("/docs/guide/:page", ({ params }) => pageOf(params.page), {
      params: requestSchema.params({
        page: Type.String({ description: "Name of a page, for example `backup`." }),
      }),
      response: { 200: responseSchema(Type.String()) },
      detail: operation({
        id: "guidePage",
        tag: "Service",
        summary: "Read a page of the guide",
        auth: "none",
        replies: { 200: { description: "The page.", types: ["text/html"] } },
        refusals: [404],
      }),
    })
}
