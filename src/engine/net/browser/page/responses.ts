import type { HTTPRequest, HTTPResponse, Page } from "puppeteer-core"
import type { UpstreamResponse } from "../../../../catalogue/kit/index.ts"
import { capturedResponse } from "./page-response.ts"

/** The responses of a tab during a lease: that of its page, and those that are captured. */
export class PageResponses {
  /** The response of the page itself. */
  main: HTTPResponse | undefined
  /** The last URL that the page failed to navigate to, and the reason. */
  failed: { url: string; reason: string } | null = null
  private pattern?: RegExp | undefined
  private captures: Promise<UpstreamResponse | undefined>[] = []

  constructor(private readonly page: Page) {
    page.on("response", this.onResponse)
    page.on("requestfailed", this.onFailure)
  }

  /** Keeps the responses from now on whose URL matches. */
  capture(pattern: RegExp | undefined): void {
    this.pattern = pattern
    this.captures = []
  }

  /** Call it before a navigation. */
  forget(): void {
    this.main = undefined
    this.failed = null
  }

  async captured(): Promise<UpstreamResponse[]> {
    const responses = await Promise.all(this.captures)
    return responses.filter((response) => response !== undefined)
  }

  stop(): void {
    this.page.off("response", this.onResponse)
    this.page.off("requestfailed", this.onFailure)
  }

  private readonly onFailure = (request: HTTPRequest): void => {
    if (!request.isNavigationRequest() || request.frame() !== this.page.mainFrame()) return
    this.failed = { url: request.url(), reason: request.failure()?.errorText ?? "" }
  }

  private readonly onResponse = (response: HTTPResponse): void => {
    if (response.request().isNavigationRequest() && response.frame() === this.page.mainFrame()) {
      if (response.status() < 300 || response.status() >= 400) this.main = response
    }
    if (this.pattern?.test(response.url())) this.captures.push(capturedResponse(response))
  }
}
