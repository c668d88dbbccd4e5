import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { nearest } from "../../base/nearest.ts"
import { briefText, maxIssues } from "../../catalogue/kit/index.ts"
import { linksOf, linksSchema } from "../examples/links.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import { query, responseObject } from "../schemas/common.ts"
import type { Call } from "../service.ts"
import { callOptions, callParameters } from "./call-options.ts"
import { invalidInput } from "./error.ts"
import {
  type FixedTool,
  fixedTool,
  fixedToolNames,
  fixedTools,
  toolExample,
  toolInput,
} from "./fixed-tools.ts"
import { formFor, inForm, type RequestedForm } from "./form.ts"
import { toolMissing, request as toRequest } from "./modes.ts"
import { keylessSchema } from "./response.ts"
import { type KeylessSurface, requestedBy } from "./surface.ts"

const toolsSchema = responseObject(
  {
    service: Type.String(),
    howItWorks: Type.String(),
    tools: Type.Array(
      responseObject({
        tool: Type.String(),
        name: Type.String(),
        description: Type.String(),
        url: Type.String({ format: "uri" }),
        aliases: Type.Array(Type.String({ format: "uri" })),
        parameter: Type.String({ description: "Name of the only required query parameter." }),
        parameterDescription: Type.String(),
        exampleUrl: Type.String({ format: "uri" }),
      }),
    ),
    links: linksSchema,
  },
  { $id: "ToolDirectory" },
)

/** The fixed tools, each with one required query parameter. */
export function toolRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface

  async function run(call: Call, name: string) {
    const parameters = queryOf(call.request)
    const tool = fixedTool(name)
    const value = tool ? (parameters.get(tool.parameter) ?? "").trim() : ""
    const requested = requestedBy(parameters, tool?.id ?? name, value)
    let form: RequestedForm = { form: "json", isNamed: false }
    const { response: reply } = await surface.response(call, requested, async (caller) => {
      if (!tool) throw unknownTool(name)
      const scraper = service.scraper(tool.slug)
      if (!scraper) throw toolMissing(tool.id)
      refuseOthers(tool, parameters)
      if (value === "") {
        const base = await surface.calls.base(call, { ...requested, caller })
        return { status: "USAGE", ...base, ...toolCard(surface, tool, service.root(call)) }
      }
      const input = toolInput(tool, scraper, value)
      form = formFor(call, parameters, scraper)
      const wanted = toRequest(scraper, input, {
        tool: tool.id,
        inputText: value,
        alias: { field: tool.field, parameter: tool.parameter },
      })
      return surface.calls.scrape(call, caller, {
        ...wanted,
        ...callOptions(parameters, scraper),
      })
    })
    if (reply.status === "PAYMENT_REQUIRED") call.set.status = service.config.toolsLimitStatus
    return inForm(reply, form)
  }

  const routes = new Elysia()
    .use(callContext(service))
    .model({
      ToolDirectory: responseSchema(toolsSchema),
      KeylessResult: responseSchema(keylessSchema),
    })
    .get(
      "/api/tools",
      ({ root, query: parameters }) => directory(surface, root, parameters.get("q")),
      {
        root: true,
        query: requestSchema.anyQuery(
          query({
            q: Type.Optional(
              Type.String({
                maxLength: maxNeed,
                description:
                  "A need in your words: returns only the tools that fit, best match first.",
              }),
            ),
          }),
        ),
        response: { 200: "ToolDirectory" },
        detail: operation({
          id: "listTools",
          tag: "Tools",
          summary: "List the fixed tools",
          auth: "none",
          replies: { 200: "The tools with example URLs." },
        }),
      },
    )
    .get("/api/tools/:tool", ({ call, params }) => run(call, params.tool), {
      call: true,
      detail: { hide: true },
    })
  for (const tool of fixedTools) {
    for (const name of [tool.id, ...tool.aliases]) {
      routes.get(`/api/tools/${name}`, ({ call }) => run(call, name), {
        call: true,
        query: requestSchema.anyQuery(
          query({
            [tool.parameter]: Type.String({ description: tool.description }),
            ...callParameters,
          }),
        ),
        response: { 200: "KeylessResult", 429: "KeylessResult" },
        detail: toolOperation(tool, name),
      })
    }
  }
  return routes
}

