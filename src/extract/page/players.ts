import { absoluteUrl, words } from "../core/index.ts"

/** Hosts whose frames are videos. */
const playerHosts = new RegExp(
  String.raw`^(?:[\w-]+\.)*(?:${words(
    String.raw`(?:${words(`
      youtube|youtube-nocookie|vimeo|dailymotion|ted|wistia|brightcove|jwplatform|jwplayer|loom
      vidyard|streamable|facebook|tiktok|bilibili|rutube
    `)})\.(?:com|ru)`,
    String.raw`(?:brightcove|wistia)\.net|youtu\.be|(?:twitch|ok)\.(?:tv|ru)`,
  )})$`,
)

/** The URL that a video, sound or frame with a player plays, absolute; null for other frames. */
export function playerUrl(element: Element, base: string): string | null {
  const source = element.querySelector("source[src]")?.getAttribute("src")
  const written = element.getAttribute("src") ?? element.getAttribute("data-src") ?? source
  const url = absoluteUrl(written, base)
  if (url === null || element.localName === "video" || element.localName === "audio") {
    return url
  }
  return playerHosts.test(new URL(url).hostname) ? url : null
}
