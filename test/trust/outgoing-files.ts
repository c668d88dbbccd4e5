import { routes } from "../../src/console/routing/routes.ts"

/**
 * Every file of src that holds something by which bytes leave the process, and who names where they go:
 *
 * - `guarded`: a caller, a page or an upstream may have named it, so `EgressGuard` judges it first;
 * - `operator`: a setting or an argument of the command line names it, and no caller can;
 * - `inward`: it listens, or starts a program;
 * - `method`: a method called `fetch`, declared and not called, of one of the former.
 *
 * What src/console asks for is asked by its owner's browser. egress.test.ts fails where a file is missing here: say which it is, and why that holds.
 */
type Kind = "guarded" | "operator" | "inward" | "method"

export const egressRouter: Record<string, [kind: Kind, why: string]> = {
  "engine/runtime/shared/other-process.ts": ["operator", "another process of this database, at TRAWL_PROCESS_URL; IDs hold it encrypted"],
  "extract/documents/pdf/open.ts": ["method", "a method of PDF.js called fetch, which returns embedded character maps"],
  "engine/net/http/wire.ts": ["guarded", "LiveTransport dials what the guard resolved; proxies are asked after checkProxied"],
  "engine/net/network/tls.ts": ["guarded", "shakes hands with what guard.resolve gave"],
  "engine/net/browser/pool/egress-proxy.ts": ["guarded", "all of Chrome's traffic; each CONNECT and request is judged"],
  "engine/net/browser/page/visit.ts": ["guarded", "a tab's fetch runs in the page, behind the guard's proxy"],
  "engine/net/browser/page/page-scripts.ts": ["guarded", "runs in the page, behind the guard's proxy"],
  "engine/net/egress/filter.ts": ["guarded", "asks the resolver; what it says is judged"],
  "engine/net/network/dns.ts": ["guarded", "asks the system's resolver for records of a name, and connects nowhere else"],
  "engine/net/http/robots.ts": ["guarded", "through the transport that it is given"],
  "catalogue/web/crawl/crawl.ts": ["guarded", "its own method, over ctx"],
  "catalogue/web/site-reader.ts": ["guarded", "its own method, over ctx"],
  "engine/net/browser/chrome/instance.ts": ["operator", "Chrome that is started here, or at TRAWL_CHROME_WS"],
  "engine/net/browser/served/client.ts": ["operator", "a browser of `trawl browser serve`, at TRAWL_CHROME_WS"],
  "engine/net/browser/served/server.ts": ["inward", "listens for other Trawls, as `trawl browser serve`"],
  "engine/net/browser/served/session.ts": ["method", "over Chrome, whose pages go by the guard there"],
  "engine/net/browser/pool/fleet.ts": ["method", "over Chrome"],
  "engine/net/browser/pool/leasing.ts": ["method", "over Chrome"],
  "engine/net/browser/chrome/launch.ts": ["inward", "starts Chrome"],
  "engine/net/browser/chrome/udp-probe.ts": ["inward", "listens on loopback for a second, for UDP of a Chrome that leaks"],
  "engine/net/browser/chrome/libraries.ts": ["inward", "asks ldd what Chrome lacks"],
  "engine/net/browser/supply/download.ts": ["operator", "Chrome's builds, from TRAWL_CHROME_MIRROR or Google's"],
  "engine/net/browser/supply/fetch-chrome.ts": ["operator", "names the build of Chrome for the former"],
  "cli/browser.ts": ["operator", "names the build of Chrome for the former"],
  "engine/net/files/s3-client.ts": ["operator", "TRAWL_S3_ENDPOINT and its like"],
  "engine/net/network/other-service.ts": ["operator", "`trawl run --server`, an argument"],
  "engine/net/network/own-service.ts": ["operator", "the service of this data folder, by its service file"],
  "engine/ops/destinations/postgres/connect.ts": ["guarded", "dials what guard.resolve gave, by its IP address"],
  "engine/ops/traces/exporter.ts": ["operator", "OTEL_EXPORTER_OTLP_ENDPOINT"],
  "engine/ops/notifications/mail-thread.ts": ["operator", "TRAWL_SMTP_URL; who is written to is TRAWL_SMTP_TO's"],
  "store/db/postgres/client.ts": ["operator", "TRAWL_DATABASE_URL"],
  "api/metrics/address.ts": ["inward", "listens for metrics"],
  "app/app.ts": ["inward", "listens for calls"],
  "catalogue/kit/context.ts": ["method", "of a tab"],
  "engine/ops/backups/folder-storage.ts": ["method", "a copy of the folder"],
  "engine/ops/backups/storage.ts": ["method", "of either place"],
  "engine/ops/backups/s3-storage.ts": ["method", "over s3-client"],
  "engine/net/browser/pool/pool.ts": ["method", "over Chrome"],
  "engine/net/browser/lease/protocol.ts": ["method", "over Chrome"],
  "engine/net/browser/remote-browser.ts": ["method", "over Chrome"],
  "engine/net/browser/service.ts": ["method", "over Chrome"],
  "engine/fetch/replay/environment.ts": ["method", "of a recorded case"],
  "engine/fetch/replay/recording-browser.ts": ["method", "over Chrome"],
  "engine/ops/settings/check-services.ts": ["operator", "the doctor's look at the storage and mail server of the settings"],
  "app/bootstrap.ts": ["method", "responds to a call"],
} // biome-ignore format: a table reads better dense

