import { evidenceOf } from "../../catalogue/evidence.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { Health } from "../../engine/health/board.ts"
import { modelCost, pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { exampleUrl, requiredParams } from "../keyless/card.ts"
import { fixedTools } from "../keyless/fixed-tools.ts"
import type { Service } from "../service.ts"

/** All that an agent has to know, on one page of Markdown. */
export function llmsText(
  { catalogue, config, scraper, health, signUpIsOpen }: LlmsParts,
  root: string,
): string {
  const { freeDaily, signupCredits, keylessItems, keylessPages, keylessSeconds } = config
  const account = signUpIsOpen
    ? `A free account has ${signupCredits} credits`
    : "Accounts are made by the operator of this service, who gives them credits"
  return `# Trawl

> Scrapes public web pages and public data, and answers with JSON records. ${catalogue.length} named scrapers, any page as Markdown, any page by CSS selectors. No key is needed for ${freeDaily} calls a day.

## From nothing to items in two calls

This page is the first. The second: a page's address to \`${root}/api/scrape?url=\`, or a slug of the list below with what it needs, such as

    GET ${exampleOf(catalogue, root)}

The records are in \`items\` of the answer.

## Without a key, by GET

- Any page as Markdown: ${root}/api/scrape?url=https://example.com
- Your own extraction: ${root}/api/scrape?url=https://example.com&fields=title:%20h1|%5B%5Dlinks:%20a%20@href (entries \`name: selector\`, separated by \`|\`; \`@attr\` for an attribute, \`[]name: selector\` for a list of all matches)
- A named scraper: ${root}/api/scrape/{slug}?{its parameters}. Lists: repeat the parameter, or put \`|\` between values. \`input=\` takes the whole input as URL-encoded JSON.
- What a scraper takes: ${root}/api/scrape/{slug} without parameters. All scrapers: ${root}/api/scrape
- By POST: ${root}/api/agent/scrape with JSON \`{"scraper": slug, "input": {…}, "agentId": "…"}\`. Here the HTTP status tells the outcome too: 400, 402, 404.

The GET calls always answer HTTP 200. Read \`status\`:

- SUCCEEDED: the records are in \`items\`. An entry with \`error\` stands in place of a target that failed.
- RUNNING: fetch \`resultUrl\` after about 10 seconds.
- PAYMENT_REQUIRED: the day's free calls are used. Show \`claimUrl\` to your user, who signs up there; poll \`claimStatusUrl\` every 10 seconds until its \`status\` is \`ready\`. That answer carries \`apiKey\`, once: keep it. Then repeat the call with \`token={apiKey}\`.
- INVALID_INPUT: \`error.details\` names each field, the place in a list (\`index\`), what was expected, and the nearest known name.
- USAGE: the card of a scraper's parameters, with an example call.
- ERROR: \`error.message\` says why.

A call costs one of the day's free calls when it brings something, or when the site itself says that there is nothing. Wrong input costs nothing, nor do failures of ours or of the network: no such host, no connection, a wall, a timeout, a status of 5xx.

Keep \`agentId\` from the first answer and give it with each call. \`free\` tells what is left today. A call without a key ends at ${keylessItems} items, ${keylessPages} pages or ${keylessSeconds} seconds; a key lifts this.

## With a key

${account}: ${root}/signup. A page costs ${pageCost.free} credit (premium scrapers ${pageCost.premium}; ${unlockerCost} more through the unlocker; ${modelCost} more where a model reads it, which only \`extract\` with \`prompt\` or \`model\` asks for); what fails costs nothing, nor does what is given in part alone (\`partial\`). Give the key as \`token=\` on the calls above, or as \`Authorization: Bearer\` here:

- POST ${root}/api/v1/scrapers/{slug}/runs?waitForFinish=60 with the input as JSON starts a durable run (at most 300 seconds of waiting)
- GET ${root}/api/v1/runs/{runId}; POST …/abort, …/resume, …/retry; GET …/log, …/events (server-sent events)
- GET ${root}/api/v1/datasets/{datasetId}/items?format=json|jsonl|csv|xlsx|md&limit=100&offset=0
- GET ${root}/api/v1/map?url={site}&search={words}: the site's addresses and titles within seconds (without a key: ${root}/api/scrape/sitemap-extractor?url={site}&mode=map)
- GET ${root}/api/v1/me: credits and usage
- Batches, schedules and webhooks: ${root}/openapi.json (reference: ${root}/docs)
- MCP (streamable HTTP), every scraper a tool: ${root}/api/mcp, or ${root}/api/mcp?set=meta for a tool that finds scrapers and one that runs them; with the key as header \`Authorization: Bearer\` in the client's configuration

## Fixed tools

${fixedTools
  .filter((tool) => scraper(tool.slug))
  .map((tool) => `- ${root}/api/tools/${tool.id}?${tool.parameter}={${tool.description}}`)
  .join("\n")}

## Scrapers

A date is that of the newest recording of a true answer that proves the scraper; Proven: its recording has none. Unproven: built to what public sources tell of the upstream; no recording shows it yet. In their place Broken, Blocked, Unset (it lacks a key, Chrome or the like): so it was here of late; choose another.

${catalogue
  .map((scraper) => {
    const required = requiredParams(scraper)
    const words = [
      `${scraper.slug}: ${scraper.tagline.replace(/\.$/, "")}.`,
      required.length > 0 ? `Needs ${required.join(", ")}.` : "",
      troubleMark(health.of(scraper.slug)) || evidenceMark(scraper),
    ]
    return `- ${words.filter(Boolean).join(" ")}`
  })
  .join("\n")}
`
}

/** Short, as a bad day marks many, and the list has room for no more. */
function troubleMark({ state }: Health): string {
  if (state === "blocked") return "Blocked."
  if (state === "broken") return "Broken."
  return state === "needs" ? "Unset." : ""
}

/** As the line above the list explains it. */
function evidenceMark(scraper: AnyScraper): string {
  const { status, newestRecording } = evidenceOf(scraper)
  return `${newestRecording ?? (status === "proven" ? "Proven" : "Unproven")}.`
}

/** Of a scraper that needs one thing alone; whose items everyone knows, where it is there. */
function exampleOf(catalogue: LlmsParts["catalogue"], root: string): string {
  const simple = catalogue.filter((scraper) => requiredParams(scraper).length === 1)
  const known = simple.find((scraper) => scraper.slug === "pypi-package-scraper")
  return exampleUrl(known ?? simple[0] ?? catalogue[0]!, root)
}

type LlmsParts = Pick<Service, "catalogue" | "config" | "signUpIsOpen"> & {
  health: { of(slug: string): Health }
  scraper: (slug: string) => unknown
}
