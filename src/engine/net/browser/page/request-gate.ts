import type { CDPSession, Page, Protocol } from "puppeteer-core"
import type { RenderOptions } from "../../../../catalogue/kit/index.ts"

export type BlockedType = NonNullable<RenderOptions["block"]>[number]

const resourceTypes = {
  image: "Image",
  font: "Font",
  media: "Media",
  stylesheet: "Stylesheet",
  script: "Script",
} as const satisfies Record<BlockedType, Protocol.Network.ResourceType>

/** Images and fonts are loaded only for screenshots. */
export const blockedOf = ({ block, ...options }: RenderOptions): readonly BlockedType[] =>
  block ?? (isPictured(options) ? ["media"] : ["image", "font", "media"])

const isPictured = ({ screenshot, pdf, actions = [] }: RenderOptions) =>
  Boolean(screenshot || pdf) || actions.some(({ type }) => type === "screenshot")

/** Returns the password of a filtering proxy by its URL; undefined for any other proxy. */
export type ProxyPassword = (origin: string) => string | undefined

/**
 * Blocks requests that the pages of a tab do not need, and answers the filtering proxy's
 * authentication challenge: Chrome asks once per context and keeps the password for all later
 * requests, including workers and sockets. One gate serves the leases of a tab in turn.
 */
export class RequestGate {
  /** Currently blocked types; undefined before the first page. */
  private blocked?: string
  private headers = "{}"

  constructor(
    readonly cdp: CDPSession,
    password: ProxyPassword,
  ) {
    cdp.on("Fetch.requestPaused", ({ requestId, resourceType }) => {
      const answered =
        resourceType === "Document"
          ? cdp.send("Fetch.continueRequest", { requestId })
          : cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" })
      answered.catch(() => {})
    })
    answerPasswordRequests(cdp, password)
  }

  async block(types: readonly BlockedType[]): Promise<void> {
    const blocked = types.join()
    if (blocked === this.blocked) return
    if (this.blocked !== undefined) await this.cdp.send("Fetch.disable")
    const paused = ["Document" as const, ...types.map((type) => resourceTypes[type])]
    await this.cdp.send("Fetch.enable", {
      handleAuthRequests: true,
      patterns: paused.map((resourceType) => ({ urlPattern: "*", resourceType })),
    })
    this.blocked = blocked
  }

  /** Sets headers of all requests of the tab. */
  async send(page: Page, headers: Record<string, string>): Promise<void> {
    const sent = JSON.stringify(headers)
    if (sent === this.headers) return
    await page.setExtraHTTPHeaders(headers)
    this.headers = sent
  }
}

/** Answers only the filtering proxy's authentication challenge. */
export function answerPasswordRequests(cdp: CDPSession, password: ProxyPassword): void {
  cdp.removeAllListeners("Fetch.authRequired")
  // A site that imitates a proxy by its status gets no second response.
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
