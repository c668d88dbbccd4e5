/** Returns the same numbers for the same seed, so that a failure can be reproduced. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Difficult input for readers: end tags, things nested in themselves, invalid numbers and dates.
 */
const pieces = [
  "<", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "&", "&#x110000;", "&#0;", "&#xd800;", "\0", "\ufeff", "\ud800",
  "<table><tr><td>", "</table>", "<svg><title>", "<template>", "<noscript>", "</script>", "<script type=application/ld+json>",
  '{"@type":"Product","offers":[[{"price":[]}]],"name":{}}', '{"@graph":[null,1,"x",{"@type":[null]}]}', '{"@id":"#a","author":{"@id":"#a"}}',
  '<a href="http://[">', '<a href="http://a:99999/">', '<a href="javascript:1">', '<base href="::">', '<base href="data:,x">',
  '<img srcset=", ,,1x 2w">', '<meta http-equiv=refresh content="0;url=http://%">', '<meta property="og:image" content="//">',
  '<time datetime="9999999-99-99T99:99">', '<time datetime="-271822-01-01">', '<span class=price>1e999 €</span>', '<span itemprop=price content="NaN">',
  '<td colspan=1e9 rowspan=-1>', "<td colspan=99999>", '<ol start="99999999999999999999">', "<h7>", "<math><mrow>", "<p style='display:none'>",
  "<link rel=canonical href='http://a.b.c.d:x/'>", "<html lang='x-\u0000'>", "\u202e", "%E0%A4%A", "<select><option><select>", "<frameset>", "<plaintext>",
] // biome-ignore format: a list reads better dense

/**
 * Returns a page with some of its parts cut, doubled, swapped or broken, or with a hostile part
 * inside.
 */
export function mutated(page: string, next: () => number): string {
  let text = page
  const at = () => Math.floor(next() * text.length)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const kinds = [
    () => text.slice(0, at()),
    () => text.slice(at()),
    () => spliced(at(), Math.floor(next() * 2000), ""),
    () => spliced(at(), 0, pick(pieces).repeat(1 + Math.floor(next() * 3))),
    () => spliced(at(), 0, text.slice(at()).slice(0, Math.floor(next() * 3000))),
    () => spliced(at(), 1, String.fromCharCode(Math.floor(next() * 0x10000))),
    // Inside a token: an attribute's value, a JSON field, a tag's name.
    () =>
      text.replace(
        new RegExp(pick(['="[^"]*"', '"[^"]*":', "<\\w+", "\\d+", "</\\w+>"])),
        pick(pieces),
      ),
    () =>
      replacedAll(
        pick(['content="', "class=", '"@type"', "href=", "<div", "<p"]),
        pick(["", "x", ...pieces]),
      ),
  ]
  function spliced(start: number, cut: number, put: string): string {
    return text.slice(0, start) + put + text.slice(start + cut)
  }
  function replacedAll(what: string, by: string): string {
    return text.split(what, 40).join(by)
  }
  for (let turn = 1 + Math.floor(next() * 6); turn > 0; turn--) text = pick(kinds)()
  return text
}
