interface UpstreamSetting {
  description: string
  /** Whether it belongs to a person or has a quota. If so, only runs of accounts use it. */
  isSecret: boolean
}

const secret = (description: string): UpstreamSetting => ({ description, isSecret: true })
const setting = (description: string): UpstreamSetting => ({ description, isSecret: false })

/**
 * Secrets and settings that scrapers read from the operator's environment, with their purpose. All
 * are optional. Secrets never appear in items, logs or errors.
 * @example secrets.GITHUB_TOKEN // { description: "…", isSecret: true }
 */
export const secrets = {
  AMAZON_COOKIE: secret("Cookie header of a signed-in Amazon session: all reviews of a product."),
  BESTBUY_API_KEY: secret("Best Buy's products API instead of its pages."),
  BITCOIN_ESPLORA_URL: setting("URL of your own Esplora instance, requested before mempool.space."),
  COINGECKO_DEMO_KEY: secret("Key of CoinGecko's demo plan: higher limits."),
  COINGECKO_PRO_KEY: secret("Key of CoinGecko's paid plan: higher limits, longer history."),
  COINPAPRIKA_KEY: secret("Key of Coinpaprika's paid plan."),
  CROSSREF_PLUS_TOKEN: secret("Token of Crossref's Plus service: higher limits."),
  DNS_RESOLVER: setting("DNS resolver to try first: google, cloudflare or system."),
  DOCKERHUB_TOKEN: secret("Token of Docker Hub: higher limits."),
  ETSY_API_KEY: secret("Etsy's API instead of its pages."),
  GITHUB_TOKEN: secret(
    "Token of GitHub: 5,000 requests an hour instead of 60, shared by all runs.",
  ),
  GITLAB_TOKEN: secret(
    "Token of GitLab: higher limits, and the projects that the token's user can see.",
  ),
  GITLAB_URL: setting("URL of your own GitLab instance instead of gitlab.com."),
  INDEED_API_KEY: secret(
    "Key of the API of Indeed's apps, used instead of its pages: complete job adverts, no challenges.",
  ),
  INSTAGRAM_COOKIE: secret(
    "Cookies of a signed-in Instagram session (sessionid, csrftoken, ds_user_id).",
  ),
  NCBI_API_KEY: secret("Key of PubMed: 10 requests a second instead of 3."),
  OPENALEX_API_KEY: secret(
    "Key of OpenAlex: your own quota. Without a key, an IP address has about 100 searches a day since February 2026.",
  ),
  REDDIT_CLIENT_ID: secret(
    "Reddit's API through your app, with REDDIT_CLIENT_SECRET. It is used if all other methods are refused. Since November 2025 Reddit approves each new app.",
  ),
  REDDIT_CLIENT_SECRET: secret("See REDDIT_CLIENT_ID."),
  REDDIT_COOKIE: secret("Cookie of a signed-in Reddit session (reddit_session)."),
  REDDIT_FEED: secret(
    "The part after ? in the URLs of reddit.com/prefs/feeds (feed=…&user=…). Lists are read as feeds if all other methods are refused.",
  ),
  SEMANTIC_SCHOLAR_API_KEY: secret(
    "Key of Semantic Scholar: your own limit of one request a second. Without a key, all clients share a quota that is often used up.",
  ),
  STACKEXCHANGE_KEY: secret(
    "Key of Stack Exchange: 10,000 requests a day instead of 300, shared by all runs.",
  ),
  TARGET_REDSKY_KEY: secret("Key that target.com's own pages use, if the built-in one is refused."),
  TIKTOK_COOKIE: secret("Cookies of a signed-in TikTok session (sessionid, tt_webid_v2, msToken)."),
  TRAWL_CONTACT: setting("Email address or URL, sent to upstreams that require a contact."),
  TRUSTPILOT_API_KEY: secret("Trustpilot's API instead of its pages."),
  TWITCH_CLIENT_ID: secret("Twitch's Helix API, with TWITCH_CLIENT_SECRET: tags, language, title."),
  TWITCH_CLIENT_SECRET: secret("See TWITCH_CLIENT_ID."),
  X_AUTH_TOKEN: secret(
    "Cookie auth_token of a signed-in session of X, with X_CT0: search and replies.",
  ),
  X_CT0: secret("See X_AUTH_TOKEN."),
  YELP_API_KEY: secret("Yelp's API instead of its pages."),
} satisfies Record<string, UpstreamSetting>

/** Name of a secret. `MASTODON_TOKEN_<HOST>` is for servers that show accounts only to members. */
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
 * Returns rows for people: the variable's name, its purpose, and whether it is a secret that
 * anonymous runs do not use.
 * @example secretRows()[0] // { env: "AMAZON_COOKIE", description: "Cookie …", isSecret: true }
 */
export function secretRows(): ({ env: string } & UpstreamSetting)[] {
  const named = Object.entries(secrets).filter(([env]) => !env.startsWith("TRAWL_"))
  return [
    ...named.map(([env, row]) => ({ env, ...row })),
    {
      env: `${tokenOfMastodon}<HOST>`,
      ...secret(
        "A member's token of a Mastodon server. In the name, write the host with `_` instead of dots.",
      ),
    },
  ].sort((a, b) => (a.env < b.env ? -1 : 1))
}
