import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { countCall } from "../http/access.ts"
import { StoredFile } from "../http/coding/stored-file.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { RootedText } from "../http/rooted-text.ts"
import { query } from "../schemas/common.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ScraperParts,
  SignUpParts,
} from "../service-parts.ts"
import { Documents } from "./documents.ts"
import { tagged } from "./etag.ts"
import { llmsText } from "./llms.ts"
import { referenceScript } from "./reference-script.ts"

const pageUnder = (base: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trawl API</title>
<link rel="icon" type="image/svg+xml" href="${base}/favicon.ico">
</head>
<body>
<noscript>The reference needs JavaScript; the OpenAPI document is at <a href="${base}/openapi.json">/openapi.json</a>.</noscript>
<div id="app"></div>
<script src="${base}/docs/start.js"></script>
<script src="${base}/docs/reference.js"></script>
</body>
</html>
`

/** Loads nothing from other hosts and sends no data, so the reference works without a network. */
const startUnder = (base: string) => `// The page's policy forbids creating functions from strings.
globalThis.__zod_globalConfig = { jitless: true }
addEventListener("DOMContentLoaded", () => Scalar.createApiReference("#app", {
  url: "${base}/openapi.json",
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
}))
`

const pageHeaders = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'",
}
const openHeaders = { "access-control-allow-origin": "*" }
const scriptHeaders = { "content-type": "text/javascript;charset=utf-8" }

const documentQuery = query({
  scraper: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 20,
      description: "With the schemas of these scrapers, separated by commas or repeated.",
    }),
  ),
  scrapers: Type.Optional(oneOf(["all"], { description: "With the schemas of all scrapers." })),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Only routes with this prefix, for example `/api/v1/schedules`.",
    }),
  ),
})

/** The API's documentation for machines, people and agents. */
export function docsRoutes(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts,
  api: () => AnyElysia,
): AnyElysia {
  const page = pageUnder(service.base)
  const start = startUnder(service.base)
  const reference = new StoredFile(referenceScript)
  const documents = new Documents(service, api)
  const { catalogue, config, health } = service
  const scraper = (slug: string) => service.scraper(slug)
  const llms = new RootedText(
    (root) => {
      const { signUpIsOpen } = service
      return llmsText({ catalogue, config, scraper, health, signUpIsOpen }, root)
    },
    () => `${health.version} ${service.signUpIsOpen}`,
  )

  return new Elysia()
    .use(callContext(service))
    .get(
      "/openapi.json",
      async ({ request, call, root, query: { scraper, scrapers, path } }) => {
        await countCall(service, call)
        const slugs = scrapers ? "all" : scraper?.flatMap((names) => names.split(","))
        return tagged(request, documents.at(root, slugs, path), {
          ...openHeaders,
          "content-type": "application/json;charset=utf-8",
        })
      },
      {
        root: true,
        call: true,
        query: requestSchema.query(documentQuery),
        response: { 200: responseSchema(Type.Object({})) },
        detail: operation({
          id: "openapi",
          tag: "Service",
          summary: "This document",
          auth: "none",
          description:
            "`scraper` adds the input and item schemas of a scraper as `Input.<slug>` and `Item.<slug>`; `scrapers=all` adds those of all scrapers.",
          replies: { 200: "OpenAPI 3.1." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/llms.txt",
      ({ request, root }) =>
        tagged(request, llms.at(root), {
          ...openHeaders,
          "content-type": "text/plain;charset=utf-8",
        }),
      {
        root: true,
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "llms",
          tag: "Service",
          summary: "Get the documentation for agents on one page",
          auth: "none",
          replies: { 200: { description: "Markdown.", types: ["text/plain"] } },
        }),
      },
    )
    .get(
      "/docs.md",
      ({ request, root }) =>
        tagged(request, documents.markdownAt(root), {
          ...openHeaders,
          "content-type": "text/markdown;charset=utf-8",
        }),
      {
        root: true,
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "docsMarkdown",
          tag: "Service",
          summary: "Get the reference as Markdown, one line per route",
          auth: "none",
          replies: { 200: { description: "Markdown.", types: ["text/markdown"] } },
        }),
      },
    )
    .get("/docs", ({ request }) => tagged(request, page, pageHeaders), {
      response: { 200: responseSchema(Type.String()) },
      detail: operation({
        id: "docs",
        tag: "Service",
        summary: "Get the interactive reference",
        auth: "none",
        replies: { 200: { description: "The page.", types: ["text/html"] } },
      }),
    })
    .get("/docs/start.js", () => new Response(start, { headers: scriptHeaders }), {
      detail: { hide: true },
    })
    .get(
      "/docs/reference.js",
      ({ request }) =>
        reference.response(request, { ...scriptHeaders, "cache-control": "public, max-age=86400" }),
      { detail: { hide: true } },
    )
}
