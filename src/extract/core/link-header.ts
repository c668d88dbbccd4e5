/** The URL under `rel` in a `Link` header (RFC 8288), as written; null if it is not there. */
export function linkWithRel(header: string | null, rel: string): string | null {
  for (const link of (header ?? "").matchAll(/<([^<>]*)>([^<]*)/g)) {
    const rels = /;\s*rel=(?:"([^"]*)"|([^\s;,]+))/i.exec(link[2]!)
    const names = (rels?.[1] ?? rels?.[2] ?? "").toLowerCase().split(/\s+/)
    if (names.includes(rel)) return link[1]!
  }
  return null
}
