import { exportFormatNames } from "../../base/export-formats.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { verificationOf } from "../../catalogue/verification.ts"
import type { Health } from "../../engine/ops/health/health-service.ts"
import { modelCost, pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { exampleUrl, requiredParams } from "../keyless/card.ts"
import { fixedTools } from "../keyless/fixed-tools.ts"
import type { Service } from "../service.ts"

/** Returns one page of Markdown that is enough for an agent. */
export function llmsText(
  { catalogue, config, scraper, health, signUpIsOpen }: LlmsParts,
  root: string,
): string {
  const { freeDaily, signupCredits, keylessItems, keylessPages, keylessTimeoutSeconds } = config
  const account = signUpIsOpen
    ? `A free account has ${signupCredits} credits`
    : "The operator of this service creates accounts and gives them credits"
  return `# Trawl

> Scrapes public web pages and public data and returns JSON records: ${catalogue.length} named scrapers, any page as Markdown, any page by CSS selectors or JSON Schema. ${freeDaily} calls a day need no API key.

## From nothing to items in two calls

This page is the first call. The second is a page's URL after \`${root}/api/scrape?url=\`, or a slug of the list below with its inputs:

    GET ${exampleOf(catalogue, root)}

The records are in \`items\`.

## Without an API key, by GET

- Any page as Markdown: ${root}/api/scrape?url=https://example.com
- Search the web: ${root}/api/search?q=tide%20tables&pages=2 (numbered sources)
- Find a scraper: ${root}/api/scrape?find=who%20owns%20a%20domain (free; a URL finds the scrapers of its site)
- Run a named scraper: ${root}/api/scrape/{slug}?{inputs}. For lists, repeat the parameter or put \`|\` between values. \`input=\` takes the whole input as JSON.
- Inputs of a scraper: ${root}/api/scrape/{slug} without parameters
- Data of any page by CSS selectors: ${root}/api/scrape?url=https://example.com&fields=title:%20h1|%5B%5Dlinks:%20a%20@href (\`name: selector\` for text, \`@attr\` for an attribute, \`[]name: selector\` for all matches)
- Rows that belong together: \`fields=rows: .card { name: h3, price: .cost }\`
- Data of any page by JSON Schema: ${root}/api/scrape/web-scraper?url={page}&extract={"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}}}}}} (URL-encoded)
- Smaller responses: \`pick=rating,text\` returns only these fields. \`maxTokens=2000\` limits the response (default 20,000), and \`next\` has the rest. \`format=csv|jsonl|md\` or \`Accept\` returns only the items.
- \`cached\` with \`age\` in seconds marks the free response of an identical call within the last minute. \`maxAge=0\` fetches again. Checks of uptime, prices, changes and certificates are never cached.
- By POST: ${root}/api/agent/scrape with JSON \`{"scraper": slug, "input": {…}, "agentId": "…"}\`

GET calls always return HTTP 200. Read \`status\`:

- SUCCEEDED: the records are in \`items\`. An entry with \`error\` replaces the item of a target that failed.
- RUNNING: fetch \`resultUrl\` after about 10 seconds.
- PAYMENT_REQUIRED: the daily free quota is used up. Wait until 00:00 UTC (\`free.resetsAt\`), or show \`claimUrl\` to your user, who signs up there. Poll \`claimStatusUrl\` every 10 seconds until its \`status\` is \`ready\`. That response has \`apiKey\`, once: keep it. Then repeat the call with \`token={apiKey}\`.
- INVALID_INPUT: \`error.details\` names each field, its position in a list (\`index\`), the expected value and the nearest known name.
- USAGE: the inputs of a scraper, with an example call.
- ERROR: \`error.message\` gives the reason.

A call uses one free call if it returns items, or if the site reports that there is nothing. Invalid input is free. So are failed fetches: no connection, bot protection, a timeout, a status of 5xx.

Keep \`agentId\` from the first response and send it with each call. \`free\` shows the rest of the daily quota. A call without an API key is limited to ${keylessItems} items, ${keylessPages} pages and ${keylessTimeoutSeconds} seconds.

## With an API key

${account}: ${root}/signup. A page costs ${pageCost.free} credit, or ${pageCost.premium} for premium scrapers. The unlocker costs ${unlockerCost} more. A model costs ${modelCost} more; only \`extract\` with \`prompt\` or \`model\` uses one. Failed and \`partial\` items are free of charge. Send the key as \`token=\` on the calls above, or as \`Authorization: Bearer\` here:

- POST ${root}/api/v1/scrapers/{slug}/runs?waitForFinish=60 with the input as JSON starts a durable run. (\`maxCredits=50\` limits it; …/estimate returns its cost)
- GET ${root}/api/v1/runs/{runId}; POST …/abort, …/resume, …/retry; GET …/log, …/events (server-sent events)
- GET ${root}/api/v1/datasets/{datasetId}/items?format=${exportFormatNames.join("|")}&limit=100&offset=0
- GET ${root}/api/v1/map?url={site}&search={words}: URLs and titles of a site within seconds (without a key: ${root}/api/scrape/sitemap-extractor?url={site}&mode=map)
- GET ${root}/api/v1/me: credits and usage
- Watch a page or price: POST ${root}/api/v1/schedules with \`{"scraper":"price-monitor","input":{"productUrls":["…"]},"cron":"@hourly"}\`; GET or DELETE …/schedules/{id}; POST ${root}/api/v1/webhooks with \`{"url":"https://…","events":["monitor.changed"]}\`; GET ${root}/api/v1/monitors lists the changes
- All routes: ${root}/docs.md; schemas of some: ${root}/openapi.json?path=/api/v1/schedules
- MCP (streamable HTTP): ${root}/api/mcp?set=meta has tools to read, search, extract, find and run scrapers, and watch. ${root}/api/mcp also has each scraper as a tool. Send the key as \`Authorization: Bearer\`.

## Fixed tools

${root}/api/tools/ and ${fixedTools
    .filter((tool) => scraper(tool.slug))
    .map((tool) => `${tool.id}?${tool.parameter}=`)
    .join(", ")}

## Scrapers

Unverified: no recording of the site verifies it. Broken, Blocked or Unset (no key or Chrome): choose another.

${catalogue
  .map((scraper) => {
    const required = requiredParams(scraper)
    const words = [
      `${scraper.slug}: ${scraper.tagline.replace(/\.$/, "")}.`,
      required.length > 0 ? `Needs ${required.join(", ")}.` : "",
      troubleMark(health.of(scraper.slug)) || verificationMark(scraper),
    ]
    return `- ${words.filter(Boolean).join(" ")}`
  })
  .join("\n")}
`
}

/** A mark of one word, because many scrapers may have one. */
function troubleMark({ state }: Health): string {
  if (state === "blocked") return "Blocked."
  if (state === "broken") return "Broken."
  return state === "needs" ? "Unset." : ""
}

/** The mark is explained above the list of scrapers. */
const verificationMark = (scraper: AnyScraper): string =>
  verificationOf(scraper).verified ? "" : "Unverified."

/**
 * Returns an example call of a scraper with one required input, preferably a well-known scraper.
 */
function exampleOf(catalogue: LlmsParts["catalogue"], root: string): string {
  const simple = catalogue.filter((scraper) => requiredParams(scraper).length === 1)
  const known = simple.find((scraper) => scraper.slug === "pypi-package-scraper")
  return exampleUrl(known ?? simple[0] ?? catalogue[0]!, root)
}

type LlmsParts = Pick<Service, "catalogue" | "config" | "signUpIsOpen"> & {
  health: { of(slug: string): Health }
  scraper: (slug: string) => unknown
}
