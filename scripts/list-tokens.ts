import { join } from "node:path"
import { ToolSet, toolFilter } from "../src/api/mcp/tool-set.ts"
import { catalogue } from "../src/catalogue/index.ts"
import { categories } from "../src/catalogue/kit/index.ts"

/**
 * Writes the tokens that each list of tools takes in a model's context into docs/guide/use/mcp.md.
 */
export const guide = join(import.meta.dir, "../docs/guide/use/mcp.md")
export const tokenTable = /<!-- tokens -->\n([\s\S]*?)<!-- \/tokens -->/

export const lists = [
  "",
  "set=meta",
  "set=manage",
  "tools=url-to-markdown-scraper",
  ...categories.map((category) => `category=${category}`),
]

/** Returns the number of tools of a list, and about how many tokens they take. */
export function costOf(query: string): { tools: number; tokens: number } {
  const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams(query), catalogue))
  const { length } = JSON.stringify(tools.page(undefined))
  return { tools: tools.names.length, tokens: Math.round(length / 4) }
}

export function rows(): string[][] {
  return lists.map((query) => {
    const [lean, full] = [costOf(query), costOf(`${query}&outputSchema=true`)]
    const name = query === "" ? "all" : `\`?${query}\``
    return [name, lean.tools, lean.tokens, full.tokens].map((cell) => cell.toLocaleString("en"))
  })
}

if (import.meta.main) {
  const head = "| list | tools | tokens | with `outputSchema=true` |\n|---|---|---|---|\n"
  const table = rows().map((row) => `| ${row.join(" | ")} |\n`)
  const text = await Bun.file(guide).text()
  await Bun.write(
    guide,
    text.replace(tokenTable, `<!-- tokens -->\n${head}${table.join("")}<!-- /tokens -->`),
  )
}
