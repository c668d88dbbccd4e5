import { upstreamTable } from "../kit/index.ts"

/** The client of YouTube's own pages, and others that YouTube serves without a login. */
export const youtubeTable = upstreamTable("youtube", "2026-09", {
  clientName: "WEB",
  clientId: "1",
  clientVersion: "2.20260708.00.00",
  /**
   * Clients that are tried in this order if the website's client is refused. They need neither
   * YouTube's script nor a token. They return fewer fields: dates, category and other facts outside
   * the player come from the website.
   */
  playerClients: {
    visionos: {
      clientName: "VISIONOS",
      clientId: "101",
      clientVersion: "1.02",
      userAgent:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7_3) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      deviceMake: "Apple",
      deviceModel: "RealityDevice17,1",
      osName: "visionOS",
      osVersion: "26.5.23O471",
    },
    tv_simply: { clientName: "TVHTML5_SIMPLY", clientId: "75", clientVersion: "1.0" },
    web_embedded: {
      clientName: "WEB_EMBEDDED_PLAYER",
      clientId: "56",
      clientVersion: "1.20260115.01.00",
      embedUrl: "https://www.youtube.com/",
    },
    mweb: {
      clientName: "MWEB",
      clientId: "2",
      clientVersion: "2.20260115.01.00",
      userAgent:
        "Mozilla/5.0 (iPad; CPU OS 16_7_10 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1,gzip(gfe)",
    },
  },
  /** Cookie that answers the consent page for visitors from Europe. */
  consentCookies: { SOCS: "CAI" },
})
