/**
 * Small pages, each with one sign of its author or date: the scorers learn from them in addition to the
 * real pages, and the tests check all of them.
 */
export type Lesson = [name: string, html: string, truth: string | null, url: string]

const url = "https://www.paper.example/2020/01/13/story"
const jsonLd = (node: object) =>
  `<script type="application/ld+json">${JSON.stringify(node)}</script>`

const person = (name: string) => ({ "@type": "Article", headline: "h", author: { name } })
const authors: [name: string, html: string, author: string | null][] = [
  ["several in structured data", jsonLd({ "@type": "Article", headline: "h", author: [{ name: "Ann Lee" }, "Bo Ek"] }), "Ann Lee, Bo Ek"],
  ["by reference", jsonLd({ "@graph": [{ "@type": "Article", headline: "h", author: { "@id": "#p" } }, { "@id": "#p", "@type": "Person", name: "Ann Lee" }] }), "Ann Lee"],
  ["the publisher counts last", `${jsonLd({ ...person("The Paper"), publisher: { name: "The Paper" } })}<p class=byline>By Ann Lee`, "Ann Lee"],
  ["but counts", jsonLd({ ...person("The Paper"), publisher: { name: "The Paper" } }), "The Paper"],
  ["a meta", "<meta name=author content='Ann Lee'>", "Ann Lee"],
  ["not a meta with an address", "<meta property=article:author content='https://f.example/ann'><a rel=author>Bo Ek</a>", "Bo Ek"],
  ["labels are no names", "<span class=byline>Published by</span><a href='/author/x'>Ann Lee</a>", "Ann Lee"],
  ["not those of comments", "<div id=comments><a rel=author>Bo Ek</a></div>", null],
  ["words of class names", "<h1>T</h1><div class='ArticleHeader__authorName'>Von Ann Lee, Redakteurin</div>", "Ann Lee"],
  ["a line under the heading", "<h1>T</h1><p>Ann Lee, 4.5.2021</p><p>text", "Ann Lee"],
  ["a line at the end", "<h1>T</h1><p>text text<p><em>Text von Ann Lee</em>", "Ann Lee"],
  ["the family name first", "<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Bo Ek'>", "Ann Lee, Bo Ek"],
  ["the labelled rows of a preview", "<meta name=twitter:label1 content='Verfasst von'><meta name=twitter:data1 content='Ann Lee'>", "Ann Lee"],
  ["a page's node after what readers see", `${jsonLd({ "@graph": [{ "@type": "WebPage", author: { "@id": "#p" } }, { "@id": "#p", "@type": "Person", name: "Bo Ek" }] })}<p class=byline>By Ann Lee`, "Ann Lee"],
  ["Drupal's", "<span rel='sioc:has_creator'><a property='foaf:name'>Ann Lee</a></span>", "Ann Lee"],
  ["a folder of people", "<h1>T</h1><a href='/columnists/all'>Our columnists</a><a href='/columnists/ann'>Ann Lee</a>", "Ann Lee"],
  ["a link around a portrait", "<a href='/author/ann' title='Ann Lee'><img></a>", "Ann Lee"],
  ["attributes for tests", "<h1>T</h1><span data-testid=AuthorName>Ann Lee</span>", "Ann Lee"],
  ["a handle marked as the author", "<h1>T</h1><span class=author>annlee</span>", "annlee"],
  ["an office without a person", "<h1>T</h1><span class='byline author'>von Redaktion,</span>", "Redaktion"],
  ["letters without case", "<h1>T</h1><span class=author>作者：张小明</span>", "张小明"],
  ["but no weekday", "<h1>T</h1><span class=author>الجمعة 8 2019</span>", null],
  ["not the heading of a setting", "<h1>T</h1><h3 id=site_author>site_author</h3>", null],
  ["not who is quoted", "<h1>T</h1><p class=quote-author>Bo Ek", null],
  ["a label and a name", "<h1>T</h1><p>text<h4>Autor</h4><p>Ann Lee,", "Ann Lee"],
  ["a profile near the heading", "<h1>T</h1><a href='/users/12'><div>Ann Lee</div></a><p>text", "Ann Lee"],
  ["a line with a date and a login", "<h1>T</h1><small>11.09.2011, 16:20 von annlee</small>", "annlee"],
  ["parts of a line", "<h1>T</h1><p>Von: Ann Lee | 31.10.23", "Ann Lee"],
  ["a name and a role", "<h1>T</h1><p>Ann Lee, Staff Writer<p>text", "Ann Lee"],
  ["no times of day", "<h1>T</h1><p>Am 3.4.2020 von 10 bis 12 Uhr", null],
  ["next to a link to more", "<h1>T</h1><div><div>Ann Lee</div><a href=/x>Alle Rezepte vom Autor</a></div>", "Ann Lee"],
  ["the credit in the article's head", "<header><h1>T</h1><p class=credit>JIJI</p></header><figure><i class=credit>Bo Ek</i></figure>", "JIJI"],
  ["a signature", `<p>${"text ".repeat(60)}<p align=right><em>Ann Lee</em>`, "Ann Lee"],
  ["but no name in the middle", `<p>${"text ".repeat(60)}<p><b>Ann Lee</b>`, null],
  ["the licensor for a handle", "<span class=author>al</span><a rel=cc:attributionURL href='https://www.paper.example/'>Ann Lee</a>", "Ann Lee"],
  ["not that of a picture", "<a rel=cc:attributionURL href='https://pictures.example/bo'>Bo Ek</a>", null],
  ["the owner of a personal site", "<title>About Ann Lee</title><meta property=og:type content=article><p>IMPRINT | COPYRIGHT 2019 ANN LEE", "Ann Lee"],
  ["not the holder of a picture", "<title>About Ann Lee</title><meta property=og:type content=article><p>© Ann Lee", null],
  ["not a paper's address", "<meta name=author content='Example Press, Hamburg, Germany'>", "Example Press"],
  ["not the account of the site", "<meta name=twitter:creator content=@paper><meta name=twitter:site content=@paper>", null],
  ["not those of teasers", "<h1>T</h1><article><h3><a href='/other'>Another story</a></h3><span class=author>Bo Ek</span></article>", null],
  ["nor of links around them", "<h1>T</h1><a href='/other'>A story that is quite another than this one <span class=author>Bo Ek</span></a>", null],
  ["nor of parts named so", "<h1>T</h1><div class=related-articles><p class=author>Bo Ek</div>", null],
  ["but of the head that links to itself", "<h2><a href='/2020/01/13/story'>T</a></h2><span class=author>Ann Lee</span>", "Ann Lee"],
  ["and of a box whose heading is the name", "<h1>T</h1><div><h4><a href='/x'>Ann Lee</a></h4><a rel=author>Ann Lee</a></div>", "Ann Lee"],
  ["all of a byline without marks", "<h1>T</h1><div>Posted by annlee, BoEk, Cy, Dan on 2019-02-15, <a href='/blog/'>all posts</a></div><p>text", "annlee, BoEk, Cy, Dan"],
  ["a name before its day", "<h1>T</h1><p class=byline>By Ann Lee on <time>May 4, 2020</time>", "Ann Lee"],
  ["not who reviews it, in its data", jsonLd({ "@type": "Product", name: "T", review: [{ "@type": "Review", author: { "@type": "Person", name: "Bo Ek" } }] }), null],
  ["nor in its marks", "<h1>T</h1><div itemscope itemtype='https://schema.org/Product'><div itemprop=review><b itemprop=author>Bo Ek</b> Very good</div></div>", null],
  ["not the title of a page about authors", "<link rel=author href=/about title='About these documents'><h1>T</h1>", null],
  ["an article's own footer", "<article><h1>T</h1><footer class=byline>Ann Lee</footer></article><footer><p class=author>Bo Ek</footer>", "Ann Lee"],
] // biome-ignore format: a table reads better dense

