import { routes } from "../../src/console/routing/routes.ts"

/**
 * Every file of src with a call by which bytes leave the process, and who chooses the destination:
 *
 * - `guarded`: a caller, a page or a site may have chosen it, so `EgressFilter` checks it first;
 * - `operator`: a setting or an argument of the command line sets it, and callers cannot;
 * - `inward`: it listens, or starts a program;
 * - `method`: a method called `fetch`, declared and not called, of one of the other files.
 *
 * Requests of src/console are sent by the user's browser. egress.test.ts fails if a file is missing
 * here: add its kind and the reason.
 */
type Kind = "guarded" | "operator" | "inward" | "method"

export const egressRouter: Record<string, [kind: Kind, why: string]> = {
  "engine/runtime/shared/other-process.ts": ["operator", "another process of this database, at TRAWL_PROCESS_URL; IDs hold it encrypted"],
  "extract/documents/pdf/open.ts": ["method", "a method of PDF.js called fetch, which returns embedded character maps"],
  "engine/net/http/wire.ts": ["guarded", "LiveTransport dials what the egress filter resolved; proxies are used after checkProxied"],
  "engine/net/network/tls.ts": ["guarded", "connects to what the filter's resolve returned"],
  "engine/net/browser/pool/egress-proxy.ts": ["guarded", "all of Chrome's traffic; each CONNECT and request is checked"],
  "engine/net/browser/page/visit.ts": ["guarded", "a tab's fetch runs in the page, behind the egress proxy"],
  "engine/net/browser/page/page-scripts.ts": ["guarded", "runs in the page, behind the egress proxy"],
  "engine/net/egress/filter.ts": ["guarded", "queries the resolver; its answers are checked"],
  "engine/net/network/dns.ts": ["guarded", "asks the system's resolver for records of a name, and connects nowhere else"],
  "engine/net/http/robots.ts": ["guarded", "through the transport that the caller passes"],
  "catalogue/web/crawl/crawl.ts": ["guarded", "its own method, over ctx"],
  "catalogue/web/site-reader.ts": ["guarded", "its own method, over ctx"],
  "engine/net/browser/chrome/instance.ts": ["operator", "Chrome that is started here, or at TRAWL_CHROME_WS"],
  "engine/net/browser/served/client.ts": ["operator", "a browser of `trawl browser serve`, at TRAWL_CHROME_WS"],
  "engine/net/browser/served/server.ts": ["inward", "listens for other Trawls, as `trawl browser serve`"],
  "engine/net/browser/served/session.ts": ["method", "over Chrome, whose pages go through the egress filter there"],
  "engine/net/browser/pool/fleet.ts": ["method", "over Chrome"],
  "engine/net/browser/pool/leasing.ts": ["method", "over Chrome"],
  "engine/net/browser/chrome/launch.ts": ["inward", "starts Chrome"],
  "engine/net/browser/chrome/udp-probe.ts": ["inward", "listens on loopback for a second, for UDP of a Chrome that leaks"],
  "engine/net/browser/chrome/libraries.ts": ["inward", "asks ldd what Chrome lacks"],
  "engine/net/browser/supply/download.ts": ["operator", "Chrome's builds, from TRAWL_CHROME_MIRROR or Google's"],
  "engine/net/browser/supply/fetch-chrome.ts": ["operator", "names the build of Chrome to download"],
  "cli/browser.ts": ["operator", "names the build of Chrome to download"],
  "engine/net/files/s3-client.ts": ["operator", "TRAWL_S3_ENDPOINT and similar settings"],
  "engine/net/network/other-service.ts": ["operator", "`trawl run --server`, an argument"],
  "engine/net/network/own-service.ts": ["operator", "the service of this data folder, by its service file"],
  "engine/ops/destinations/postgres/connect.ts": ["guarded", "connects to what the filter's resolve returned, by IP address"],
  "engine/ops/traces/exporter.ts": ["operator", "OTEL_EXPORTER_OTLP_ENDPOINT"],
  "engine/ops/notifications/mail-thread.ts": ["operator", "TRAWL_SMTP_URL; TRAWL_SMTP_TO limits the recipients"],
  "store/db/postgres/client.ts": ["operator", "TRAWL_DATABASE_URL"],
  "api/metrics/address.ts": ["inward", "listens for metrics"],
  "app/app.ts": ["inward", "listens for calls"],
  "catalogue/kit/context.ts": ["method", "of a tab"],
  "engine/ops/backups/folder-storage.ts": ["method", "a copy of the folder"],
  "engine/ops/backups/storage.ts": ["method", "of either storage"],
  "engine/ops/backups/s3-storage.ts": ["method", "over s3-client"],
  "engine/net/browser/pool/pool.ts": ["method", "over Chrome"],
  "engine/net/browser/lease/protocol.ts": ["method", "over Chrome"],
  "engine/net/browser/remote-browser.ts": ["method", "over Chrome"],
  "engine/net/browser/service.ts": ["method", "over Chrome"],
  "engine/fetch/replay/environment.ts": ["method", "of a recorded case"],
  "engine/fetch/replay/recording-browser.ts": ["method", "over Chrome"],
  "engine/ops/settings/check-services.ts": ["operator", "the doctor's check of the configured storage and mail server"],
  "app/bootstrap.ts": ["method", "responds to a call"],
} // biome-ignore format: a table reads better dense

/**
 * Inputs of the API, by name, that are never used as a URL. Those of scrapers are not listed: all
 * of them are tested.
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
  // A user key of Pushover, whose host is fixed.
  "user",
  // Keys of a browser that receives push messages.
  "p256dh", "auth",
  // Compared with the patterns of scrapers.
  "listScrapers query:url",
  // Names and codes; a session's hosts select cookies, and are not requested.
  "session", "hosts", "selector", "secret", "country", "language", "id",
  // A scraper's input: all of those are tested.
  "uploadList body", "uploadList query:column", "uploadList query:input",
]) // biome-ignore format: a list reads better dense

/**
 * Inputs of the API that cause a fetch, by operation and path, and how they are tested. A `tab` is
 * a page of Chrome, which reaches the network through EgressProxy only; egress-proxy.test.ts tests
 * it.
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

/** Undocumented routes by prefix, each with the parameter that contains a URL. */
export const undocumented: Record<string, string> = {
  "/r/": "Jina: the rest of the path",
  "/s/": "Jina: words for a search engine, no URL",
  "/search": "SearXNG: words for a search engine, no URL",
  "/v1/": "Firecrawl: url, urls, and the URLs in its options",
  "/v2/": "Firecrawl as /v1/; Apify: the input of an actor, which is a scraper",
  "/api/tools/:tool": "the fixed tools, each documented under its own name",
  "/api/mcp": "MCP: the arguments of a tool, which are a scraper's input",
  ...Object.fromEntries(
    [
      "/favicon.ico", "/robots.txt", ...routes.map(({ path }) => path).filter((path) => path !== "/"),
      "/console/", "/docs/",
    ].map((path) => [path, "the service's own pages, which have no inputs"]), // biome-ignore format: a list reads better dense
  ),
}
