interface UpstreamSetting {
  description: string
  /** It belongs to a person or has a quota: only runs of accounts use it. */
  isSecret: boolean
}

const secret = (description: string): UpstreamSetting => ({ description, isSecret: true })
const setting = (description: string): UpstreamSetting => ({ description, isSecret: false })

/**
 * Secrets that scrapers read from the operator's environment, and their purpose. All are optional;
 * they never appear in items, logs or errors.
 * @example secrets.GITHUB_TOKEN // { description: "…", isSecret: true }
 */
export const secrets = {
  AMAZON_COOKIE: secret("Cookie header of a signed-in session: all reviews of a product."),
  BESTBUY_API_KEY: secret("Best Buy's products API instead of its pages."),
  BITCOIN_ESPLORA_URL: setting("Your own Esplora instance, requested before mempool.space."),
  COINGECKO_DEMO_KEY: secret("CoinGecko's demo plan: higher limits."),
  COINGECKO_PRO_KEY: secret("CoinGecko's paid plan: higher limits, longer history."),
  COINPAPRIKA_KEY: secret("Coinpaprika's paid plan."),
  CROSSREF_PLUS_TOKEN: secret("Crossref's Plus service: higher limits."),
  DNS_RESOLVER: setting("First DNS resolver: google, cloudflare or system."),
  DOCKERHUB_TOKEN: secret("Docker Hub with higher limits."),
  ETSY_API_KEY: secret("Etsy's API instead of its pages."),
  GITHUB_TOKEN: secret("GitHub with 5,000 requests an hour instead of 60 that all runs share."),
  GITLAB_TOKEN: secret("GitLab with higher limits, and projects that its owner can see."),
  GITLAB_URL: setting("Your own GitLab instead of gitlab.com."),
  INDEED_API_KEY: secret(
    "The API of Indeed's apps instead of its pages: whole adverts, no challenges.",
  ),
  INSTAGRAM_COOKIE: secret("Cookies of a signed-in session (sessionid, csrftoken, ds_user_id)."),
  NCBI_API_KEY: secret("PubMed with 10 requests a second instead of 3."),
  OPENALEX_API_KEY: secret(
    "OpenAlex with your own quota; without a key, an IP address has about 100 searches a day since February 2026.",
  ),
  REDDIT_CLIENT_ID: secret(
    "Reddit's API through your app, with REDDIT_CLIENT_SECRET, used if everything else is refused; since November 2025 Reddit approves each new app.",
  ),
  REDDIT_CLIENT_SECRET: secret("See REDDIT_CLIENT_ID."),
  REDDIT_COOKIE: secret("Cookie of a signed-in session (reddit_session)."),
  REDDIT_FEED: secret(
    "The part after ? in the URLs of reddit.com/prefs/feeds (feed=…&user=…): lists as feeds, used if everything else is refused.",
  ),
  SEMANTIC_SCHOLAR_API_KEY: secret(
    "Semantic Scholar with your own limit of one request a second; without a key, all clients share a pool that is often used up.",
  ),
  STACKEXCHANGE_KEY: secret(
    "Stack Exchange with 10,000 requests a day instead of 300 that all runs share.",
  ),
  TARGET_REDSKY_KEY: secret("The key of target.com's own pages, if the known one is refused."),
  TIKTOK_COOKIE: secret("Cookies of a signed-in session (sessionid, tt_webid_v2, msToken)."),
  TRAWL_CONTACT: setting("Email or web address sent to upstreams that require one."),
  TRUSTPILOT_API_KEY: secret("Trustpilot's API instead of its pages."),
  TWITCH_CLIENT_ID: secret("Twitch's Helix API, with TWITCH_CLIENT_SECRET: tags, language, title."),
  TWITCH_CLIENT_SECRET: secret("See TWITCH_CLIENT_ID."),
  X_AUTH_TOKEN: secret(
    "Cookie auth_token of a signed-in session of X, with X_CT0: search and replies.",
  ),
  X_CT0: secret("See X_AUTH_TOKEN."),
  YELP_API_KEY: secret("Yelp's API instead of its pages."),
} satisfies Record<string, UpstreamSetting>

/** `MASTODON_TOKEN_<HOST>`: a member's token, for servers that show accounts to members only. */
export type SecretName = keyof typeof secrets | `MASTODON_TOKEN_${string}`

const tokenOfMastodon = "MASTODON_TOKEN_"

/**
 * Returns whether an environment variable is a secret that scrapers use.
 * @example isSecret("MASTODON_TOKEN_HACHYDERM_IO") // true
 */
export function isSecret(name: string): boolean {
  if (name.startsWith(tokenOfMastodon)) return true
  return Object.hasOwn(secrets, name) && secrets[name as keyof typeof secrets].isSecret
}

/**
 * Returns rows for people: the variable's name, its purpose, and whether keyless runs go without
 * it.
 * @example secretRows()[0] // { env: "AMAZON_COOKIE", description: "Cookie header of …", isSecret: true }
 */
export function secretRows(): ({ env: string } & UpstreamSetting)[] {
  const named = Object.entries(secrets).filter(([env]) => !env.startsWith("TRAWL_"))
  return [
    ...named.map(([env, row]) => ({ env, ...row })),
    {
      env: `${tokenOfMastodon}<HOST>`,
      ...secret("A member's token of a Mastodon server, with `_` for the dots of its host."),
    },
  ].sort((a, b) => (a.env < b.env ? -1 : 1))
}
