import { type Static, Type } from "@sinclair/typebox"
import { responseObject } from "../schemas/common.ts"

const link = (description: string) => Type.String({ format: "uri", description })

export const linksSchema = responseObject(
  {
    signUp: link("Sign-up page for people."),
    docs: link("Interactive API reference."),
    openapi: link("The OpenAPI document."),
    llms: link("Documentation for agents on one page."),
    allTools: link("Directory of the fixed tools."),
    anyScrape: link("Any page or scraper, without a key."),
    fullApi: link("Authenticated API."),
    mcp: link("The MCP endpoint."),
  },
  { $id: "Links" },
)

export function linksOf(root: string): Static<typeof linksSchema> {
  return {
    signUp: `${root}/signup`,
    docs: `${root}/docs`,
    openapi: `${root}/openapi.json`,
    llms: `${root}/llms.txt`,
    allTools: `${root}/api/tools`,
    anyScrape: `${root}/api/scrape`,
    fullApi: `${root}/api/v1`,
    mcp: `${root}/api/mcp`,
  }
}
