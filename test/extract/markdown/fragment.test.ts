import { describe, expect, spyOn, test } from "bun:test"
import { fragmentMarkdown } from "../../../src/extract/markdown/index.ts"
import * as turndown from "../../../src/extract/markdown/turndown.ts"
import { issueOf } from "../../hostile/growth.ts"
import { hostilePages } from "../../hostile/pages.ts"
import { everyNth } from "../../samples.ts"

const base = "https://site.example/jobs/1"

const fragments: [name: string, html: unknown, markdown: string | null][] = [
  ["paragraphs that are not closed", "I <i>am</i><p>two<p>three", "I *am*\n\ntwo\n\nthree"],
  ["breaks", "a<br>b<br><br>c<p>d<br></p>", "a\\\nb\n\nc\n\nd"],
  ["a break at the end of a mark", "<b>Place<br></b>Berlin", "**Place**\\\nBerlin"],
  ["lists", "<ul><li>a<li><p>b</p><li></li></ul><ol start=3><li>x<li>y</ol>", "- a\n- b\n\n3. x\n4. y"],
  ["a list in a list", "<ul><li>a<ul><li>b</ul></li></ul>", "- a\n  - b"],
  ["a list next to its item", "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>", "- a\n  - b\n- c"],
  ["boxes to tick", "<ul><li><input type=checkbox checked> a<li><input type=checkbox>b</ul>", "- [x] a\n- [ ] b"],
  ["links", "<a href=/apply>go</a> <a href=#team>team</a> <a href=mailto:a@b.example>mail</a>",
    "[go](https://site.example/apply) [team](https://site.example/jobs/1#team) [mail](mailto:a@b.example)"],
  ["links that lead nowhere", "<a href='javascript:x()'>a</a> <a>b</a>", "a b"],
  ["a table", "<table><tr><th>A</th><th>B</th></tr><tr><td>1|2</td><td><del>x</del></td></tr></table>",
    "| A | B |\n| --- | --- |\n| 1\\|2 | ~~x~~ |"],
  ["code", "<p>Use <code>a_`b`</code>:</p><pre><code class=language-js>let a\n  b</code></pre>",
    "Use `` a_`b` ``:\n\n```js\nlet a\n  b\n```"],
  ["pictures and players", "<img data-src=/a.png alt='[x]'><iframe src=https://www.youtube.com/embed/x></iframe>",
    "![\\[x\\]](https://site.example/a.png)\n\n[Video](https://www.youtube.com/embed/x)"],
  ["struck, raised", "<s>9</s> m<sup>2</sup>", "~~9~~ m<sup>2</sup>"],
  ["signs that would be markup", "&lt;script&gt; 2*3*4 snake_case<p>- no list<p>1. nor<p># this",
    "\\<script> 2\\*3\\*4 snake_case\n\n\\- no list\n\n1\\. nor\n\n\\# this"],
  ["what is unseen", "<style>p{}</style><script>x</script><p style='display:none'>spam</p>seen", "seen"],
  ["what is hidden as a whole", "<p hidden>a <b>b</b></p>", "a **b**"],
  ["a text without markup keeps its lines", "a < b\n- c\n\nd", "a < b\\\n\\- c\n\nd"],
  ["a mark around paragraphs", "<b><p>a</p><p>b</p></b>", "a\n\nb"],
  ["a heading is one line", "<h2>a<br>b</h2>c", "## a b\n\nc"],
  ["a quote", "<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"],
  ["spaces of all kinds", "a&nbsp;<b>&nbsp;b</b>\u200b c<p>&nbsp;</p>", "a **b** c"],
  ["comments within a text", "<p>2022<!-- -->-<!-- -->08 <!---->- a", "2022-08 - a"],
  ["nothing to see", "<p>&nbsp;</p>", null],
  ["no text", undefined, null],
  ["an empty text", " ", null],
] // biome-ignore format: a table reads better dense

for (const [name, html, markdown] of fragments) {
  test(name, () => expect(fragmentMarkdown(html, base)).toBe(markdown))
}

test("without a base URL, relative links and images are left out, and their text stays", () => {
  const html = '<a href="/a">a</a> <a href="https://b.example/">b</a><img src="/c.png">'
  expect(fragmentMarkdown(html)).toBe("a [b](https://b.example/)")
})

describe("markup that no one writes is kept from Turndown", () => {
  const called = spyOn(turndown, "turndown")
  const kinds: [name: string, html: string][] = [
    ["depth", `${"<blockquote>".repeat(30)}end`],
    ["many elements", `${"<b>x</b> ".repeat(6_000)}end`],
    ["a long text", `${"word ".repeat(110_000)}end`],
    ["a run of white space", `<pre>x${" ".repeat(200)}y</pre>end`],
    ["more elements than are read", `${"<b>x</b>".repeat(210_000)}end`],
  ]
  for (const [name, html] of kinds) {
    test(name, () => {
      called.mockClear()
      expect(fragmentMarkdown(html)).toEndWith("end")
      expect(called).not.toHaveBeenCalled()
    }, 60_000)
  }

  test("an ordinary text is not", () => {
    called.mockClear()
    expect(fragmentMarkdown("<p>x</p>end")).toBe("x\n\nend")
    expect(called).toHaveBeenCalledTimes(1)
  })
})

const small = 600

function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test("four times the fragment, four times the time, whatever it is made of", async () => {
  const slow: string[] = []
  for (const [kind, page] of everyNth(Object.entries(hostilePages), 3)) {
    const issue = await issueOf((times) => {
      const html = page(small * times)
      return cpuMs(() => fragmentMarkdown(html, base))
    })
    if (issue) slow.push(`${kind}: ${issue}`)
  }
  expect(slow).toEqual([])
}, 300_000)
