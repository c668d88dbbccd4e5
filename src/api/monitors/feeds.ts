import { oneOf } from "../../catalogue/kit/index.ts"
import type { changesOf } from "../../store/automation/monitors.ts"

type ReportedChange = Awaited<ReturnType<typeof changesOf>>[number]

const feedFormats = ["rss", "atom", "json"] as const
export type FeedFormat = (typeof feedFormats)[number]
export const feedFormat = oneOf([...feedFormats], {
  default: "atom",
  description: "Feed format: RSS 2.0, Atom or JSON Feed 1.1.",
})

export const feedTypes: Record<FeedFormat, string> = {
  rss: "application/rss+xml;charset=utf-8",
  atom: "application/atom+xml;charset=utf-8",
  json: "application/feed+json;charset=utf-8",
}

interface Feed {
  id: string
  title: string
  /** URL of the monitor's screen. */
  home: string
  /** URL of the feed. */
  self: string
  changes: readonly ReportedChange[]
}

/** Returns a monitor's changes as a feed. */
export function feedText(format: FeedFormat, feed: Feed): string {
  return { rss, atom, json }[format](feed)
}

function rss({ title, home, self, changes }: Feed): string {
  const items = changes.map(
    (change) => `<item><title>${xml(titleOf(change))}</title>
<link>${xml(change.url ?? home)}</link><guid isPermaLink="false">${xml(idOf(change))}</guid>
<pubDate>${new Date(change.at).toUTCString()}</pubDate><description>${xml(change.sentence)}</description></item>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${xml(title)}</title>
<link>${xml(home)}</link><description>${xml(`Changes of ${title}`)}</description>
<atom:link rel="self" type="application/rss+xml" href="${xml(self)}"/>
${items.join("\n")}
</channel></rss>
`
}

function atom({ id, title, home, self, changes }: Feed): string {
  const entries = changes.map(
    (change) => `<entry><title>${xml(titleOf(change))}</title>
<link href="${xml(change.url ?? home)}"/><id>urn:trawl:${xml(idOf(change))}</id>
<updated>${change.at}</updated><content type="text">${xml(change.sentence)}</content></entry>`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${xml(title)}</title><id>urn:trawl:${xml(id)}</id>
<updated>${changes[0]?.at ?? new Date(0).toISOString()}</updated><author><name>Trawl</name></author>
<link rel="self" href="${xml(self)}"/><link href="${xml(home)}"/>
${entries.join("\n")}
</feed>
`
}

function json({ title, home, self, changes }: Feed): string {
  const items = changes.map((change) => ({
    id: idOf(change),
    title: titleOf(change),
    content_text: change.sentence,
    url: change.url ?? home,
    date_published: change.at,
    ...(change.image && { image: change.image }),
    _trawl: { before: change.before, after: change.after, runId: change.runId },
  }))
  return JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: home,
    feed_url: self,
    items,
  })
}

const titleOf = ({ name, sentence }: ReportedChange) => name || sentence.split("\n")[0]!

/** Stable ID of a change while it is stored. */
const idOf = ({ runId, key, condition }: ReportedChange) =>
  `${runId}/${Bun.hash(`${key} ${condition}`).toString(36)}`

const unprintable = /[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu

const xml = (text: string) =>
  text
    .toWellFormed()
    .replace(unprintable, " ")
    .replace(
      /[&<>"]/g,
      (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!,
    )
