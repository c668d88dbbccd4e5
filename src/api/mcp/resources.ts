import type {
  CompleteRequest,
  CompleteResult,
  ListResourcesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/sdk/types.js"
import { briefText } from "../../catalogue/kit/index.ts"
import { inWords } from "./find.ts"
import { statusLine, toolResult } from "./result.ts"
import { RpcError } from "./rpc-error.ts"
import type { ToolRuns } from "./tool-runs.ts"
import type { ToolSet } from "./tool-set.ts"

const lastRuns = 20
/** Maximum tokens of a scraper's usage. */
const cardTokens = 4000
const notFound = -32002

const docs = {
  uri: "trawl://docs/llms",
  name: "llms.txt",
  title: "Documentation on one page",
  mimeType: "text/markdown",
}

const sessions = {
  uri: "trawl://sessions",
  name: "sessions",
  title: "Sessions of sites, for run_scraper and start_run",
  mimeType: "text/plain",
}

const scraperTemplate = "trawl://scrapers/{slug}"
/** Maximum completions that the protocol allows. */
const maxCompleted = 100

export const resourceTemplates = [
  {
    name: "scraper",
    title: "A scraper",
    uriTemplate: scraperTemplate,
    description: "The inputs of a scraper, and the fields of its items.",
    mimeType: "text/plain",
  },
  {
    name: "items",
    title: "The items of a run",
    uriTemplate: "trawl://runs/{run}/items",
    description: "The first items of a run that fit one response; get_items returns the rest.",
    mimeType: "text/plain",
  },
]

/**
 * Resources that clients may add to a model's context without a tool: documentation, scrapers,
 * datasets.
 */
export class Resources {
  constructor(
    private readonly tools: ToolSet,
    private readonly runs: ToolRuns,
    private readonly llms: (() => string) | undefined,
  ) {}

  async list(): Promise<ListResourcesResult> {
    // A caller that may not list runs gets the documentation; the tools return the reason.
    const latest = await this.runs.latest(lastRuns).catch(() => [])
    const own = (await this.runs.sessions?.().catch(() => [])) ?? []
    return {
      resources: [
        ...(this.llms ? [docs] : []),
        ...(own.length > 0 ? [sessions] : []),
        ...latest.map(({ name, run }) => ({
          uri: `trawl://runs/${name}/items`,
          name,
          title: `${run.slug}, ${run.created_at}`,
          description: statusLine(run),
          mimeType: "text/plain",
        })),
      ],
    }
  }

  /** Completes slugs of scrapers. */
  complete({ ref, argument }: CompleteRequest["params"]): CompleteResult {
    const isSlug = ref.type === "ref/resource" && ref.uri === scraperTemplate
    if (!isSlug) return { completion: { values: [], total: 0 } }
    const wanted = argument.value.toLowerCase()
    const fitting = this.tools.slugs.filter((slug) => slug.includes(wanted))
    fitting.sort((a, b) => a.indexOf(wanted) - b.indexOf(wanted))
    return { completion: { values: fitting.slice(0, maxCompleted), total: fitting.length } }
  }

  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const [, kind, name = "", rest] = /^trawl:\/\/(\w+)\/([^/]+)(?:\/(\w+))?$/.exec(uri) ?? []
    if (uri === sessions.uri && this.runs.sessions) return this.sessions()
    if (uri === docs.uri && this.llms) return text(uri, this.llms(), docs.mimeType)
    const scraper = kind === "scrapers" && rest === undefined ? this.tools.known(name) : undefined
    if (scraper) {
      const fields = Object.keys(scraper.item.properties ?? {}).join(", ")
      return text(
        uri,
        `${inWords(scraper, cardTokens, this.tools.healthOf)}\nItems have: ${fields}`,
      )
    }
    if (kind === "runs" && rest === "items") {
      const response = await this.runs.find(name, { signal })
      const { maxTokens } = this.tools.filter
      const requested = { maxTokens, form: "text" as const, soFar: true }
      const { content } = await toolResult(this.runs, response, requested)
      if (response.run && content[0]?.type === "text") return text(uri, content[0].text)
    }
    throw new RpcError(
      notFound,
      `There is no resource "${briefText(uri)}". resources/list lists the resources.`,
      {
        uri: briefText(uri),
      },
    )
  }

  private async sessions(): Promise<ReadResourceResult> {
    const stored = await this.runs.sessions!()
    const lines = stored.map(
      ({ name, hosts, status }) => `${name} (${status}) for ${hosts.join(", ")}`,
    )
    const none = "There are none. They are created in the console, by the API, or with ?set=manage."
    return text(sessions.uri, lines.join("\n") || none)
  }
}

function text(uri: string, content: string, mimeType = "text/plain"): ReadResourceResult {
  return { contents: [{ uri, mimeType, text: content }] }
}
