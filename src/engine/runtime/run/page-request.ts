import type {
  DataOptions,
  PageOptions,
  RenderedResponse,
  RequestOptions,
  UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { maxDocumentBytes } from "../../net/documents/as-page.ts"

export const isOfDocument = ({ contentType }: UpstreamResponse) =>
  /^application\/(?!(?:[\w.-]+\+)?(?:xml|json|javascript)$|xhtml)/.test(contentType)

export const isRendered = (response: UpstreamResponse): response is RenderedResponse =>
  "captured" in response

/**
 * Options of a request for the fetcher and Chrome's thread. A challenge is not retried with the
 * same fetch method, even if it only delays the page.
 */
export function requestOf<O extends PageOptions | DataOptions>(options: O) {
  const {
    has,
    what: _what,
    refusal,
    documents,
    documentPages: _pages,
    forAccounts: _field,
    errorPages,
    ...request
  } = options as PageOptions
  return {
    ...(errorPages ? { accept: "any" as const } : {}),
    ...(documents ? { maxBytes: maxDocumentBytes } : {}),
    ...(typeof has === "string" ? { waitFor: has } : {}),
    ...(refusal ? { retries: refusal.stalls ? 0 : 1 } : {}),
    ...request,
  }
}

export function asJson<O extends RequestOptions>(options: O): O {
  return { ...options, headers: { accept: "application/json", ...options.headers } }
}
