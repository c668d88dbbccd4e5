import type { SubscriptionKeys } from "./push.ts"

/** Address and secrets of a channel's receiver. */
export interface Destination {
  url?: string
  /** Token of the receiver, if it needs one. */
  token?: string
  /** Room of Matrix, chat of Telegram. */
  room?: string
  /** User or group key of Pushover. */
  user?: string
  /** Email addresses. */
  to?: string[]
  /** Keys of a browser's push subscription. */
  keys?: SubscriptionKeys
  /** The private key that the browser subscribed with (hexadecimal), set by the service. */
  pushKey?: string
}

/** The request for one kind of receiver. Texts may contain `{placeholders}`: see fill.ts. */
export interface Format {
  describes: string
  needs: readonly (keyof Destination)[]
  may?: readonly (keyof Destination)[]
  /** URL of the service, if channels have none. */
  service?: string
  /** Default `{url}`. */
  url?: string
  method?: "POST" | "PUT"
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  /** Body: a string is sent unchanged, anything else as JSON. */
  body: unknown
  /** Markup characters of the receiver and their replacements. */
  escape?: readonly (readonly [RegExp, string])[]
  /** Maximum bytes of a message's text. */
  maxChars: number
  /** Set if it is not sent as an HTTP request with this body: signed bytes, email, or Web Push. */
  fetchMethod?: "signed" | "mail" | "push"
}

const bearer = { authorization: "Bearer {token}" }
const brackets = [/[[\]]/g, "\\$&"] as const

/** All kinds of channels. */
export const formats = {
  webhook: {
    describes: "Signed JSON (Standard Webhooks)",
    needs: ["url"],
    body: "{payload}",
    maxChars: Number.POSITIVE_INFINITY,
    fetchMethod: "signed",
  },
  email: {
    describes: "Email by the operator's mail server",
    needs: ["to"],
    body: { subject: "{title}", text: "{text}\n{link}" },
    maxChars: 20_000,
    fetchMethod: "mail",
  },
  ntfy: {
    describes: "ntfy: the URL of a topic, for example https://ntfy.sh/my-topic",
    needs: ["url"],
    may: ["token"],
    query: { title: "{title}", priority: "{priority}", click: "{link}", attach: "{image}" },
    headers: bearer,
    body: "{text}",
    maxChars: 3500,
  },
  slack: {
    describes: "Slack, Mattermost, Rocket.Chat: an incoming webhook",
    needs: ["url"],
    body: { text: "*{title}*\n{text}\n{link}" },
    escape: [
      [/&/g, "&amp;"],
      [/</g, "&lt;"],
      [/>/g, "&gt;"],
    ],
    maxChars: 3000,
  },
  discord: {
    describes: "Discord: a webhook of a channel",
    needs: ["url"],
    body: {
      content: "**{title}**\n{text}\n{link}",
      allowed_mentions: { parse: [] },
      embeds: [{ image: { url: "{image}" } }],
    },
    escape: [[/[\\*_~`|[\]]/g, "\\$&"]],
    maxChars: 800,
  },
  matrix: {
    describes: "Matrix: URL of the homeserver, ID of a room, an access token",
    needs: ["url", "room", "token"],
    method: "PUT",
    url: "{url}/_matrix/client/v3/rooms/{room}/send/m.room.message/{id}",
    headers: bearer,
    body: { msgtype: "m.text", body: "{title}\n{text}\n{link}", "m.mentions": {} },
    maxChars: 20_000,
  },
  telegram: {
    describes: "Telegram: a bot's token, and a chat ID",
    needs: ["token", "room"],
    may: ["url"],
    service: "https://api.telegram.org",
    url: "{url}/bot{token}/sendMessage",
    body: {
      chat_id: "{room}",
      text: "{title}\n{text}\n{link}",
      link_preview_options: { url: "{image}" },
    },
    maxChars: 3500,
  },
  pushover: {
    describes: "Pushover: the token of an application, and the key of a user or group",
    needs: ["token", "user"],
    may: ["url"],
    service: "https://api.pushover.net",
    url: "{url}/1/messages.json",
    body: {
      token: "{token}",
      user: "{user}",
      title: "{title}",
      message: "{text}",
      url: "{link}",
      priority: "{urgency}",
    },
    maxChars: 1000,
  },
  browser: {
    describes: "a browser that subscribed to Web Push, also on a phone; add it in the console",
    needs: ["url", "keys"],
    body: { title: "{title}", text: "{text}", link: "{link}", image: "{image}" },
    maxChars: 2000,
    fetchMethod: "push",
  },
  teams: {
    describes: "Microsoft Teams: the URL of a workflow that posts cards",
    needs: ["url"],
    body: {
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              { type: "TextBlock", text: "{title}", weight: "Bolder", wrap: true },
              { type: "TextBlock", text: "{text}", wrap: true },
              { type: "TextBlock", text: "{link}", wrap: true },
            ],
          },
        },
      ],
    },
    escape: [brackets],
    maxChars: 10_000,
  },
  "google-chat": {
    describes: "Google Chat: a webhook of a space",
    needs: ["url"],
    body: { text: "*{title}*\n{text}\n{link}" },
    escape: [[/</g, "‹"]],
    maxChars: 3500,
  },
  post: {
    describes: "JSON to any URL, with the message and the event's data",
    needs: ["url"],
    may: ["token"],
    headers: bearer,
    body: {
      id: "{id}",
      title: "{title}",
      text: "{text}",
      priority: "{priority}",
      link: "{link}",
      image: "{image}",
      event: "{payload}",
    },
    maxChars: 20_000,
  },
} as const satisfies Record<string, Format>

export type Kind = keyof typeof formats
export const kinds = Object.keys(formats) as [Kind, ...Kind[]]

export const formatOf = (kind: string): Format | undefined =>
  Object.hasOwn(formats, kind) ? formats[kind as Kind] : undefined