/**
 * Inputs of the API, by name, that hold no address, whatever is written in them. Those of scrapers are
 * not here: all of them are tried.
 */
export const noAddress = new Set([
  "account", "accountId", "action", "agentId", "appendTo", "asin", "batchId", "category", "claim", "column", "createdAfter",
  "createdBefore", "cron", "datasets", "filter", "linkId", "since", "sort", "unique", "uniqueBy", "cursor", "datasetId", "deliveryId", "description", "email", "expiresAt",
  "field", "fields", "fileId", "formToken", "from", "Idempotency-Key", "key", "keyCredits", "keyDays",
  "keyId", "keyName", "Last-Event-ID", "link", "mutedUntil", "name", "newPassword", "note",
  "destination", "destinationId", "table", "schema", "bucket", "region", "accessKeyId", "secretAccessKey", "schedule",
  "notificationId", "omit", "page", "password", "pattern", "q", "recipeId", "room", "runId", "scheduleId", "scraper", "scrapers",
  "search", "set", "signature", "slug", "text", "timeZone", "to", "token", "tools", "transform", "until", "username",
  "view", "webhookId", "find", "pick", "title", "columns", "by", "path", "tag", "tags",
  // Pushover's key of a user; the host is ours.
  "user",
  // Of a browser that gets push messages.
  "p256dh", "auth",
  // Compared with what scrapers are made for.
  "listScrapers query:url",
  // Names and codes; a session's hosts select cookies, and none is called for them.
  "session", "hosts", "selector", "secret", "country", "language", "id",
  // A scraper's input: all of those are tried.
  "uploadList body", "uploadList query:column", "uploadList query:input",
]) // biome-ignore format: a list reads better dense

/**
 * Inputs of the API that lead to a fetch, by operation and place, and how they are tried. A `tab` is a page
 * of Chrome, which reaches the network through EgressProxy only; egress-proxy.test.ts tries it.
 */
export const addresses: Record<string, "call" | "receiver" | "setting" | "tab"> = {
  "scrape query:url": "call",
  "scrape query:input": "call",
  "scrapeByName query:input": "call",
  "tool-email query:url": "call",
  "tool-email-scraper query:url": "call",
  "tool-markdown query:url": "call",
  "tool-url-to-markdown query:url": "call",
  "tool-meta-tags query:url": "call",
  "tool-meta-tag-checker query:url": "call",
  "tool-sitemap query:url": "call",
  "tool-sitemap-extractor query:url": "call",
  "tool-youtube query:url": "call",
  "tool-youtube-scraper query:url": "call",
  "tool-whois query:domain": "call",
  "tool-whois-lookup query:domain": "call",
  "mapSite query:url": "call",
  "createWebhook body.url": "receiver",
  "changeWebhook body.url": "receiver",
  "createNotification body.url": "receiver",
  "changeNotification body.url": "receiver",
  "adminCreateNotification body.url": "receiver",
  "createDestination body.url": "receiver",
  "changeDestination body.url": "receiver",
  "adminCreateDestination body.url": "receiver",
  "adminSetSetting body.value": "setting",
  "createSession body.login.steps.url": "tab",
  "changeSession body.login.steps.url": "tab",
  "putSession body.login.steps.url": "tab",
  "startLiveLogin body.url": "tab",
}

/** Routes that no document tells of, by how they begin, each with what carries an address. */
export const undocumented: Record<string, string> = {
  "/r/": "Jina: the rest of the path",
  "/s/": "Jina: words for a search engine, no address",
  "/search": "SearXNG: words for a search engine, no address",
  "/v1/": "Firecrawl: url, urls, and what its options name",
  "/v2/": "Firecrawl as /v1/; Apify: the input of an actor, which is a scraper",
  "/api/tools/:tool": "the fixed tools, each documented under its own name",
  "/api/mcp": "MCP: the arguments of a tool, which are a scraper's input",
  ...Object.fromEntries(
    [
      "/favicon.ico", "/robots.txt", ...routes.map(({ path }) => path).filter((path) => path !== "/"),
      "/console/", "/docs/",
    ].map((path) => [path, "pages of the service's own; they take nothing"]), // biome-ignore format: a list reads better dense
  ),
}
