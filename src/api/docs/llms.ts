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

This page is the first. The second: a page's address to \`${root}/api/scrape?url=\`, or a slug of the list below with what it needs, as

    GET ${exampleOf(catalogue, root)}

The records are in \`items\` of the answer.

## Without a key, by GET

- Any page as Markdown: ${root}/api/scrape?url=https://example.com
- Your own extraction: ${root}/api/scrape?url=https://example.com&fields=title:%20h1|%5B%5Dlinks:%20a%20@href (entries \`name: selector\`; \`@attr\` for an attribute, \`[]name: selector\` for a list of all matches)
- A named scraper: ${root}/api/scrape/{slug}?{its parameters}. Lists: repeat the parameter, or put \`|\` between values. \`input=\` takes the whole input as URL-encoded JSON.
- A scraper for a need: ${root}/api/scrape?find=who%20owns%20a%20domain (three cards, free; a URL finds what is made for it)
- Rows that belong together: \`fields=rows: .card { name: h3, price: .cost }\`
- Typed data by a JSON Schema, without a model: ${root}/api/scrape/web-scraper?url={page}&extract={"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}} (URL-encoded)
- Less of it: \`pick=rating,text\` leaves these fields, \`maxTokens=2000\` ends the answer (default 20,000) and \`next\` has the rest, \`format=csv|jsonl|md\` or \`Accept\` gives the items alone
- \`cached\` with \`age\` in seconds: the free response of an identical call within the last minute; \`maxAge=0\` fetches anew. Checks are never cached.
- What a scraper takes: ${root}/api/scrape/{slug} without parameters. All scrapers: ${root}/api/scrape
- By POST: ${root}/api/agent/scrape with JSON \`{"scraper": slug, "input": {…}, "agentId": "…"}\`.

The GET calls always answer HTTP 200. Read \`status\`:

- SUCCEEDED: the records are in \`items\`. An entry with \`error\` stands in place of a target that failed.
- RUNNING: fetch \`resultUrl\` after about 10 seconds.
- PAYMENT_REQUIRED: the day's free calls are used until 00:00 UTC (\`free.resetsAt\`). Show \`claimUrl\` to your user, who signs up there; poll \`claimStatusUrl\` every 10 seconds until its \`status\` is \`ready\`. That answer carries \`apiKey\`, once: keep it. Then repeat the call with \`token={apiKey}\`.
- INVALID_INPUT: \`error.details\` names each field, the place in a list (\`index\`), what was expected, and the nearest known name.
- USAGE: the card of a scraper's parameters, with an example call.
- ERROR: \`error.message\` says why.

A call costs one of the day's free calls when it brings something, or when the site itself says that there is nothing. Wrong input costs nothing, nor do failures of ours or of the network: no connection, a wall, a timeout, a status of 5xx.

Keep \`agentId\` from the first answer and give it with each call. \`free\` tells what is left today. A call without a key ends at ${keylessItems} items, ${keylessPages} pages or ${keylessSeconds} seconds; a key lifts this.

## With a key

${account}: ${root}/signup. A page costs ${pageCost.free} credit (premium scrapers ${pageCost.premium}; ${unlockerCost} more through the unlocker; ${modelCost} more where a model reads it, which only \`extract\` with \`prompt\` or \`model\` asks for); what fails costs nothing, nor does what is given in part alone (\`partial\`). Give the key as \`token=\` on the calls above, or as \`Authorization: Bearer\` here:

- POST ${root}/api/v1/scrapers/{slug}/runs?waitForFinish=60 with the input as JSON starts a durable run
- GET ${root}/api/v1/runs/{runId}; POST …/abort, …/resume, …/retry; GET …/log, …/events (server-sent events)
- GET ${root}/api/v1/datasets/{datasetId}/items?format=json|jsonl|csv|xlsx|md&limit=100&offset=0
- GET ${root}/api/v1/map?url={site}&search={words}: the site's addresses and titles within seconds (without a key: ${root}/api/scrape/sitemap-extractor?url={site}&mode=map)
- GET ${root}/api/v1/me: credits and usage
- Watching, with a key without limits: POST ${root}/api/v1/schedules with \`{"scraper":"price-monitor","input":{"productUrls":["…"]},"cron":"@hourly"}\`; GET or DELETE …/schedules/{id}; POST ${root}/api/v1/webhooks with \`{"url":"https://…","events":["monitor.changed"]}\`; GET ${root}/api/v1/monitors: what changed
- All routes: ${root}/docs.md; schemas: ${root}/openapi.json?path=/api/v1/schedules
- MCP (streamable HTTP): ${root}/api/mcp?set=meta reads pages, searches the web, extracts, finds and runs scrapers, watches; ${root}/api/mcp has each scraper as a tool, too; with the key as header \`Authorization: Bearer\` in the client's configuration

## Fixed tools

${root}/api/tools/ and ${fixedTools
    .filter((tool) => scraper(tool.slug))
    .map((tool) => `${tool.id}?${tool.parameter}=`)
    .join(", ")}

## Scrapers

Unproven: no recording shows yet that it reads its site right. Broken, Blocked, Unset (it lacks a key, Chrome or the like): so it was here of late; choose another.

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
const evidenceMark = (scraper: AnyScraper): string =>
  evidenceOf(scraper).status === "unproven" ? "Unproven." : ""

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
