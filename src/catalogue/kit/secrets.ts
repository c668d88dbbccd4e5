import descriptions from "./secrets.json"

interface UpstreamSetting {
  description: string
  /** Whether it belongs to a person or has a quota. If so, only runs of accounts use it. */
  isSecret: boolean
}

/** Settings that neither belong to a person nor have a quota, so that all runs use them. */
const settings = new Set(["BITCOIN_ESPLORA_URL", "DNS_RESOLVER", "GITLAB_URL", "TRAWL_CONTACT"])

/**
 * Secrets and settings that scrapers read from the operator's environment, with their purpose. All
 * are optional. Secrets never appear in items, logs or errors.
 * @example secrets.GITHUB_TOKEN // { description: "…", isSecret: true }
 */
export const secrets = Object.fromEntries(
  Object.entries(descriptions).map(([name, description]) => [
    name,
    { description, isSecret: !settings.has(name) },
  ]),
) as Record<keyof typeof descriptions, UpstreamSetting>

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
      description:
        "A member's token of a Mastodon server. In the name, write the host with `_` instead of dots.",
      isSecret: true,
    },
  ].sort((a, b) => (a.env < b.env ? -1 : 1))
}
