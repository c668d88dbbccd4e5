import { absoluteUrl, baseUrl, words } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { allEntities, type StructuredData, valueUrl } from "../structured/index.ts"
import { siteBuilders } from "./words.ts"

/** Hosts of networks, and the paths of profiles. */
const networks: { name: string; host: RegExp; path: RegExp; not?: RegExp }[] = [
  {
    name: "facebook",
    host: /^(?:[\w-]+\.)?(?:facebook|fb)\.com$/,
    path: new RegExp(
      String.raw`^\/(?:${words(
        String.raw`profile\.php$|people\/[^/]+\/\d+|pages\/[^/]+\/\d+`,
        String.raw`groups\/[^/]+|p\/[^/]+|[\w.%-]{2,}`,
      )})`,
      "i",
    ),
    not: new RegExp(
      String.raw`^\/(?:${words(
        "share|sharer|dialog|plugins|tr|login|policy|policies|help|privacy|legal|terms|settings",
        String.raw`events|watch|hashtag|home\.php|l\.php|about|business|ads|v\d`,
      )})(?:[/.?]|$)`,
      "i",
    ),
  },
  {
    name: "twitter",
    host: /^(?:www\.|mobile\.)?(?:x|twitter)\.com$/,
    path: /^\/(?:#!\/)?@?\w{1,15}\/?$/,
    not: /^\/(?:share|intent|home|search|hashtag|i|login|privacy|tos|settings|widgets)(?:\/|$)/i,
  },
  {
    name: "instagram",
    host: /^(?:www\.)?instagram\.com$|^instagr\.am$/,
    path: /^\/[\w.]{1,30}\/?$/,
    not: /^\/(?:p|reel|explore|accounts|about|legal|stories|tv)\/?$/i,
  },
  {
    name: "linkedin",
    host: /^(?:[\w-]+\.)?linkedin\.com$/,
    path: /^\/(?:company|companies|in|school|showcase|pub)\/[^/]+/i,
  },
  {
    name: "youtube",
    host: /^(?:www\.|m\.)?youtube\.com$/,
    path: /^\/(?:@[^/]+|(?:c|channel|user)\/[^/]+|[\w-]{2,})\/?/i,
    not: new RegExp(
      String.raw`^\/(?:${words(
        "watch|embed|playlist|results|shorts|live|feed|redirect|t|about|iframe_api|v|premium",
        "howyoutubeworks|subscription_center|player_api|ads",
      )})(?:[/?]|$)`,
      "i",
    ),
  },
  { name: "tiktok", host: /^(?:www\.)?tiktok\.com$/, path: /^\/@[^/]+\/?$/ },
  {
    name: "pinterest",
    host: /^(?:[\w-]+\.)?pinterest\.(?:[a-z]{2,3}|co\.uk|com\.au)$/,
    path: /^\/[\w-]{2,}(?:\/|$)/,
    not: /^\/(?:pin|search|ideas|categories|login|_)(?:\/|$)/i,
  },
  {
    name: "github",
    host: /^(?:www\.)?github\.com$/,
    path: /^\/[\w-]+(?:\/[\w.-]+)?\/?$/,
    not: new RegExp(
      String.raw`^\/(?:${words(
        "features|about|pricing|login|join|topics|sponsors|marketplace|site|security|contact|apps",
        "orgs",
      )})(?:\/|$)`,
      "i",
    ),
  },
  {
    name: "gitlab",
    host: /^(?:www\.)?gitlab\.com$/,
    path: /^\/[\w.-]+(?:\/[\w.-]+)?\/?$/,
    not: /^\/users\//i,
  },
  {
    name: "telegram",
    host: /^(?:www\.)?(?:t|telegram)\.me$/,
    path: /^\/(?:s\/)?\+?[\w-]{3,}\/?$/,
    not: /^\/(?:share|joinchat)(?:\/|$)/i,
  },
  {
    name: "whatsapp",
    host: /^wa\.me$|^(?:chat|www)\.whatsapp\.com$/,
    path: /^\/(?:\+?\d{6,}|message\/\w+|channel\/\w+|\w{20,})\/?$/,
  },
  { name: "whatsapp", host: /^(?:api|web)\.whatsapp\.com$/, path: /^\/send\/?$/ },
  { name: "discord", host: /^discord\.gg$/, path: /^\/[\w-]+\/?$/ },
  { name: "discord", host: /^(?:www\.)?discord(?:app)?\.com$/, path: /^\/invite\/[\w-]+/ },
  { name: "threads", host: /^(?:www\.)?threads\.(?:net|com)$/, path: /^\/@[^/]+\/?$/ },
  { name: "bluesky", host: /^bsky\.app$/, path: /^\/profile\/[^/]+\/?$/ },
  {
    name: "xing",
    host: /^(?:www\.)?xing\.(?:com|to)$/,
    path: /^\/(?:companies|pages|profile|net|profiles)\/[^/]+/i,
  },
  {
    name: "vk",
    host: /^(?:www\.|m\.)?vk\.(?:com|ru)$/,
    path: /^\/[\w.]{2,}\/?$/,
    not: /^\/(?:share\.php|widget|video|wall|about)/i,
  },
  { name: "reddit", host: /^(?:www\.|old\.)?reddit\.com$/, path: /^\/(?:r|user|u)\/[\w-]+\/?$/ },
  {
    name: "medium",
    host: /^medium\.com$/,
    path: /^\/@?[\w.-]+\/?$/,
    not: /^\/(?:m|p|about|policy)\/?$/i,
  },
  {
    name: "vimeo",
    host: /^(?:www\.)?vimeo\.com$/,
    path: /^\/(?!\d+\/?$)[\w-]+\/?$/,
    not: /^\/(?:about|upload|watch|features|help|channels|categories)\/?$/i,
  },
  {
    name: "twitch",
    host: /^(?:www\.)?twitch\.tv$/,
    path: /^\/\w{3,}\/?$/,
    not: /^\/(?:directory|videos|p)\/?$/i,
  },
  { name: "snapchat", host: /^(?:www\.)?snapchat\.com$/, path: /^\/add\/[\w.-]+/ },
  {
    name: "crunchbase",
    host: /^(?:www\.)?crunchbase\.com$/,
    path: /^\/(?:organization|company|person)\/[\w-]+/,
  },
]

const builders = new RegExp(`^@?(?:${words(siteBuilders)})$`, "i")

/** Addresses that share the page with others. */
const sharing = new RegExp(
  words(
    String.raw`\/(?:share|sharer|shareArticle|intent|dialog|pin\/create|plugins)(?:[/.?]|$)`,
    String.raw`home\?status=|\/tr\?|[?&](?:u|url|text|status)=https?(?::|%3A)`,
  ),
  "i",
)

/** The profile that an address leads to, without query and fragment; null if it is none. */
export function socialProfile(href: string): { network: string; url: string } | null {
  const url = URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol) || sharing.test(url.href)) return null
  const host = url.hostname.toLowerCase()
  const network = networks.find(
    (candidate) =>
      candidate.host.test(host) &&
      candidate.path.test(url.pathname) &&
      !candidate.not?.test(url.pathname),
  )
  if (!network) return null
  const stored =
    url.pathname === "/profile.php" ? url.searchParams.get("id") : url.searchParams.get("phone")
  const needsQuery = url.pathname === "/profile.php" || /^\/send\/?$/.test(url.pathname)
  if (needsQuery && !stored) return null
  const name = needsQuery
    ? url.pathname === "/profile.php"
      ? `?id=${stored}`
      : `?phone=${stored?.trim()}`
    : ""
  return { network: network.name, url: `${url.origin}${url.pathname}${name}` }
}

