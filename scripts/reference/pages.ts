import { errorCodes } from "../../src/api/docs/error-codes.ts"
import { errorBody } from "../../src/api/http/errors.ts"
import { isFreeOfQuota } from "../../src/api/keyless/settlement.ts"
import { maxRecipes } from "../../src/api/recipes/own-scrapers.ts"
import { maxRuns } from "../../src/api/schemas/batch.ts"
import { itemsQuery } from "../../src/api/v1/item-exports.ts"
import { maxKeys } from "../../src/api/v1/keys.ts"
import { maxListBytes, maxValues } from "../../src/api/v1/list-body.ts"
import { maxSchedules } from "../../src/api/v1/schedules.ts"
import { secretRows } from "../../src/catalogue/kit/index.ts"
import { programOf } from "../../src/cli/main.ts"
import { type CommandInfo, reportedCommands } from "../../src/cli/shell/commands.ts"
import { settingRows } from "../../src/config/config.ts"
import { maxPageBytes } from "../../src/engine/net/browser/page/page-response.ts"
import { maxDocumentBytes } from "../../src/engine/net/documents/as-page.ts"
import { maxRedirects } from "../../src/engine/net/http/redirects.ts"
import { maxTries } from "../../src/engine/ops/notifications/retries.ts"
import { maxItemsRead } from "../../src/export/choose.ts"
import { maxExpression } from "../../src/export/transforms.ts"
import { modelCost, pageCost, unlockerCost } from "../../src/store/accounts/credits.ts"
import { maxAppended } from "../../src/store/runs/datasets.ts"
import { maxStarts } from "../../src/store/runs/requeue.ts"
import { code, generated, table } from "./markdown.ts"
import { scraperPages } from "./scrapers.ts"

/** Returns the generated pages of the reference by name. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    settings: settingsPage(),
    errors: errorsPage(),
    limits: limitsPage(),
    formats: formatsPage(),
    commands: await commandsPage(),
    ...scraperPages(),
  }
}

function errorsPage(): string {
  const rows = Object.entries(errorCodes).map(([name, { meaning, retry, fix }]) => [
    code(name),
    meaning,
    retry,
    isFreeOfQuota(name) ? "no" : "yes",
    fix,
  ])
  return `# Error codes

${generated}

A target that fails becomes an error item. The other targets of the run continue.

\`\`\`json
{ "input": "no-such-package", "statusCode": 404, "error": { "code": "not_found", "message": "…" } }
\`\`\`

- **Retry** shows if the same call can succeed later. \`later\` means after minutes or hours.
- **Free call** shows if a call without an API key counts against the daily free quota. It does not if all of its
  targets failed with a code that has "no" here.
- **Credits**: a failed target never costs credits.

${table(["Code", "Meaning", "Retry", "Free call", "What to do"], rows)}

A scraper can stop with \`not_found\` for several targets and still succeed as a run. Read \`run.status\` for the
run and \`error.code\` for each item.

## HTTP status of the API

${table(["Status", code("error.code"), "Meaning", "What to do"], statusRows())}
`
}

/** Meaning of each HTTP status of the API, and what to do. */
const statuses: Record<number, [meaning: string, fix: string]> = {
  400: [
    "A field or a query parameter is not valid.",
    "Read `error.details`: field, value and expected value.",
  ],
  401: [
    "The API key is missing, not valid, expired or revoked.",
    "Send `Authorization: Bearer <API_KEY>`.",
  ],
  402: ["The account has no credits left.", "Add credits."],
  403: ["The API key lacks a scope, or the account is locked.", "Use a key with the scope."],
  404: ["The ID or the path does not exist, or belongs to another account.", "Check the ID."],
  405: ["The path exists, but not with this method.", "Use a method of the `Allow` header."],
  408: ["The body did not arrive in time.", "Send it again."],
  409: ["The state does not allow it, or a limit of the account is reached.", "Read the message."],
  413: [
    "The body is too large.",
    "See [Limits](limits.md). A reverse proxy can have a smaller limit.",
  ],
  415: ["The content type is not supported.", "Send `application/json`."],
  422: ["The `Idempotency-Key` was used with another body.", "Use a new key."],
  429: ["You sent too many requests.", "Wait for the seconds of `Retry-After`."],
  500: ["Trawl has a bug.", "Report it with the line of the log."],
  502: ["Another server that the call needs failed.", "Repeat the call later."],
  503: [
    "The database is not available, or the server stops.",
    "Wait for the seconds of `Retry-After`.",
  ],
  507: [
    "The disk is full.",
    "The operator frees space. See [Troubleshooting](../help/troubleshooting.md).",
  ],
}

