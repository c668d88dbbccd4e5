import { Type } from "@sinclair/typebox"
import { integerField, itemObject, textField, textsField } from "../../kit/index.ts"

/** The item of a link. */
export const linkItem = itemObject({
  type: Type.Literal("link", { description: "Kind of item: a link." }),
  url: Type.String({
    description: "URL of the link without fragment, or as written if it is not valid.",
  }),
  finalUrl: textField("URL after redirects."),
  statusCode: integerField("HTTP status; null if there was no response."),
  broken: Type.Boolean({ description: "Whether the link's target cannot be loaded." }),
  reason: textField(
    "Reason why it is broken: not_found, gone, upstream_error, http_error, timeout, dns, tls, connection, too_many_redirects or invalid_url. If it could not be verified: forbidden, robots_disallowed or too_many_open_files.",
  ),
  external: Type.Boolean({ description: "Whether the link's target is on another host." }),
  element: Type.String({ description: "HTML element: a, area, img or iframe." }),
  anchorText: textField("Text of the link's first occurrence."),
  foundOn: textsField("URLs of pages with this link, at most 100."),
  foundOnCount: Type.Integer({ description: "Number of pages with this link." }),
  redirected: Type.Boolean({ description: "Whether the link redirects." }),
  redirectStatus: integerField("HTTP status of the first redirect."),
  responseTimeMs: integerField("Response time in milliseconds; null if there was no response."),
})

/** The last item of a run. */
export const summaryItem = itemObject({
  type: Type.Literal("summary", { description: "Kind of item: the summary of the run." }),
  startUrl: Type.String({ description: "Start URL of the crawl." }),
  pagesCrawled: Type.Integer({ description: "Number of pages whose links were read." }),
  linksChecked: Type.Integer({ description: "Number of different links that were checked." }),
  brokenLinks: Type.Integer({ description: "Number of broken links." }),
  redirectedLinks: Type.Integer({ description: "Number of links that redirect." }),
  externalLinks: Type.Integer({ description: "Number of different links to other hosts." }),
  internalLinks: Type.Integer({ description: "Number of different links to this host." }),
  skipped: Type.Integer({
    description: "Number of links that no request can check, for example mailto.",
  }),
  byStatus: Type.Record(Type.String(), Type.Integer(), {
    description: "Number of links by status.",
  }),
  durationMs: Type.Integer({ description: "Duration of the check in milliseconds." }),
})