/** The profiles that a page links, or names as its own in its data, by network. */
export function findSocials(
  document: Document,
  data: StructuredData,
  pageUrl: string,
): Record<string, string[]> {
  const base = baseUrl(document, pageUrl)
  const host = new URL(pageUrl).hostname
  const profiles = new Map<string, Map<string, string>>()
  const add = (network: string, url: string) => {
    const name = new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? ""
    if (builders.test(name) && !host.includes(name.replace(/^@/, "").toLowerCase())) return
    const urls = profiles.get(network) ?? new Map<string, string>()
    profiles.set(network, urls)
    const key = url
      .toLowerCase()
      .replace(/^https?:\/\/(?:www\.)?/, "")
      .replace(/\/$/, "")
    if (!urls.has(key)) urls.set(key, url)
  }
  for (const link of document.querySelectorAll("a[href], area[href], link[rel~=me][href]")) {
    const href = absoluteUrl(link.getAttribute("href"), base)
    if (href === null) continue
    const profile = socialProfile(href)
    if (profile) add(profile.network, profile.url)
    else if (/(?:^|\s)me(?:\s|$)/i.test(link.getAttribute("rel") ?? "")) {
      const url = new URL(href)
      if (/^\/@[\w.]+\/?$/.test(url.pathname)) add("mastodon", `${url.origin}${url.pathname}`)
    }
  }
  const roots = allEntities(data).map((entity) => entity.data)
  for (const node of findObjects(roots, (object) => object.sameAs !== undefined)) {
    for (const value of Array.isArray(node.sameAs) ? node.sameAs : [node.sameAs]) {
      const profile = socialProfile(valueUrl(value) ?? "")
      if (profile) add(profile.network, profile.url)
    }
  }
  return Object.fromEntries([...profiles].map(([network, urls]) => [network, [...urls.values()]]))
}
