/**
 * What scrapers take from the operator's environment, and what it is good for. None is needed;
 * they never appear in items, logs or errors.
 */
export const secrets = {
  AMAZON_COOKIE: "Cookie header of a signed-in session: all reviews of a product.",
  BESTBUY_API_KEY: "Best Buy's products API in place of its pages.",
  BITCOIN_ESPLORA_URL: "An Esplora instance of your own, asked before mempool.space.",
  COINGECKO_DEMO_KEY: "CoinGecko's demo plan: higher limits.",
  COINGECKO_PRO_KEY: "CoinGecko's paid plan: higher limits, longer history.",
  COINPAPRIKA_KEY: "Coinpaprika's paid plan.",
  CROSSREF_PLUS_TOKEN: "Crossref's Plus service: higher limits.",
  DNS_RESOLVER: "The resolver that is asked first: google, cloudflare or system.",
  DOCKERHUB_TOKEN: "Docker Hub with higher limits.",
  ETSY_API_KEY: "Etsy's API in place of its pages.",
  GITHUB_TOKEN: "GitHub with 5,000 requests an hour in place of 60.",
  GITLAB_TOKEN: "GitLab with higher limits, and projects that its owner sees.",
  GITLAB_URL: "A GitLab of your own in place of gitlab.com.",
  INSTAGRAM_COOKIE: "Cookies of a signed-in session (sessionid, csrftoken, ds_user_id).",
  NCBI_API_KEY: "PubMed with 10 requests a second in place of 3.",
  OPENALEX_API_KEY: "OpenAlex with higher limits.",
  REDDIT_CLIENT_ID: "Reddit's API by an app of yours, with REDDIT_CLIENT_SECRET.",
  REDDIT_CLIENT_SECRET: "See REDDIT_CLIENT_ID.",
  REDDIT_COOKIE: "Cookie of a signed-in session (reddit_session).",
  SEMANTIC_SCHOLAR_API_KEY: "Semantic Scholar with limits of its own.",
  STACKEXCHANGE_KEY: "Stack Exchange with 10,000 requests a day in place of 300.",
  TARGET_REDSKY_KEY: "The key of target.com's own pages, when the known one is refused.",
  TIKTOK_COOKIE: "Cookies of a signed-in session (sessionid, tt_webid_v2, msToken).",
  TRAWL_CONTACT: "Mail or web address told to upstreams that ask for one.",
  TRUSTPILOT_API_KEY: "Trustpilot's API in place of its pages.",
  TWITCH_CLIENT_ID: "Twitch's Helix API, with TWITCH_CLIENT_SECRET: tags, language, title.",
  TWITCH_CLIENT_SECRET: "See TWITCH_CLIENT_ID.",
  X_AUTH_TOKEN: "Cookie auth_token of a signed-in session of X, with X_CT0: search and replies.",
  X_CT0: "See X_AUTH_TOKEN.",
  YELP_API_KEY: "Yelp's API in place of its pages.",
} as const

/** `MASTODON_TOKEN_<HOST>`: a member's token, for servers that show accounts to members only. */
export type SecretName = keyof typeof secrets | `MASTODON_TOKEN_${string}`

/** Rows for people: the name of the variable and what it is good for. */
export function secretRows(): { env: string; description: string }[] {
  const named = Object.entries(secrets).filter(([env]) => !env.startsWith("TRAWL_"))
  return [
    ...named.map(([env, description]) => ({ env, description })),
    {
      env: "MASTODON_TOKEN_<HOST>",
      description: "A member's token of a Mastodon server, its dots as `_`.",
    },
  ].sort((a, b) => (a.env < b.env ? -1 : 1))
}