/** Returns a row for each status that has its own code. */
function statusRows(): string[][] {
  const rows: string[][] = []
  for (let status = 400; status < 600; status++) {
    const name = errorBody(status, "").error.code
    if (name === "internal_error" && status !== 500) continue
    const entry = statuses[status]
    if (!entry) throw new Error(`Describe status ${status} in scripts/reference/pages.ts.`)
    rows.push([String(status), code(name), ...entry])
  }
  return rows
}

function settingsPage(): string {
  const rows = settingRows().map(({ env, fallback, description, changeable }) => [
    code(env),
    code(fallback),
    changeable ? "now" : "restart",
    description,
  ])
  return `# Settings

${generated}

Each setting is an environment variable with a default that works. Set it in one of these ways:

\`\`\`sh
export TRAWL_FREE_DAILY=100                # in the shell, before you start Trawl
trawl config set TRAWL_FREE_DAILY 100      # in the running service; it is kept in the database
\`\`\`

The packages read \`/etc/trawl/trawl.env\`, one \`NAME=value\` a line. The environment takes precedence over
\`trawl config\`. Lists are comma-separated, for example \`TRAWL_TRUST_PROXY=127.0.0.1,10.0.0.0/8\`. The column
"Takes effect" shows which settings need a restart.

${table(["Setting", "Default", "Takes effect", "Description"], rows)}

## Credentials of sites

Scrapers use these variables if they are set. None is required. They never appear in items, logs or errors.
Credentials marked "accounts" serve only runs with an API key, unless \`TRAWL_KEYLESS_SECRETS\` lists them.

${table(
  ["Variable", "Serves", "Use"],
  secretRows().map(({ env, description, isSecret }) => [
    code(env),
    isSecret ? "accounts" : "all",
    description,
  ]),
)}
`
}

const megabytes = (bytes: number) => `${bytes / (1024 * 1024)} MB`
const count = (value: number) => value.toLocaleString("en")

function limitsPage(): string {
  const defaults = new Map(settingRows().map(({ env, fallback }) => [env, fallback]))
  const set = (env: string) => [defaults.get(env)!, code(env)]
  return `# Limits and credits

${generated}

## Credits

${table(
  ["What", "Credits"],
  [
    ["A page of a scraper", String(pageCost.free)],
    ["A page of a premium scraper", String(pageCost.premium)],
    ["In addition, if the page came through the unlocker", String(unlockerCost)],
    ["In addition, if a model read the page", String(modelCost)],
    ["A failed target, a cached response, a partial item", "0"],
  ],
)}

An administrator's account has no limits. \`POST /api/v1/scrapers/{slug}/estimate\` returns the expected cost of a run.

## Calls without an API key

${table(
  ["Limit", "Default", "Setting"],
  [
    ["Calls a day for each IPv4 address or IPv6 /64 network", ...set("TRAWL_FREE_DAILY")],
    ["Items of a run", ...set("TRAWL_KEYLESS_ITEMS")],
    ["Pages of a run", ...set("TRAWL_KEYLESS_PAGES")],
    ["Seconds of a run", ...set("TRAWL_KEYLESS_TIMEOUT_SECONDS")],
  ],
)}

## Accounts

${table(
  ["Limit", "Default", "Setting"],
  [
    ["Requests a minute for each API key", ...set("TRAWL_RATE_LIMIT")],
    ["Runs that execute at once", ...set("TRAWL_RUNS_PER_ACCOUNT")],
    ["Days until runs and items are deleted", ...set("TRAWL_RETENTION_DAYS")],
    ["MB of one file", ...set("TRAWL_FILE_MB")],
    ["MB of the files of a run", ...set("TRAWL_RUN_FILES_MB")],
    ["MB of the files of an account", ...set("TRAWL_ACCOUNT_FILES_MB")],
    ["API keys", count(maxKeys), "fixed"],
    ["Schedules", count(maxSchedules), "fixed"],
    ["Recipes", count(maxRecipes), "fixed"],
  ],
)}

## Requests

${table(
  ["Limit", "Value"],
  [
    ["Runs of a batch", count(maxRuns)],
    ["Size of an uploaded list", megabytes(maxListBytes)],
    ["Values of an uploaded list", count(maxValues)],
    ["Runs appended to a dataset", count(maxAppended)],
    ["Items that a filtered page examines", count(maxItemsRead)],
    ["Characters of a `transform`", count(maxExpression)],
    ["Attempts to start a run", count(maxStarts)],
    ["Attempts to deliver a webhook or a notification", count(maxTries)],
  ],
)}

## Pages

${table(
  ["Limit", "Value"],
  [
    ["Redirects of a page", count(maxRedirects)],
    ["Size of a page in Chrome", megabytes(maxPageBytes)],
    ["Size of a document (PDF, Word, Excel …)", megabytes(maxDocumentBytes)],
    ["Tabs of Chrome at once (`TRAWL_BROWSER_TABS`)", defaults.get("TRAWL_BROWSER_TABS")!],
    [
      "Seconds for a challenge or an app shell (`TRAWL_PAGE_WAIT_SECONDS`)",
      defaults.get("TRAWL_PAGE_WAIT_SECONDS")!,
    ],
  ],
)}
`
}

