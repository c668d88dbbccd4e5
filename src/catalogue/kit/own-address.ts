import type { Context } from "./context.ts"
import { Unreachable } from "./outcome.ts"

/**
 * The operator's own instance of a service. @throws Unreachable where the setting is no address: the
 * operator's slip is no change of the site's
 */
export function ownAddress(
  ctx: Pick<Context, "secret">,
  name: "BITCOIN_ESPLORA_URL" | "GITLAB_URL",
): URL | undefined {
  const text = ctx.secret(name)
  if (!text) return undefined
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new Unreachable(
    `${name} of this service is no address; its operator gives one as https://host.`,
    "connection",
  )
}
