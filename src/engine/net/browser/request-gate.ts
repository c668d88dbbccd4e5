import type { CDPSession, Protocol } from "puppeteer-core"
import type { RenderOptions } from "../../../catalogue/kit/index.ts"

export type BlockedType = NonNullable<RenderOptions["block"]>[number]

const resourceTypes = {
  image: "Image",
  font: "Font",
  media: "Media",
  stylesheet: "Stylesheet",
  script: "Script",
} as const satisfies Record<BlockedType, Protocol.Network.ResourceType>

/** Pictures and fonts show on screenshots alone. */
export const blockedOf = ({ block, ...options }: RenderOptions): readonly BlockedType[] =>
  block ?? (isPictured(options) ? ["media"] : ["image", "font", "media"])

const isPictured = ({ screenshot, pdf, actions = [] }: RenderOptions) =>
  Boolean(screenshot || pdf) || actions.some(({ type }) => type === "screenshot")

/** Returns the password of a proxy of ours by its URL; undefined for any other proxy. */
export type ProxyPassword = (origin: string) => string | undefined

/**
 * Blocks the requests that a page must do without, and answers our proxy's request for its
 * password: Chrome asks at the first document of a context, and keeps it for all that follows,
 * workers and sockets too.
 */
export async function gateRequests(
  cdp: CDPSession,
  blocked: readonly BlockedType[],
  password: ProxyPassword,
): Promise<void> {
  cdp.removeAllListeners("Fetch.requestPaused")
  await cdp.send("Fetch.disable")
  cdp.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
    const answered =
      resourceType === "Document"
        ? cdp.send("Fetch.continueRequest", { requestId })
        : cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" })
    answered.catch(() => {})
  })
  tellPassword(cdp, password)
  const paused = ["Document" as const, ...blocked.map((type) => resourceTypes[type])]
  await cdp.send("Fetch.enable", {
    handleAuthRequests: true,
    patterns: paused.map((resourceType) => ({ urlPattern: "*", resourceType })),
  })
}

/** Answers only our own proxy's request for its password. */
export function tellPassword(cdp: CDPSession, password: ProxyPassword): void {
  cdp.removeAllListeners("Fetch.authRequired")
  // A site that poses as a proxy by its status gets no second answer.
  let answered = ""
  cdp.on("Fetch.authRequired", ({ requestId, authChallenge }) => {
    const { source, origin } = authChallenge
    const known = source === "Proxy" && requestId !== answered ? password(origin) : undefined
    answered = requestId
    const authChallengeResponse: Protocol.Fetch.AuthChallengeResponse = known
      ? { response: "ProvideCredentials", username: "trawl", password: known }
      : { response: "CancelAuth" }
    cdp.send("Fetch.continueWithAuth", { requestId, authChallengeResponse }).catch(() => {})
  })
}