const formats: Record<string, [type: string, use: string]> = {
  json: [
    "application/json",
    "Items with `total` and `nextCursor`. Returns up to 1,000 items a page.",
  ],
  jsonl: ["application/x-ndjson", "One JSON object a line. Use it for large datasets."],
  csv: [
    "text/csv",
    "A table. Nested fields are columns such as `offer.price`. Formulas are neutralised.",
  ],
  xlsx: ["Excel workbook", "A table with numbers, dates and links as such."],
  parquet: ["application/vnd.apache.parquet", "Typed columns for DuckDB, pandas and Spark."],
  md: ["application/zip", "One Markdown file for each page."],
}

function formatsPage(): string {
  const values = itemsQuery.properties.format.enum as string[]
  const rows = values.map((name) => {
    const entry = formats[name]
    if (!entry) throw new Error(`Describe the format "${name}" in scripts/reference/pages.ts.`)
    return [code(name), ...entry]
  })
  return `# Export formats

${generated}

Set \`format\` on \`GET /api/v1/datasets/{id}/items\`. \`trawl run\` takes the same names with \`--format\`, or the
ending of \`--output\`. [Items and exports](../use/items.md) shows filters, order and columns.

${table(["Format", "Content type", "Use"], rows)}
`
}

async function commandsPage(): Promise<string> {
  const program = await programOf()
  const [, ...commands] = reportedCommands(program)
  return `# Commands

${generated}

\`trawl\` without a command starts the service. \`trawl <url>\` prints a page as Markdown. \`trawl man\` prints this
reference as a manual page.

## Exit codes

${table(
  ["Code", "Meaning"],
  [
    ["0", "The command succeeded."],
    [
      "1",
      "The work failed, for example a run without any item. `trawl check`: a scraper is broken.",
    ],
    ["2", "The input, a setting or a folder must be corrected first."],
    ["3", "`trawl check`: a scraper is blocked, or its result is inconclusive."],
  ],
)}

${commands.map(commandSection).join("\n\n")}
`
}

function commandSection({ path, summary, usage, options }: CommandInfo): string {
  const rows = options
    .filter(({ names }) => !names.includes("--help"))
    .map(({ names, value, choices, summary: text }) => [
      names.map((name) => code(`${name}${value ? ` ${value}` : ""}`)).join(", "),
      choices.length > 0 ? `${text}: ${choices.map(code).join(", ")}` : text,
    ])
  const head = `## trawl ${path}\n\n${summary[0]!.toUpperCase()}${summary.slice(1)}.\n\n\`\`\`\n${usage}\n\`\`\``
  return rows.length > 0 ? `${head}\n\n${table(["Option", "Description"], rows)}` : head
}