function toolOperation(tool: FixedTool, name: string) {
  const isAlias = name !== tool.id
  return operation({
    id: `tool-${name}`,
    tag: "Tools",
    summary: isAlias ? `Short for ${tool.id}` : `${tool.id}: by ${tool.description}`,
    auth: "none",
    replies: {
      200: "The outcome is in `status`.",
      429: "The daily free quota is used up, if the server reports this by the HTTP status.",
    },
  })
}

function unknownTool(name: string) {
  const near = nearest(name, fixedToolNames)
  const hint = near
    ? `Did you mean ${near}?`
    : "/api/tools lists the tools, and /api/scrape?find=<your need> finds scrapers."
  return invalidInput([
    {
      field: "tool",
      message: `There is no tool "${briefText(name)}". ${hint}`,
      expected: near ?? fixedTools.map((tool) => tool.id).join(", "),
      actual: briefText(name),
    },
  ])
}

/** Refuses parameters that the tool does not have, which would otherwise be ignored. */
function refuseOthers(tool: FixedTool, parameters: URLSearchParams): void {
  const known = [tool.parameter, ...Object.keys(callParameters)]
  const issues = [...new Set(parameters.keys())]
    .filter((name) => !known.includes(name))
    .slice(0, maxIssues)
    .map((field) => ({
      field: briefText(field),
      message: `${tool.id} has no parameter "${briefText(field)}"; it takes ${tool.parameter}, and ${tool.slug} at /api/scrape takes more.`,
      expected: nearest(field, known) ?? tool.parameter,
      actual: briefText(parameters.get(field) ?? ""),
    }))
  if (issues.length > 0) throw invalidInput(issues)
  const values = parameters.getAll(tool.parameter)
  if (values.length < 2) return
  const field = tool.parameter
  const expected = "one value"
  const actual = values.slice(0, maxIssues).map((value) => briefText(value))
  const message = `"${field}" takes one value here, not ${values.length}; /api/scrape/${tool.slug} takes several.`
  throw invalidInput([{ field, message, expected, actual }])
}

function toolCard({ service }: KeylessSurface, tool: FixedTool, root: string) {
  const scraper = service.scraper(tool.slug)!
  return {
    name: scraper.name,
    tagline: scraper.tagline,
    howToCall: `Give ${tool.parameter} (${tool.description}) as the query parameter. ${root}/api/scrape/${tool.slug} lists all parameters of this scraper.`,
    parameters: [
      {
        name: tool.parameter,
        type: "string",
        required: true,
        description: tool.description,
        expected: "a non-empty string",
      },
    ],
    exampleUrl: exampleOf(surfaceUrl(root, tool.id), tool, toolExample(tool, scraper)),
    exampleInput: { [tool.parameter]: toolExample(tool, scraper) },
  }
}

const surfaceUrl = (root: string, name: string) => `${root}/api/tools/${name}`

const exampleOf = (url: string, tool: FixedTool, value: string) =>
  `${url}?${new URLSearchParams({ [tool.parameter]: value })}`

/** Maximum characters of a need. */
const maxNeed = 2000

/** @param need Description of a need; tools that fit are ranked like scrapers. */
function directory({ service }: KeylessSurface, root: string, need: string | null) {
  const all = fixedTools.flatMap((tool) => {
    const scraper = service.scraper(tool.slug)
    return scraper ? [{ tool, scraper }] : []
  })
  const offered = need?.trim()
    ? service
        .search()
        .find(need.slice(0, maxNeed), { limit: service.slugs.length })
        .flatMap(({ slug }) => all.filter(({ tool }) => tool.slug === slug))
    : all
  return {
    service: "Trawl",
    howItWorks: `Each tool takes one query parameter by GET, without a key: ${service.config.freeDaily} calls per day are free. More scrapers and all their parameters: ${root}/api/scrape`,
    tools: offered.map(({ tool, scraper }) => ({
      tool: tool.id,
      name: scraper.name,
      description: scraper.tagline,
      url: surfaceUrl(root, tool.id),
      aliases: tool.aliases.map((alias) => surfaceUrl(root, alias)),
      parameter: tool.parameter,
      parameterDescription: tool.description,
      exampleUrl: exampleOf(surfaceUrl(root, tool.id), tool, toolExample(tool, scraper)),
    })),
    links: linksOf(root),
  }
}
