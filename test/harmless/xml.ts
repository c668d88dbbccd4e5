const isXml = (body: string) =>
  /^\s*(?:<\?xml|<(?:rss|feed|urlset|sitemapindex|rdf:RDF)\b)/.test(body)

const inXml = (name: string, change: (body: string) => string) => ({
  name: `XML: ${name}`,
  change(body: string): string | null {
    const changed = isXml(body) ? change(body) : body
    return changed === body ? null : changed
  },
})

const marked = /<!\[CDATA\[([\s\S]*?)\]\]>/g
/** Everything but tags must stay: sections, comments, declarations. */
const tagOrOther = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<[^>]+>/g
const inTags = (body: string, change: (tag: string) => string) =>
  body.replace(tagOrOther, (tag) => (/^<[!?]/.test(tag) ? tag : change(tag)))

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
const unescaped = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

/** Changes to how a feed or another XML document is written. */
export const xmlChanges = [
  inXml("prefixes of other names", (body) => {
    const declared = [...body.matchAll(/\sxmlns:([\w-]+)=/g)].map(([, prefix]) => prefix!)
    const known = new Set(declared.filter((prefix) => prefix !== "xml"))
    const renamed = (prefix: string) => (known.has(prefix) ? `zz${prefix}` : prefix)
    return inTags(body, (tag) =>
      tag
        .replace(/^(<\/?)([\w-]+):/, (_, open, prefix) => `${open}${renamed(prefix)}:`)
        .replace(/(\sxmlns:)([\w-]+)(?==)/g, (_, declares, prefix) => declares + renamed(prefix))
        .replace(/(\s)([\w-]+)(:[\w-]+=["'])/g, (whole, space, prefix, rest) =>
          prefix === "xmlns" ? whole : space + renamed(prefix) + rest,
        ),
    )
  }),
  inXml("sections as texts", (body) => body.replace(marked, (_, text) => escaped(text))),
  inXml("texts as sections", (body) =>
    body.replace(/>([^<>]*&(?:amp|lt|gt);[^<>]*)<\//g, (whole, text) =>
      /&(?!(?:amp|lt|gt);)|\]\]/.test(text) ? whole : `><![CDATA[${unescaped(text)}]]></`,
    ),
  ),
  inXml("quotes of attributes", (body) =>
    inTags(body, (tag) => tag.replace(/="([^"']*)"/g, "='$1'")),
  ),
  inXml("attributes in another order", (body) =>
    inTags(body, (tag) => {
      const found = tag.match(/\s[\w:.-]+=(?:"[^"]*"|'[^']*')/g)
      if (!found || found.length < 2) return tag
      const name = /^<[^\s/>]+/.exec(tag)![0]
      return `${name}${found.reverse().join("")}${tag.endsWith("/>") ? "/>" : ">"}`
    }),
  ),
  inXml("unknown elements", (body) =>
    body.replace(
      /<\/(?:item|entry|url)>/g,
      (end) => `<zz:ad xmlns:zz="urn:zz"><zz:title>zz</zz:title></zz:ad><zz xmlns="urn:zz"/>${end}`,
    ),
  ),
  inXml("white space", (body) => body.replace(/>\s+(?=<\/?(?:item|entry|url)\b)/g, ">\r\n\t\t")),
  inXml("empty elements in full", (body) =>
    inTags(body, (tag) => tag.replace(/^<([^\s/>]+)((?:\s[^>]*)?)\/>$/, "<$1$2></$1>")),
  ),
  inXml("letter case of the encoding", (body) =>
    body.replace(/(<\?xml[^>]*encoding=["'])([\w-]+)/, (_, before, name) => {
      const other = name.toUpperCase() === name ? name.toLowerCase() : name.toUpperCase()
      return before + other
    }),
  ),
]
