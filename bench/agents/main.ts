/**
 * Prints the tokens that a model reads from Trawl: llms.txt, the directory, each set of MCP tools,
 * the scrapers' usage summaries and search results, and the responses to the tasks of the scripted
 * agent (test/api/agent.test.ts), from recorded upstreams. A token is counted as four characters.
 */
import { costOf, lists } from "../../scripts/list-tokens.ts"
import { tokensOf } from "../../src/api/items/tokens.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { cases, tasks } from "../../test/api/agent-tasks.ts"
import { Installation } from "../../test/api/process.ts"
import { record } from "../figures.ts"

const installation = new Installation({
  TRAWL_REPLAY: [...cases.values()].map(({ folder }) => folder).join(","),
  TRAWL_FREE_DAILY: "100000",
  TRAWL_RATE_LIMIT: "0",
})
const service = await installation.serve()

const tokens = async (path: string) => tokensOf(await (await fetch(service.root + path)).text())
function show(name: string, count: number | string): void {
  if (typeof count === "number") record(name, count, "tokens")
  console.log(`${name.padEnd(52)} ${count.toLocaleString("en").padStart(9)}`)
}

/** Prints the minimum, median and maximum of some counts. */
function spread(name: string, counts: number[]): void {
  const sorted = counts.toSorted((a, b) => a - b)
  record(`${name}, median`, sorted[Math.floor((sorted.length - 1) / 2)]!, "tokens")
  const at = (share: number) =>
    sorted[Math.floor((sorted.length - 1) * share)]!.toLocaleString("en")
  show(`${name} (minimum, median, maximum)`, `${at(0)}, ${at(0.5)}, ${at(1)}`)
}

try {
  console.log("Documents")
  for (const path of ["/llms.txt", "/docs.md", "/api/scrape", "/api/tools", "/api/agent/scrape"]) {
    show(path, await tokens(path))
  }
  show("/openapi.json?path=/api/v1/schedules", await tokens("/openapi.json?path=/api/v1/schedules"))

  console.log("\nMCP tool sets")
  for (const query of lists) show(`/api/mcp${query && `?${query}`}`, costOf(query).tokens)

  console.log("\nCards and finds")
  const cards: number[] = []
  for (const { slug } of catalogue) cards.push(await tokens(`/api/scrape/${slug}`))
  spread("/api/scrape/{slug}", cards)
  const finds: number[] = []
  for (const [need] of tasks)
    finds.push(await tokens(`/api/scrape?find=${encodeURIComponent(need)}`))
  spread("/api/scrape?find={need}", finds)

  console.log("\nResponses to the tasks")
  const responses: number[] = []
  for (const [need, slug] of tasks) {
    const input = encodeURIComponent(JSON.stringify(cases.get(slug)!.input))
    responses.push(await tokens(`/api/scrape/${slug}?input=${input}`))
    show(need, responses.at(-1)!)
  }
  spread("all tasks", responses)
} finally {
  await service.end()
  await installation.remove()
}
