/**
 * Every error code of an item or a run, with its meaning and the next step.
 * scripts/list-reference.ts generates the guide's reference from this table; a test compares it
 * with the codes in the sources.
 */
export interface ErrorCode {
  meaning: string
  /** Whether the same call can succeed later without a change. */
  retry: "yes" | "later" | "no"
  /** What the user or the operator can do. */
  fix: string
}

const code = (meaning: string, retry: ErrorCode["retry"], fix: string): ErrorCode => ({
  meaning,
  retry,
  fix,
})

export const errorCodes: Readonly<Record<string, ErrorCode>> = {
  aborted: code("The run was aborted before this target finished.", "yes", "Resume the run."),
  account_required: code(
    "The option is only for runs of an account.",
    "no",
    "Send an API key, or leave the option out.",
  ),
  action_failed: code(
    "An action on the page failed in Chrome.",
    "later",
    "Check the number of the action that the message gives. Wait for the element first.",
  ),
  app_shell: code(
    "The page is an app shell: only scripts fill it.",
    "no",
    "Allow Chrome: use `renderScripts` in the input, or install Chrome on the server.",
  ),
  blocked: code(
    "Bot protection refused the request. The message names the vendor.",
    "later",
    "Try later, or ask the operator for a proxy or an unlocker.",
  ),
  browser_crashed: code("Chrome crashed or closed the tab.", "yes", "Repeat the call."),
  browser_unavailable: code(
    "The page needs Chrome, and this server has none that responds.",
    "no",
    "The operator runs `trawl browser install`, or sets `TRAWL_CHROME` or `TRAWL_CHROME_WS`.",
  ),
  connection: code(
    "The connection to the host failed or was closed.",
    "yes",
    "Check the URL and the port. Trawl has already retried.",
  ),
  crashed: code(
    "The worker ended during this run several times.",
    "later",
    "Report the input. Reduce the size of the run.",
  ),
  diff_too_large: code(
    "The two datasets have too many items to compare.",
    "no",
    "Compare fewer fields, or smaller datasets.",
  ),
  dns: code(
    "The host name does not exist, or DNS failed.",
    "later",
    "Check the spelling of the host.",
  ),
  egress_denied: code(
    "The egress filter refused a private or reserved IP address.",
    "no",
    "The operator can allow the host with `TRAWL_EGRESS_ALLOW`.",
  ),
  encrypted_document: code("The document has a password.", "no", "Remove the password."),
  expired: code(
    "The run waited longer in the queue than `expiresAfter`.",
    "yes",
    "Start the run again, or set a longer `expiresAfter`.",
  ),
  file_not_kept: code(
    "A screenshot or PDF was made, but could not be stored.",
    "yes",
    "The operator checks the disk or the storage (`trawl doctor`).",
  ),
  forbidden: code(
    "The site refuses access (status 401, 403 or 451).",
    "later",
    "Check if the page is public. A proxy in another country can help.",
  ),
  geo_blocked: code(
    "The site refuses visitors from the country of this server.",
    "no",
    "Set `country` and use a proxy of that country.",
  ),
  http_error: code("The site returned another error status.", "no", "Read `statusCode`."),
  invalid_input: code(
    "The value is not a valid target of this scraper.",
    "no",
    "Correct the value. The message names the format.",
  ),
  invalid_json_ld: code("The page has JSON-LD that cannot be parsed.", "no", "Use another field."),
  layout_changed: code(
    "The response has a form that the scraper does not know.",
    "no",
    "Update Trawl, and report the URL.",
  ),
  login_required: code(
    "The site shows this only to signed-in users.",
    "no",
    "Use a session of your account (`session`). For some sites, the operator can set an API key.",
  ),
  missing_credentials: code(
    "The scraper needs an API key or a session of the site.",
    "no",
    "The operator sets the variable that the message names.",
  ),
  model_failed: code("The model's server returned an error.", "later", "The operator checks it."),
  model_invalid: code("The model's result does not fit the schema.", "yes", "Simplify the schema."),
  model_timeout: code(
    "The model did not respond in time.",
    "yes",
    "The operator can raise `TRAWL_LLM_TIMEOUT_SECONDS`.",
  ),
  model_unreachable: code(
    "The model's server cannot be reached.",
    "later",
    "The operator checks `TRAWL_LLM_URL`.",
  ),
  no_article: code("The page has no article.", "no", "Use `url-to-markdown-scraper`."),
  no_model: code(
    "The call needs a model, and the operator has set none.",
    "no",
    "Use a schema without `prompt`, or set `TRAWL_LLM_URL`.",
  ),
  no_picture: code("A document has no screenshot.", "no", "Request its Markdown."),
  no_preview: code(
    "The channel has no public preview.",
    "no",
    "Choose a channel with a public web page.",
  ),
  no_price: code("The product page has no price.", "later", "Check if the product is sold."),
  no_product: code("The page has no product.", "no", "Use the URL of a product page."),
  no_sitemap: code("The site has no sitemap.", "no", "Use `website-content-crawler`."),
  not_a_feed: code("The URL is not a feed.", "no", "Find feeds with `rss-discovery-scraper`."),
  not_a_podcast: code("The feed has no audio.", "no", "Use `rss-feed-reader`."),
  not_a_sitemap: code(
    "The URL is not a sitemap.",
    "no",
    "Use the URL of a sitemap or of the site.",
  ),
  not_found: code("The site reports that this does not exist.", "no", "Check the value."),
  not_shopify: code("The shop does not run on Shopify.", "no", "Use `ecommerce-product-scraper`."),
  not_started: code(
    "The run could not be started in five attempts.",
    "later",
    "The operator reads the log, then resumes the run.",
  ),
  out_of_credit: code(
    "The account, the API key or the run has no credits left.",
    "no",
    "Add credits or raise the limit, then resume the run.",
  ),
  outdated_site_constant: code(
    "A site constant that Trawl uses is outdated.",
    "no",
    "The operator runs `trawl upstreams update`, or updates Trawl.",
  ),
  parse_error: code(
    "The response could not be parsed.",
    "later",
    "Update Trawl, and report the URL.",
  ),
  password_protected: code("The shop asks visitors for a password.", "no", "Choose another shop."),
  private: code("The owner has made this private.", "no", "Choose something public."),
  rate_limited: code(
    "The site limits the rate of requests (status 429).",
    "later",
    "Wait for the time in the message, or request fewer items.",
  ),
  robots_disallowed: code(
    "The site's robots.txt disallows this page for crawlers.",
    "no",
    "Respect it, or use a scraper that reads single pages.",
  ),
  scanned_document: code("The PDF has only images of its pages.", "no", "Use text recognition."),
  screenshot_failed: code("Chrome could not make the image or the PDF.", "yes", "Repeat the call."),
  screenshot_timeout: code(
    "The image or the PDF was not ready within 30 seconds.",
    "yes",
    "Use a smaller window, or leave `fullPage` out.",
  ),
  script_not_allowed: code(
    "The account may not run JavaScript on pages.",
    "no",
    "The operator adds the account to `TRAWL_SCRIPT_ACCOUNTS`.",
  ),
  selector_not_found: code(
    "No element of the page matches the selector.",
    "no",
    "Check the selector. Wait for the element if scripts add it.",
  ),
  selector_not_shown: code(
    "The element exists, but is not visible.",
    "no",
    "Scroll or click first.",
  ),
  storage_quota_exceeded: code(
    "The files of the run or the account have reached their limit.",
    "no",
    "Delete files, or ask the operator for a larger limit.",
  ),
  store_closed: code("The shop is closed.", "no", "Choose another shop."),
  suspended: code("The site has suspended this account.", "no", "Choose another account."),
  timeout: code(
    "The site or the run did not finish in time.",
    "yes",
    "Repeat the call, or use a longer timeout.",
  ),
  tls: code("The TLS handshake failed.", "no", "Check the certificate, or use http://."),
  too_large: code(
    "The response is larger than the limit.",
    "no",
    "Request fewer items, or a smaller page.",
  ),
  too_many_open_files: code(
    "The server has too many open files for another connection.",
    "yes",
    "The operator raises the limit of open files (`ulimit -n`).",
  ),
  too_many_redirects: code("The redirects do not end.", "no", "Use the final URL."),
  transform_failed: code(
    "The JSONata expression failed for this item.",
    "no",
    "Correct `transform`. The item in the dataset is unchanged.",
  ),
  unavailable: code("The site does not show this account or video.", "later", "Try another one."),
  unreadable_document: code(
    "The document is damaged, or of an unknown format.",
    "no",
    "Check the file.",
  ),
  unsupported_content: code(
    "The response is not a page or document that Trawl reads.",
    "no",
    "Read the content type in the message.",
  ),
  unsupported_tld: code(
    "No registry serves this top-level domain.",
    "no",
    "Choose another domain.",
  ),
  upstream_error: code(
    "The site failed (status 5xx).",
    "yes",
    "Repeat the call later. Trawl has already retried.",
  ),
}
