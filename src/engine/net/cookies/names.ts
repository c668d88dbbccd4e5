/** Handling of a cookie by its name. */
export interface CookieRule {
  name: RegExp
  /** Site for which the rule applies. Default: any. */
  site?: string
  /**
   * `stored`: reused by later runs. `preference`: sent with each request, for example consent; it
   * identifies no visitor and is not stored.
   */
  as: "stored" | "preference"
  /**
   * What it is bound to in addition to the user agent: bot protection refuses it from another
   * client.
   */
  boundTo?: "hello" | "address"
  /** Bound only to the user agent: plain HTTP can use Chrome's cookie, in later runs too. */
  servesHttp?: true
}

/**
 * Cookies that later runs of other users may send: clearance cookies, consent, and anonymous
 * session cookies. All others stay in their run, because a URL may sign its user in, which a cookie
 * does not reveal.
 */
const cookieRules: readonly CookieRule[] = [
  { name: /^aws-waf-token$/, as: "stored", servesHttp: true },
  { name: /^(?:cf_clearance|__cf_bm|_cfuvid|__cfwaitingroom)$/, as: "stored", boundTo: "address" },
  { name: /^datadome$/, as: "stored", boundTo: "address" },
  { name: /^_px(?:3|de|hd|vid|2|cts)?$|^pxcts$/, as: "stored", boundTo: "address" },
  {
    name: /^(?:_abck|bm_sz|bm_sv|bm_mi|bm_so|bm_s|ak_bmsc|sec_cpt)$/,
    as: "stored",
    boundTo: "hello",
  },
  {
    name: /^(?:reese84|nlbi_\d+|visid_incap_\d+|incap_ses_\d+_\d+)$/,
    as: "stored",
    boundTo: "address",
  },
  { name: /^(?:KP_UIDz(?:-ssn)?|KP_uIDz(?:-ssn)?)$/, as: "stored", boundTo: "hello" },
  {
    name: /^(?:OptanonConsent|OptanonAlertBoxClosed|CookieConsent|euconsent-v2|didomi_token)$/,
    as: "stored",
  },
  { site: "google.com", name: /^(?:SOCS|CONSENT)$/, as: "preference" },
  { site: "youtube.com", name: /^(?:SOCS|CONSENT)$/, as: "preference" },
  { site: "youtube.com", name: /^VISITOR_(?:INFO1_LIVE|PRIVACY_METADATA)$/, as: "stored" },
  { site: "reddit.com", name: /^(?:loid|edgebucket|csv|csrf_token)$/, as: "stored" },
  { site: "reddit.com", name: /^(?:over18|_options)$/, as: "preference" },
  { site: "x.com", name: /^(?:guest_id(?:_ads|_marketing)?|gt|personalization_id)$/, as: "stored" },
  { site: "instagram.com", name: /^(?:csrftoken|mid|ig_did|ig_nrcb|datr)$/, as: "stored" },
  { site: "tiktok.com", name: /^(?:ttwid|tt_chain_token|tt_csrf_token)$/, as: "stored" },
  { site: "yahoo.com", name: /^(?:A1|A1S|A3|GUC|GUCS|EuConsent)$/, as: "stored" },
  { name: /^i18n-prefs$/, as: "preference" },
]

export function cookieRule(name: string, site: string): CookieRule | undefined {
  return cookieRules.find((rule) => (!rule.site || rule.site === site) && rule.name.test(name))
}
