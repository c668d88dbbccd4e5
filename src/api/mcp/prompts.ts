import {
  ErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
} from "@modelcontextprotocol/sdk/types.js"
import { briefText } from "../../catalogue/kit/index.ts"
import { RpcError } from "./rpc-error.ts"

const text = (name: string, description: string, required = true) => ({
  name,
  description,
  required,
})

/** Prompts for common tasks. */
const jobs: (Prompt & { say(provided: Record<string, string>): string })[] = [
  {
    name: "read_page",
    title: "Read a page",
    description: "Reads a page as Markdown and answers a question about it.",
    arguments: [text("url", "The page."), text("question", "Question about the page.", false)],
    say: ({ url, question = "Summarise the page." }) =>
      `Read ${url} with the scraper url-to-markdown-scraper. Then: ${question}\nAnswer only from the page, and quote the sentences that you rely on.`,
  },
  {
    name: "extract_fields",
    title: "Extract fields of pages",
    description: "Builds a table of the same fields from several pages.",
    arguments: [
      text("urls", "Space-separated URLs."),
      text("fields", "Description of the columns."),
    ],
    say: ({ urls, fields }) =>
      `Make a table of these pages: ${urls}\nColumns: ${fields}.\nFirst check whether a scraper exists for their site (find_scrapers, if available). If not, read one of them, choose a CSS selector for each field, and run web-scraper on all of them with its "fields". Leave a cell empty if the page has no such value; do not guess.`,
  },
  {
    name: "collect",
    title: "Collect a dataset",
    description: "Finds a scraper for a task and runs it until it has finished.",
    arguments: [text("task", "Task, for example: reviews of three apps.")],
    say: ({ task }) =>
      `Collect this: ${task}\n1. Choose the scraper (find_scrapers, if available) and show me which one, and its input.\n2. start_run, then get_run with "wait" until it has finished.\n3. Read the items with get_items and only the "fields" that are needed, following its cursor.\n4. Report the number of items, the targets that failed and why, and the run ID.`,
  },
  {
    name: "compare_prices",
    title: "Compare prices",
    description: "Compares prices and availability of products in several shops.",
    arguments: [text("products", "Space-separated URLs of product pages.")],
    say: ({ products }) =>
      `Compare price, currency and availability of ${products}\nUse the scraper of each shop if there is one, otherwise the product scraper for any page. Leave a price empty if the page does not state it.`,
  },
]

export const prompts: Prompt[] = jobs.map(({ say: _, ...prompt }) => prompt)

/** @throws RpcFault */
export function promptText({
  name,
  arguments: provided = {},
}: GetPromptRequest["params"]): GetPromptResult {
  const job = jobs.find((prompt) => prompt.name === name)
  if (!job) {
    const known = jobs.map((prompt) => prompt.name).join(", ")
    throw new RpcError(
      ErrorCode.InvalidParams,
      `There is no prompt "${briefText(name)}", but ${known}.`,
    )
  }
  const missing = job.arguments?.find(
    (argument) => argument.required && !provided[argument.name]?.trim(),
  )
  if (missing) {
    throw new RpcError(ErrorCode.InvalidParams, `The prompt ${name} needs "${missing.name}".`)
  }
  const content = { type: "text" as const, text: job.say(provided) }
  return { description: job.description ?? "", messages: [{ role: "user", content }] }
}
