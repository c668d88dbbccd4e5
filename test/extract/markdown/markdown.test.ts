import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { toMarkdown } from "../../../src/extract/markdown/markdown.ts"

const base = "https://site.example/docs/page"
const markdown = (html: string) => toMarkdown(parseDocument(html).body, base)

/** Name, HTML, Markdown without its last line feed. */
type Pair = [name: string, html: string, markdown: string]

function table(title: string, pairs: Pair[]): void {
  describe(title, () => {
    for (const [name, html, expected] of pairs) {
      test(name, () => expect(markdown(html)).toBe(expected === "" ? "" : `${expected}\n`))
    }
  })
}

table("blocks", [
  ["headings and paragraphs", "<h1>A</h1><p>b</p><h3>C</h3>d", "# A\n\nb\n\n### C\n\nd"],
  ["an element with the role of a heading", "<div role=heading aria-level=2>A</div>", "## A"],
  ["two breaks make a paragraph, one a hard break", "a<br><br>b<br>c", "a\n\nb\\\nc"],
  ["a rule", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
  ["nested quotes", "<blockquote><p>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"],
  ["terms and definitions", "<dl><dt>T<dd>a<dd><p>b<p>c</dl>", "**T**\n\n  a\n\n  b\n\n  c"],
  ["what stands between terms is kept", '<dl><a href="/">Home</a> &gt; News<dt>T<dd>a</dl>',
    "[Home](https://site.example/) > News\n\n**T**\n\n  a"],
  ["details", "<details><summary>More</summary><p>a</details>", "**More**\n\na"],
  ["a figure with its caption", "<figure><img src=/a.png alt=A><figcaption>It <b>is</b>.</figure>",
    "![A](https://site.example/a.png)\n\n*It is.*"],
  ["signs beside headings go", '<h2>A<a class="headerlink" href="#a">¶</a></h2>', "## A"],
  ["and beside other text", '<ul><li><b>A</b><a class="headerlink" href="#a">¶</a></ul>', "- **A**"],
  ["a picture in a link to a part of the page stays", '<p><a href="#b"><img src=/a.png></a>',
    "[![](https://site.example/a.png)](#b)"],
  ["links to edit go", '<h2>A</h2><span class="mw-editsection">[<a href="/edit">edit</a>]</span>', "## A"],
  ["a closing # in a heading stays text", "<h2>C #</h2>", "## C \\#"],
  ["a video is a link", '<iframe src="//www.youtube.com/embed/x" title="Film"></iframe>',
    "[Film](https://www.youtube.com/embed/x)"],
]) // biome-ignore format: a table reads better dense

table("lists", [
  ["nested", "<ul><li>a<ul><li>b</ul><li>c</ul>", "- a\n  - b\n- c"],
  ["nested in ordered", "<ol><li>a<ol><li>b</ol></ol>", "1. a\n   1. b"],
  ["numbers from start and value", "<ol start=9><li>a<li>b<li value=20>c</ol>", "9. a\n10. b\n20. c"],
  ["a start that is no number counts as 1", "<ol start=x><li>a</ol>", "1. a"],
  ["reversed", "<ol reversed><li>a<li>b</ol>", "2. a\n1. b"],
  ["loose where an item has paragraphs", "<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"],
  ["a list directly in a list belongs to the item before", "<ul><li>a</li><ul><li>b</ul></ul>",
    "- a\n  - b"],
  ["text between items is an item", "<ul>a<li>b</li></ul>", "- a\n- b"],
  ["two lists stay two", "<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"],
  ["boxes to tick", "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>",
    "- [x] a\n- [ ] b"],
  ["a box behind other text is none, nor one outside of items",
    "<ul><li><p>a<p><input type=checkbox> b</ul><p><input type=checkbox> c",
    "- a\n\n  b\n\nc"],
  ["a box in a quote of an item is none",
    "<ul><li><blockquote><input type=checkbox> a</blockquote></ul>", "- > a"],
  ["code in an item", "<ul><li>a<pre>x\ny</pre></ul>", "- a\n\n  ```\n  x\n  y\n  ```"],
  ["a nested list that does not begin with 1 stands apart", "<ul><li>a<ol start=3><li>b</ol></ul>",
    "- a\n\n  3. b"],
]) // biome-ignore format: a table reads better dense

table("code", [
  ["a span", "<p>a <code>b c</code> d", "a `b c` d"],
  ["spans side by side stay two", "<p><kbd>Ctrl</kbd><kbd>K</kbd>`<code>c</code>", "`Ctrl` `K`\\``c`"],
  ["also after a backslash", "<p><code>C:\\</code><code>b</code>", "`C:\\` `b`"],
  ["backticks in a span", "<code>a`b</code>", "``a`b``"],
  ["a language from a class", '<pre><code class="language-js">a</code></pre>', "```js\na\n```"],
  ["a language from the block around", '<div class="highlight-source-ruby"><pre>a</pre></div>',
    "```ruby\na\n```"],
  ["breaks and lines", "<pre>a<br>b<div class=line>c</div><div class=line>d</div></pre>",
    "```\na\nb\nc\nd\n```"],
  ["columns of line numbers go",
    "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
    "```\na\nb\n```"],
  ["a fence longer than those inside", "<pre>a\n```\nb</pre>", "````\na\n```\nb\n````"],
  ["a link around code", "<code><a href=/x>y</a></code>", "[`y`](https://site.example/x)"],
]) // biome-ignore format: a table reads better dense

table("emphasis", [
  ["white space moves out", "<p>a<b> b </b>c <i> d</i>", "a **b** c *d*"],
  ["within a word", "<p>un<em>believ</em>able", "un*believ*able"],
  ["empty marks vanish", "<p>a<b></b><i> </i>b", "a b"],
  ["alike marks that touch are one", "<p><b>a</b><b>b</b>", "**ab**"],
  ["marks within their like say nothing", "<p><b>a<strong>b</strong></b>", "**ab**"],
  ["nested", "<p><b>a <i>b</i></b>", "**a *b***"],
  ["what CommonMark would not read as a mark is text", "<p><b>(a)</b>b", "(a)b"],
  ["struck", "<p><del>a</del>", "~~a~~"],
  ["across blocks", "<b><p>a<p>b</b>", "**a**\n\n**b**"],
  ["raised and lowered", "<p>x<sup>2</sup> H<sub>2</sub>O", "x<sup>2</sup> H<sub>2</sub>O"],
]) // biome-ignore format: a table reads better dense

table("links and pictures", [
  ["absolute", '<a href="../b?c=d">a</a>', "[a](https://site.example/b?c=d)"],
  ["protocol-relative", '<a href="//o.example/">a</a>', "[a](https://o.example/)"],
  ["a fragment stays", '<a href="#x">a</a>', "[a](#x)"],
  ["no script, no link without text", '<a href="javascript:x">a</a><a href="/y"></a>', "a"],
  ["brackets that pair stay, others are escaped", '<a href=/x>[1]</a> <a href=/y>a]</a>',
    "[[1]](https://site.example/x) [a\\]](https://site.example/y)"],
  ["a card links its first line", "<a href=/x><h3>T</h3><p>d</p></a>",
    "### [T](https://site.example/x)\n\nd"],
  ["a note's mark is a link", '<p>a<sup><a href="#fn">1</a></sup>', "a[1](#fn)"],
  ["a lazy picture", '<img src="data:image/gif;base64,x" data-src="/a.jpg" alt="A">',
    "![A](https://site.example/a.jpg)"],
  ["the largest of a set", '<img srcset="/s.jpg 100w, /l.jpg 900w" alt="">',
    "![](https://site.example/l.jpg)"],
  ["pixels and pictures in the page go", '<img src=/p.gif width=1 height=1><img src="data:x">', ""],
  ["the picture for readers without scripts",
    '<img class=lazy alt=A><noscript><img src=/a.jpg alt=A></noscript>', "![A](https://site.example/a.jpg)"],
  ["tags in an alternative text go", '<img src=/a.jpg alt="<b>A</b> [x]">',
    "![A \\[x\\]](https://site.example/a.jpg)"],
]) // biome-ignore format: a table reads better dense

table("tables", [
  ["header, alignment, pipes and breaks",
    "<table><tr><th>a<th align=right>b<tr><td>1|2<td>x<br>y</table>",
    "| a | b |\n| --- | ---: |\n| 1\\|2 | x<br>y |"],
  ["the first row heads where no cell does", "<table><tr><td>a<td>b<tr><td>c<td>d</table>",
    "| a | b |\n| --- | --- |\n| c | d |"],
  ["spans leave cells empty",
    "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4</table>",
    "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |"],
  ["a caption stands before", "<table><caption>T</caption><tr><th>a<th>b<tr><td>c<td>d</table>",
    "T\n\n| a | b |\n| --- | --- |\n| c | d |"],
  ["one below stands behind", "<table><tr><th>a<th>b<tr><td>c<td>d</tr><caption>T</caption></table>",
    "| a | b |\n| --- | --- |\n| c | d |\n\nT"],
  ["layout is flattened", "<table><tr><td><h2>A</h2><p>b<td>c</table>", "## A\n\nb\n\nc"],
  ["so is what says so", "<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"],
  ["lists in cells", "<table><tr><th>a<th>b<tr><td><ul><li>x<li>y</ul><td>c</table>",
    "| a | b |\n| --- | --- |\n| x<br>y | c |"],
]) // biome-ignore format: a table reads better dense

table("escapes", [
  ["what would begin a block", "<p># a<p>1. b<p>- c<p>> d<p>+ e<p>---<p>==<p>| a |",
    "\\# a\n\n1\\. b\n\n\\- c\n\n\\> d\n\n\\+ e\n\n\\---\n\n\\==\n\n| a |"],
  ["after a break too", "<p>a<br># b<br>1) c", "a\\\n\\# b\\\n1\\) c"],
  ["marks", "<p>*a* _b_ `c` ~~d~~", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~"],
  ["what would be a definition", "<p>[a]: b<p>[a [b]: c", "\\[a]: b\n\n[a [b]: c"],
  ["a link is none", '<p><a href="/x">a [b]:</a> c', "[a [b]:](https://site.example/x) c"],
  ["not needlessly", "<p>snake_case 2 * 3 a < b x [y] 3. C:\\dir R&D ~5", "snake_case 2 * 3 a < b x [y] 3. C:\\dir R&D ~5"],
  ["tags and references", "<p>&lt;div&gt; &amp;amp;", "\\<div> \\&amp;"],
  ["what would be a link", "<p>[a](b)", "[a\\](b)"],
  ["an exclamation mark before a link", "<p>a!<a href=/x>b</a>", "a\\![b](https://site.example/x)"],
  ["no-break spaces become spaces, but not in code", "<p>a&nbsp;b <code>c</code>", "a b `c`"],
]) // biome-ignore format: a table reads better dense

table("what readers do not see", [
  ["hidden elements", "<p hidden>a<p aria-hidden=true>b<p style='display:none'>c<p>d", "d"],
  ["scripts, styles, templates", "<script>a</script><style>b</style><template>c</template>d", "d"],
  ["zero-width characters", "<p>a\u200bb\u00adc\ufeffd", "abcd"],
  ["joiners and marks of direction stay", "<p>می\u200cخواهم \u200fabc", "می\u200cخواهم \u200fabc"],
  ["East Asian text is not broken", "<p>日本語の<b>強調</b>です", "日本語の**強調**です"],
]) // biome-ignore format: a table reads better dense

const back = (id: string) => `<a href="#${id}" class="footnote-backref">↩</a>`

table("footnotes", [
  ["of blogs: a raised number and a list below",
    `<p>One<sup id="r1"><a href="#n1">1</a></sup>, two<sup id="r2"><a href="#n2">2</a></sup>.<div class="footnotes"><ol><li id="n1"><p>First. ${back("r1")}</p><li id="n2"><p>Second.</p><p>More. ${back("r2")}</p></ol></div>`,
    "One[^1], two[^2].\n\n[^1]: First. ↩\n\n[^2]: Second.\n\n    More."],
  ["of encyclopedias: in brackets, by name, several marks for one, a note that nothing leads to",
    '<p>A<sup id="a"><a href="#n-x"><span>[</span>1<span>]</span></a></sup><sup><a href="#n-y">[note 1]</a></sup> B<sup id="b"><a href="#n-x">[1]</a></sup><ol class="references"><li id="n-x"><span class="cite-backlink">^ <a href="#a">a</a> <a href="#b">b</a></span> Doe <a href="/d">d</a><li id="n-y">Why it is<li id="n-z">Unused</ol>',
    "A[^1][^note-1] B[^1]\n\n[^1]: Doe [d](https://site.example/d)\n\n[^note-1]: Why it is\n\n3. Unused"],
  ["of letters: the number before a note's text leads back",
    '<p>Say<a id="m1" href="#f1">1</a> it.<div class="footnote"><a id="f1" href="#m1">1</a><div><p>So there.</p></div></div>',
    "Say[^1] it.\n\n[^1]: So there."],
  ["with roles, two marks in one, and signs for numbers",
    '<p>A<sup><a href="#p">*</a>, <a href="#q">†</a></sup><aside role="doc-footnote" id="p">Star note</aside><aside role="doc-footnote" id="q">Dagger note</aside>',
    "A[^1][^2]\n\n[^1]: Star note\n\n[^2]: Dagger note"],
  ["a note of one link is no definition of an address to those who know no footnotes",
    '<p>A<sup><a href="#n">1</a></sup><ol><li id="n"><a href="/x">x</a></ol>',
    "A[^1]\n\n[^1]: [x](https://site.example/x) ↩"],
  ["a note that is not written has its link as before",
    '<p>A<sup><a href="#n">1</a></sup> <sup><a href="#m">2</a></sup><div hidden><ol><li id="m">Folded</ol></div>',
    "A[1](#n) [2](#m)"],
  ["numbers that lead to sections, and contents before their lists, are none",
    '<p><a href="#s1">1</a> <sup><a href="#s2">2</a></sup><section id="s1"><p>One</section><div id="s2"><p>Two</div>',
    "[1](#s1) [2](#s2)\n\nOne\n\nTwo"],
  ["a list above what leads to it holds no notes",
    '<ol><li id="n">Before</ol><p>A<sup><a href="#n">1</a></sup>',
    "1. Before\n\nA[1](#n)"],
]) // biome-ignore format: a table reads better dense

table("formulas", [
  ["MathML without TeX, a fraction and a root",
    "<p>so <math><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac><mo>±</mo><msqrt><mi>D</mi></msqrt></math>.",
    "so $x=\\frac{-b}{2a}\\pm \\sqrt{D}$."],
  ["bounds, indices, functions, Greek letters",
    "<p><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>α</mi><mi>i</mi></msub><mi>sin</mi><mo>\u2061</mo><msup><mi>x</mi><mn>2</mn></msup></math>",
    "$\\sum_{i=1}^{n}\\alpha_{i}\\sin x^{2}$"],
  ["matrices, fences and words",
    "<p><math><mfenced open='['><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable></mfenced><mtext>if </mtext><mi>rank</mi></math>",
    "$\\left[\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}\\right)\\text{if }\\mathrm{rank}$"],
  ["TeX in a script, without what MathJax drew of it",
    '<p>a <span class="MathJax_Preview"></span><span class="MathJax"><nobr>x2</nobr></span><script type="math/tex">x^2</script> b',
    "a $x^2$ b"],
  ["what follows a formula is no picture of it",
    "<p><math><mi>x</mi></math> or <b>y</b> <math><mi>z</mi></math><i>w</i>",
    "$x$ or **y** $z$*w*"],
  ["MathML beside MathJax's picture of it",
    '<p><mjx-container><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>',
    "$x^{2}$"],
  ["what a page shows on lines of its own: MathML, KaTeX, MathJax 2 and 3",
    '<p>a <math display=block><mi>x</mi></math> b <span class="katex-display"><span class="katex"><math><mi>y</mi></math></span></span><script type="math/tex; mode=display">z^2</script><mjx-container display="true"><mjx-assistive-mml><math><mi>w</mi></math></mjx-assistive-mml></mjx-container>',
    "a\n\n$$x$$\n\nb\n\n$$y$$\n\n$$z^2$$\n\n$$w$$"],
  ["in a cell it stays on its line, and its bars are none of the table's",
    "<table><tr><th>a<th>b<tr><td><math display=block><mo>|</mo><mi>x</mi><mo>|</mo></math><td>1</table>",
    "| a | b |\n| --- | --- |\n| $\\vert x\\vert $ | 1 |"],
  ["TeX of MathML",
    '<p>a <math><mi>x</mi><annotation encoding="application/x-tex">{\\displaystyle x^2}</annotation></math>',
    "a $x^2$"],
  ["a picture beside hidden MathML is not said twice",
    '<p><span style="display:none"><math><annotation encoding="application/x-tex">x</annotation></math></span><img src=/x.svg alt=x>',
    "$x$"],
]) // biome-ignore format: a table reads better dense