const dates: [name: string, html: string, published: string | null][] = [
  ["structured data", jsonLd({ "@type": "Article", headline: "h", datePublished: "2021-11-01T10:52:50+0100" }), "2021-11-01T09:52:50.000Z"],
  ["a meta without zone", "<meta property=article:published_time content='2018-04-05T06:00'>", "2018-04-05T06:00:00.000Z"],
  ["an American date", "<meta name=date content='4/6/2016 4:00:00 PM'>", "2016-04-06T16:00:00.000Z"],
  ["an item property", "<span itemprop=datePublished content='2020-05-06'>x</span>", "2020-05-06"],
  ["a time in the article", "<article><time datetime='2020-01-14T08:00:00Z'>x</time></article>", "2020-01-14T08:00:00.000Z"],
  ["not a time far from the address", "<article><time datetime='2009-04-11'>x</time></article>", "2020-01-13"],
  ["not that of a related article", "<main><h1>T</h1><div class=related-posts><time datetime='2020-01-10'>x</time></div></main>", "2020-01-13"],
  ["the address", "<p>x", "2020-01-13"],
] // biome-ignore format: a table reads better dense

const at = (lessons: [string, string, string | null][]): Lesson[] =>
  lessons.map(([name, html, truth]) => [name, html, truth, url])

export const authorLessons = at(authors)
export const dateLessons: Lesson[] = [
  ...at(dates),
  ["none in a folder of a month", "<p>x", null, "https://paper.example/2020/12/story"],
  [
    "one after such a folder",
    "<p>x",
    "2003-03-31",
    "https://paper.example/2003/03/20030331_speech.html",
  ],
  [
    "as libraries write it",
    "<meta name=citation_publication_date content='2024 Jun 30'>",
    "2024-06-30",
    "https://paper.example/x",
  ],
  [
    "with the year first",
    "<h1>T</h1><p class=date>2021/3/3</p><p>text",
    "2021-03-03",
    "https://paper.example/x",
  ],
  [
    "in letters without case",
    "<h1>T</h1><p class=date>2021年3月3日</p><p>text",
    "2021-03-03",
    "https://paper.example/x",
  ],
  [
    "what only readers see",
    "<h1>T</h1><p class=info>Geschrieben am 3. März 2021 um 9 Uhr</p><p>text",
    "2021-03-03",
    "https://paper.example/x",
  ],
]
