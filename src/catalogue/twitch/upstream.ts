import { upstreamTable } from "../kit/index.ts"

/** Client ID of the website and hashes of its stored queries. */
export const twitchTable = upstreamTable("twitch", "2026-03", {
  /** Public client ID of the website. */
  clientId: "kimne78kx3ncx6brgo4mv6wki5h1ko",
  ChannelShell: "580ab410bcd0c1ad194224957ae2241e5d252b2c5173d8e0cce9d32d5bb14efe",
  StreamMetadata: "b57f9b910f8cd1a4659d894fe7550ccc81ec9052c01e438b290fd66a040b9b93",
  ChannelRoot_AboutPanel: "0df42c4d26990ec1216d0b815c92cc4a4a806e25b352b66ac1dd91d5a1d59b80",
  UseLive: "639d5f11bfb8bf3053b424d9ef650d04c4ebb7d94711d644afb08fe9a0fad5d9",
  VideoPreviewOverlay: "9515480dee68a77e667cb19de634739d33f243572b007e98e67184b1a5d8369f",
})
