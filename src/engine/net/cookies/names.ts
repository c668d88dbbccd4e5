/** What is known of a cookie by its name. */
export interface CookieRule {
  name: RegExp
  /** The site that gives it this meaning; default: any. */
  site?: string
  /**
   * `kept` from run to run. `told`: a choice of ours, sent with a request; it identifies no visitor,
   * and is not kept.
   */
  as: "kept" | "told"
  /** Bound to more than the user agent: a wall refuses it from another client. */
  boundTo?: "hello" | "address"
  /** Of the agent alone: plain HTTP goes on, in later runs too, with what Chrome was given. */
  servesHttp?: true
}

/**
 * The cookies that may go from one caller's visit to another's: passes of walls, consent, the numbers
 * that sites give to guests. All others stay in their run, for a caller's address may sign in whom it
 * belongs to, and a cookie does not tell.
 */
const cookieRules: readonly CookieRule[] = [
  { name: /^aws-waf-token$/, as: "kept", servesHttp: true },
  { name: /^(?:cf_clearance|__cf_bm|_cfuvid|__cfwaitingroom)$/, as: "kept", boundTo: "address" },
  { name: /^datadome$/, as: "kept", boundTo: "address" },
  { name: /^_px(?:3|de|hd|vid|2|cts)?$|^pxcts$/, as: "kept", boundTo: "address" },
  {
    name: /^(?:_abck|bm_sz|bm_sv|bm_mi|bm_so|bm_s|ak_bmsc|sec_cpt)$/,
    as: "kept",
    boundTo: "hello",
  },
  {
    name: /^(?:reese84|nlbi_\d+|visid_incap_\d+|incap_ses_\d+_\d+)$/,
    as: "kept",
    boundTo: "address",
  },
  { name: /^(?:KP_UIDz(?:-ssn)?|KP_uIDz(?:-ssn)?)$/, as: "kept", boundTo: "hello" },
  {
    name: /^(?:OptanonConsent|OptanonAlertBoxClosed|CookieConsent|euconsent-v2|didomi_token)$/,
    as: "kept",
  },
  { site: "google.com", name: /^(?:SOCS|CONSENT)$/, as: "told" },
  { site: "youtube.com", name: /^(?:SOCS|CONSENT)$/, as: "told" },
  { site: "youtube.com", name: /^VISITOR_(?:INFO1_LIVE|PRIVACY_METADATA)$/, as: "kept" },
  { site: "reddit.com", name: /^(?:loid|edgebucket|csv|csrf_token)$/, as: "kept" },
  { site: "reddit.com", name: /^(?:over18|_options)$/, as: "told" },
  { site: "x.com", name: /^(?:guest_id(?:_ads|_marketing)?|gt|personalization_id)$/, as: "kept" },
  { site: "instagram.com", name: /^(?:csrftoken|mid|ig_did|ig_nrcb|datr)$/, as: "kept" },
  { site: "tiktok.com", name: /^(?:ttwid|tt_chain_token|tt_csrf_token)$/, as: "kept" },
  { site: "yahoo.com", name: /^(?:A1|A1S|A3|GUC|GUCS|EuConsent)$/, as: "kept" },
  { name: /^i18n-prefs$/, as: "told" },
]

export function cookieRule(name: string, site: string): CookieRule | undefined {
  return cookieRules.find((rule) => (!rule.site || rule.site === site) && rule.name.test(name))
}
