import { Type } from "@sinclair/typebox"
import { items, record } from "../../kit/index.ts"

export const linkItem = record({
  type: Type.Literal("link", { description: "Kind of item: a link." }),
  url: items.requiredText("URL of the link without fragment, or as written if it is not valid."),
  finalUrl: items.text("URL after redirects."),
  statusCode: items.integer("HTTP status; null if there was no response."),
  broken: items.requiredBoolean("Whether the link's target cannot be loaded."),
  reason: items.text(
    "Reason why it is broken: not_found, gone, upstream_error, http_error, timeout, dns, tls, connection, too_many_redirects or invalid_url. If it could not be verified: forbidden, robots_disallowed or too_many_open_files.",
  ),
  external: items.requiredBoolean("Whether the link's target is on another host."),
  element: items.requiredText("HTML element: a, area, img or iframe."),
  anchorText: items.text("Text of the link's first occurrence."),
  foundOn: items.texts("URLs of pages with this link, at most 100."),
  foundOnCount: items.requiredInteger("Number of pages with this link."),
  redirected: items.requiredBoolean("Whether the link redirects."),
  redirectStatus: items.integer("HTTP status of the first redirect."),
  responseTimeMs: items.integer("Response time in milliseconds; null if there was no response."),
})

/** The last item of a run. */
export const summaryItem = record({
  type: Type.Literal("summary", { description: "Kind of item: the summary of the run." }),
  startUrl: items.requiredText("Start URL of the crawl."),
  pagesCrawled: items.requiredInteger("Number of pages whose links were read."),
  linksChecked: items.requiredInteger("Number of different links that were checked."),
  brokenLinks: items.requiredInteger("Number of broken links."),
  redirectedLinks: items.requiredInteger("Number of links that redirect."),
  externalLinks: items.requiredInteger("Number of different links to other hosts."),
  internalLinks: items.requiredInteger("Number of different links to this host."),
  skipped: items.requiredInteger("Number of links that no request can check, for example mailto."),
  byStatus: items.countsByName("Number of links by status."),
  durationMs: items.requiredInteger("Duration of the check in milliseconds."),
})
