/** A kind of hostile page, with about `count` elements or parts of the same cost. */
export type HostileKind = (count: number) => string

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => write(index)).join("")
const page = (body: string, head = "") =>
  `<!doctype html><html lang=en><head><title>Page</title>${head}</head><body><h1>Page</h1>${body}<p>end</body></html>`
const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`
const productSaying = (text: string) =>
  jsonLd(
    JSON.stringify({
      "@context": "https://schema.org",
      "@type": "Product",
      name: "Lamp",
      description: text,
    }).replaceAll("</", "<\\/"),
  )
const sentence = "The quick brown fox, a fine animal, jumps over the lazy dog at noon. "

/** Content that keeps a page's reader busy. */
export const hostilePages: Record<string, HostileKind> = {
  "nested div": (n) => page("<div>".repeat(n)),
  "nested div with text": (n) => page(times(n, (i) => `<div>word${i} `)),
  "nested blockquote": (n) => page("<blockquote>q ".repeat(n)),
  "nested b i": (n) => page("<b><i>x".repeat(n / 2)),
  "nested span": (n) => page("<span class=price>1 ".repeat(n)),
  "nested lists": (n) => page("<ul><li>x".repeat(n / 2)),
  "nested ol": (n) => page("<ol><li>x".repeat(n / 2)),
  "nested dl": (n) => page("<dl><dt>a<dd>b".repeat(n / 3)),
  "nested tables": (n) => page("<table><tr><td>x".repeat(n / 3)),
  "nested section": (n) => page("<section><h2>h</h2>".repeat(n / 2)),
  "nested article": (n) => page("<article><p>text, text</p>".repeat(n / 2)),
  "nested a": (n) => page("<a href=x>y".repeat(n)),
  "nested svg": (n) => page(`<svg>${"<g><path d=M0>".repeat(n / 2)}`),
  "nested fonts": (n) => page("<font><p>x".repeat(n / 2)),
  "sibling div": (n) => page("<div>x</div>".repeat(n)),
  "sibling p": (n) => page(times(n, () => `<p>${sentence}</p>`)),
  "sibling span": (n) => page("<span>x</span> ".repeat(n)),
  "sibling b": (n) => page(`<p>${"<b>x</b>y".repeat(n)}`),
  "sibling br": (n) => page("<br>x".repeat(n)),
  "sibling br in p": (n) => page(`<p>${"<br>".repeat(n)}</p>x`),
  "sibling hr": (n) => page("<hr>".repeat(n)),
  "open p": (n) => page("<p>x".repeat(n)),
  "div in pairs": (n) => page("<div><p>x, y, z</p></div>".repeat(n / 2)),
  headings: (n) => page(times(n, (i) => `<h2>Heading ${i}</h2>`)),
  "headings with text": (n) =>
    page(times(n / 2, (i) => `<h${1 + (i % 6)}>H ${i}?</h2><p>Answer ${i}.</p>`)),
  "nav with links": (n) => page("<nav><a href=x>y</a></nav>".repeat(n / 2)),
  "open nav and links": (n) => page("<nav><a href=x>".repeat(n / 2)),
  "open nav and jumps": (n) => page("<nav><a href=#x>".repeat(n / 2)),
  "links alike": (n) => page("<a href=/same>same</a> ".repeat(n)),
  "links apart": (n) => page(times(n, (i) => `<a href=/page/${i}>Page ${i}</a> `)),
  "links abroad": (n) => page(times(n, (i) => `<a href=https://h${i}.example/>h ${i}</a> `)),
  "links to jump to": (n) =>
    page(times(n / 2, (i) => `<a href=#s${i}>S ${i}</a><h2 id=s${i}>S ${i}</h2>`)),
  "links without text": (n) => page("<a>".repeat(n)),
  "footnote marks": (n) =>
    page(`<p>${times(n / 2, (i) => `text<sup><a href=#n${i}>${i}</a></sup> `)}`),
  sup: (n) => page("<sup>1</sup>".repeat(n)),
  ol: (n) => page(`<ol>${"<li>x".repeat(n)}</ol>`),
  "ol with start": (n) => page(times(n / 2, (i) => `<ol start=${i}><li>x</ol>`)),
  ul: (n) => page(`<ul>${"<li>x".repeat(n)}</ul>`),
  "ul with links": (n) => page(`<ul>${times(n / 2, (i) => `<li><a href=/p/${i}>p ${i}</a>`)}</ul>`),
  "li without a list": (n) => page("<li>x".repeat(n)),
  dl: (n) => page(`<dl>${"<dt>Brand<dd>x".repeat(n / 2)}</dl>`),
  "dl of terms": (n) => page(`<dl>${"<dt>x".repeat(n)}</dl>`),
  "rows x cells": (n) =>
    page(`<table>${times(n / 1000, () => `<tr>${"<td>x".repeat(1000)}`)}</table>`),
  "rows of two": (n) =>
    page(`<table>${times(n / 3, (i) => `<tr><th>Label ${i}<td>Value ${i}`)}</table>`),
  "one row": (n) => page(`<table><tr>${"<td>x".repeat(n)}</table>`),
  "cells that span": (n) =>
    page(`<table>${"<tr><td colspan=9999 rowspan=9999>a".repeat(n / 2)}</table>`),
  "many tables": (n) => page("<table><tr><td>x</table>".repeat(n / 3)),
  "open table parts": (n) => page(`<table>${"<tbody><thead><tr>".repeat(n / 3)}`),
  form: (n) => page("<form><input name=q></form>".repeat(n / 2)),
  "open form": (n) => page("<form><input>".repeat(n / 2)),
  "form of inputs": (n) => page(`<form>${times(n, (i) => `<input name=a${i}>`)}</form>`),
  "labels and inputs": (n) =>
    page(times(n / 2, (i) => `<label for=i${i}>l</label><input id=i${i}>`)),
  options: (n) =>
    page(`<select name=size>${times(n, (i) => `<option value=${i}>Size ${i}`)}</select>`),
  selects: (n) => page("<select name=color><option>red</select>".repeat(n / 2)),
  buttons: (n) => page("<button>Add to cart</button>".repeat(n)),
  "meta og:image": (n) =>
    page(
      "",
      times(n, (i) => `<meta property=og:image content=/i${i}.png>`),
    ),
  "meta og:image alike": (n) =>
    page(
      "",
      "<meta property=og:image content=a><meta property=og:image:width content=1>".repeat(n / 2),
    ),
  "meta apart": (n) =>
    page(
      "",
      times(n, (i) => `<meta name=n${i} content=v${i}>`),
    ),
  "meta citation_author": (n) =>
    page(
      "",
      times(n, (i) => `<meta name=citation_author content="Ada Name${i}">`),
    ),
  "meta article:tag": (n) =>
    page(
      "",
      times(n, (i) => `<meta property=article:tag content=t${i}>`),
    ),
  "link alternate": (n) =>
    page(
      "",
      times(n, (i) => `<link rel=alternate hreflang=h${i} href=/l${i}>`),
    ),
  "link feeds": (n) =>
    page(
      "",
      times(n, (i) => `<link rel=alternate type=application/rss+xml href=/f${i}>`),
    ),
  "link stylesheet": (n) =>
    page(
      "",
      times(n, (i) => `<link rel=stylesheet href=/s${i}.css>`),
    ),
  titles: (n) => page("<title>x</title>".repeat(n)),
  base: (n) => page("<base href=/x>".repeat(n)),
  bodies: (n) => page(times(n, (i) => `<body a${i}=1>`)),
  scripts: (n) => page(times(n, (i) => `<script src=/s${i}.js></script>`)),
  "inline scripts": (n) => page("<script>var a={b:1};window.c=a</script>".repeat(n)),
  styles: (n) => page("<style>a{}</style>".repeat(n)),
  "styled hidden": (n) => page(`<div style="display: none">x</div>`.repeat(n)),
  "classes apart": (n) => page(times(n, (i) => `<div class="c${i} d${i} price-${i}">x</div>`)),
  "classes of junk": (n) =>
    page(`<div class="sidebar ad-banner social share related">text</div>`.repeat(n)),
  "classes of articles": (n) =>
    page(`<div class="article-body content post entry">text, text, text</div>`.repeat(n)),
  "ids alike": (n) => page("<div id=main>x</div>".repeat(n)),
  "main elements": (n) => page("<main>text, text</main>".repeat(n)),
  "nested main": (n) => page("<main>text, ".repeat(n)),
  sections: (n) => page("<section><p>x</p></section>".repeat(n / 2)),
  details: (n) =>
    page(times(n / 3, (i) => `<details><summary>Why ${i}?</summary><p>So ${i}.</p></details>`)),
  "questions in dt": (n) =>
    page(`<h2>FAQ</h2><dl>${times(n / 2, (i) => `<dt>Why ${i}?<dd>So ${i}.`)}</dl>`),
  "questions in divs": (n) =>
    page(
      `<section id=faq>${times(n / 3, (i) => `<div class=faq-item><div class=question>Why ${i}?</div><div class=answer>So.</div></div>`)}`,
    ),
  "questions alone": (n) => page(`<h2>FAQ</h2>${"<h3>Why?</h3>".repeat(n)}`),
  "questions in microdata": (n) =>
    page(
      `<div itemscope itemtype=https://schema.org/FAQPage>${times(n / 4, (i) => `<div itemprop=mainEntity itemscope itemtype=https://schema.org/Question><b itemprop=name>Q${i}?</b><div itemprop=acceptedAnswer itemscope itemtype=https://schema.org/Answer><i itemprop=text>A</i></div></div>`)}</div>`,
    ),
  "questions in JSON-LD": (n) =>
    page(
      jsonLd(
        JSON.stringify({
          "@context": "https://schema.org",
          "@type": "FAQPage",
          mainEntity: Array.from({ length: n / 4 }, (_, i) => ({
            "@type": "Question",
            name: `Q ${i}?`,
            acceptedResponse: { "@type": "Answer", text: "A" },
          })),
        }),
      ),
    ),
  "nested itemscope": (n) =>
    page(
      "<div itemprop=a itemscope itemtype=https://schema.org/Product><b itemprop=name>x</b>".repeat(
        n / 2,
      ),
    ),
  itemscopes: (n) =>
    page(
      times(
        n / 3,
        (i) =>
          `<div itemscope itemtype=https://schema.org/Product><b itemprop=name>P${i}</b><i itemprop=price>${i}</i></div>`,
      ),
    ),
  itemprops: (n) =>
    page(
      `<div itemscope itemtype=https://schema.org/Product>${times(n, (i) => `<b itemprop=p${i}>x</b>`)}</div>`,
    ),
  "itemref circle": (n) =>
    page(
      times(
        n,
        (i) =>
          `<div id=r${i} itemscope itemprop=a itemref="r${(i + 1) % n} r${(i + 7) % n}">x</div>`,
      ),
    ),
  rdfa: (n) =>
    page(
      `<div vocab=https://schema.org/>${times(n / 2, (i) => `<div typeof=Product><b property=name>P${i}</b></div>`)}</div>`,
    ),
  "nested rdfa": (n) =>
    page("<div vocab=https://schema.org/ typeof=Thing property=name>x".repeat(n)),
  "huge JSON-LD": (n) =>
    page(
      jsonLd(
        JSON.stringify(
          Array.from({ length: n / 4 }, (_, i) => ({
            "@context": "https://schema.org",
            "@type": "Product",
            name: `P ${i}`,
            offers: { "@type": "Offer", price: i },
          })),
        ),
      ),
    ),
  "deep JSON-LD": (n) =>
    page(jsonLd(`${`{"@type":"Product","isRelatedTo":`.repeat(n)}null${"}".repeat(n)}`)),
  "deep JSON-LD lists": (n) => page(jsonLd(`${"[".repeat(n)}${"]".repeat(n)}`)),
  "JSON-LD by @id": (n) =>
    page(
      jsonLd(
        JSON.stringify({
          "@graph": Array.from({ length: n / 2 }, (_, i) => ({
            "@id": `#${i}`,
            "@type": "Product",
            name: "x",
            isRelatedTo: [
              { "@id": `#${(i + 1) % (n / 2)}` },
              { "@id": `#${(i * 7 + 3) % (n / 2)}` },
            ],
          })),
        }),
      ),
    ),
  "many JSON-LD": (n) => page(times(n, (i) => jsonLd(`{"@type":"Thing","name":"x${i}"}`))),
  "broken JSON-LD": (n) => page(jsonLd(`{"@type":"Product","name":"${'x","a":{"b":['.repeat(n)}`)),
  "Next data": (n) =>
    page(
      `<script id=__NEXT_DATA__ type=application/json>${JSON.stringify({ props: Array.from({ length: n }, (_, i) => ({ id: i, price: i, name: "x" })) })}</script>`,
    ),
  "script of braces": (n) => page(`<script>window.__STATE__=${"{".repeat(n * 5)}</script>`),
  "script of calls": (n) =>
    page(
      `<script>${'gtag("event","view_item",{"items":[{"id":1,"price":2}]});'.repeat(n / 4)}</script>`,
    ),
  "dataLayer pushes": (n) =>
    page(
      "<script>dataLayer.push({ecommerce:{detail:{products:[{id:'1',price:'2'}]}}})</script>".repeat(
        n / 2,
      ),
    ),
  images: (n) => page(times(n, (i) => `<img src=/i${i}.png alt="x ${i}">`)),
  "images alike": (n) => page("<img src=/i.png>".repeat(n)),
  srcset: (n) => page(`<img srcset="${times(n, (i) => `/i${i}.png ${i}w, `)}">`),
  pictureTags: (n) => page("<picture><source srcset=/a><img src=/b></picture>".repeat(n / 3)),
  figures: (n) => page("<figure><img src=/a><figcaption>c</figcaption></figure>".repeat(n / 3)),
  "noscript images": (n) =>
    page("<img src=/blank.gif class=lazy><noscript><img src=/b.png></noscript>".repeat(n / 3)),
  iframes: (n) => page(times(n, (i) => `<iframe src=/f${i}></iframe>`)),
  "open iframe": (n) => page(`<iframe>${"<p>x".repeat(n)}`),
  videos: (n) => page("<video><source src=/v.mp4></video>".repeat(n / 2)),
  templates: (n) => page("<template><p>x</p></template>".repeat(n / 2)),
  "open templates": (n) => page("<template>".repeat(n)),
  pre: (n) => page("<pre><code>x = 1\n</code></pre>".repeat(n / 2)),
  "pre of spans": (n) =>
    page(`<pre><code class=language-js>${"<span>x</span>\n".repeat(n)}</code></pre>`),
  "pre of backticks": (n) => page(`<pre>${"`".repeat(n)}</pre><code>${"` ``".repeat(n)}</code>`),
  code: (n) => page(`<p>${"<code>x`y</code> ".repeat(n)}`),
  math: (n) => page("<math><mi>x</mi></math>".repeat(n / 2)),
  ruby: (n) => page("<ruby>x<rt>y</ruby>".repeat(n / 2)),
  comments: (n) => page("<!-- c -->".repeat(n)),
  "comments and text": (n) => page("<!-- c -->x".repeat(n)),
  "unclosed comments": (n) => page("<!-- ".repeat(n)),
  declarations: (n) => page("<!x><?y>".repeat(n)),
  "odd ends": (n) => page("</p></b></x>".repeat(n / 3)),
  "ends of what is open": (n) =>
    page(`<div>${"<i>".repeat(400)}${"</section></b></p>".repeat(n / 3)}`),
  "custom elements": (n) => page(times(n, (i) => `<x-${i}>y</x-${i}>`)),
  "shadow roots": (n) =>
    page("<x-card><template shadowrootmode=open><p>t</p></template></x-card>".repeat(n / 3)),
  attributes: (n) => page(`<p${times(n / 2, (i) => ` a${i}=x`)}>y`),
  "attributes on all": (n) =>
    page(times(n / 20, (i) => `<p${times(20, (j) => ` data-a${j}=${i}`)}>y`)),
  "a long attribute": (n) =>
    page(
      `<p title="${"x ".repeat(n * 10)}" class="${"a ".repeat(n)}" style="${"a:b;".repeat(n)}">y`,
    ),
  "a long address": (n) => page(`<a href="/${"x/../".repeat(n)}">y</a>`),
  "signs <": (n) => page("<".repeat(n * 10)),
  "signs of Markdown": (n) => page(`<p>${"*_`[](!".repeat(n)}`),
  brackets: (n) => page(`<p>${"[".repeat(n * 5)}${"]".repeat(n * 5)}`),
  entities: (n) => page(`<p>${"&amp;&lt;&#x41;&nbsp;".repeat(n)}`),
  "broken entities": (n) => page(`<p>${"&ampx&#;&#x;&foo".repeat(n)}`),
  "one line": (n) => page(`<p>${"word ".repeat(n * 10)}`),
  "one word": (n) => page(`<p>${"x".repeat(n * 50)}`),
  spaces: (n) => page(`<p>x${" ".repeat(n * 50)}y`),
  "spaces and breaks": (n) => page(`<p>x${" \n".repeat(n * 25)}y`),
  "no-break spaces": (n) => page(`<p>x${"\u00a0".repeat(n * 10)}y`),
  "short lines": (n) => page(`<pre>${"x\n".repeat(n * 5)}</pre>`),
  digits: (n) => page(`<p>${"1".repeat(n * 10)}`),
  "digits apart": (n) => page(`<p>${"1 ".repeat(n * 10)}`),
  "digits and commas": (n) => page(`<p>${"1,1.1-".repeat(n * 3)}`),
  phones: (n) => page(times(n, (i) => `+44 20 7946 ${String(i % 10000).padStart(4, "0")} `)),
  "phones alike": (n) => page("<p>Tel: (212) 555-0100 ".repeat(n)),
  "phone links": (n) =>
    page(times(n, (i) => `<a href="tel:+4420794${String(i).padStart(6, "0")}">t</a>`)),
  prices: (n) => page(times(n, (i) => `<span class=price>$${i}.99</span> `)),
  "prices in text": (n) => page(`<p>${times(n, (i) => `$${i}.99 EUR ${i},50 £`)}`),
  "currency signs": (n) => page(`<p>${"$€£".repeat(n * 5)}`),
  emails: (n) => page(`<p>${times(n, (i) => `user${i}@mail${i % 50}.example `)}`),
  "email links": (n) => page(times(n, (i) => `<a href="mailto:u${i}@a.example">u</a>`)),
  "half emails": (n) => page(`<p>${"a@".repeat(n * 5)}`),
  "email dots": (n) => page(`<p>${"a.".repeat(n * 5)}@${"b.".repeat(n * 5)}`),
  "emails hidden": (n) => page(`<p>${"name [at] host [dot] com ( at ) ".repeat(n)}`),
  "Cloudflare emails": (n) =>
    page("<a class=__cf_email__ data-cfemail=543931142a2e>x</a>".repeat(n)),
  "social links": (n) => page(times(n, (i) => `<a href=https://twitter.com/user${i}>t</a>`)),
  addresses: (n) =>
    page(times(n, (i) => `<address>${i} Main Street, 12345 Springfield, IL</address>`)),
  "address words": (n) => page(`<p>${"12345 Musterstr. 1, 10115 Berlin ".repeat(n)}`),
  dates: (n) => page(`<p>${"12 March 2024, 2024-03-12T10:00 ".repeat(n)}`),
  "time elements": (n) => page(times(n, (i) => `<time datetime=2024-01-01>1 Jan ${i}</time>`)),
  bylines: (n) => page("<p class=byline>By Ada Lovelace</p>".repeat(n)),
  "author links": (n) => page(times(n, (i) => `<a rel=author href=/a/${i}>Ada Name</a>`)),
  "capital words": (n) => page(`<p>${"By Ada Lovelace And Bob ".repeat(n)}`),
  breadcrumbs: (n) =>
    page(`<nav class=breadcrumb>${times(n, (i) => `<a href=/b${i}>B</a> › `)}</nav>`),
  articles: (n) =>
    page(
      times(
        n / 4,
        (i) => `<article><h2><a href=/a${i}>Title ${i}</a></h2><p>${sentence}</p></article>`,
      ),
    ),
  products: (n) =>
    page(
      times(
        n / 4,
        (i) =>
          `<div class=product><a href=/p${i}>P ${i}</a><span class=price>$${i}</span><button>Add to cart</button></div>`,
      ),
    ),
  "label pairs": (n) => page(times(n / 2, (i) => `<div><b>SKU:</b> ${i}</div>`)),
  "label text": (n) => page(`<p>${"Brand: x SKU: y Price: ".repeat(n)}`),
  "header and footer": (n) =>
    page("<header>x</header><footer>© 2024 Acme Inc.</footer>".repeat(n / 2)),
  "copyright text": (n) => page(`<footer>${"© 2024 Acme Inc. All rights reserved. ".repeat(n)}`),
  "registration text": (n) =>
    page(`<p>${"VAT: DE123456789 HRB 12345 Company No. 12345678 ".repeat(n)}`),
  "canonical links": (n) => page("", "<link rel=canonical href=/x>".repeat(n)),
  "lone surrogates": (n) => page(`<p>${"&#xD800;x".repeat(n)}`),
  "rare letters": (n) => page(`<p>${"日本語のテキスト。".repeat(n)}`),
  "combining marks": (n) => page(`<p>a${"\u0301".repeat(n * 5)}`),
  "zero bytes": (n) => page(`<p>${"\0".repeat(n * 5)}`),
  "spaces in spans": (n) => page(`<p>x${"<b> </b>".repeat(n)}y`),
  "spaces in pre": (n) => page(`<pre>x${" ".repeat(n * 10)}y</pre>`),
  "tabs in pre": (n) => page(`<pre>x${"\t ".repeat(n * 5)}y</pre>`),
  "blank lines in pre": (n) => page(`<pre>x${"\n".repeat(n * 5)}y</pre>`),
  "pre of link signs": (n) => page(`<pre>${"](".repeat(n * 5)}</pre>`),
  "pre of picture signs": (n) => page(`<pre>${"![".repeat(n * 5)}</pre>`),
  "comments before the page": (n) => "<!-- c -->".repeat(n) + page("<p>x"),
  "signs < in data": (n) => page(productSaying("<".repeat(n * 10))),
  "open scripts in data": (n) => page(productSaying("<script >".repeat(n))),
  "open comments in data": (n) => page(productSaying("<!--".repeat(n))),
  "spaces in data": (n) => page(productSaying(`x${"&#32;".repeat(n)}y`)),
  "breaks in data": (n) => page(productSaying("<br ".repeat(n))),
  "a long title": (n) => page("", `<title>${"Word - Name | ".repeat(n / 4)}</title>`),
  "a long title of spaces": (n) =>
    page("", `<meta property=og:title content="x${"&nbsp; ".repeat(n)}y">`),
  "a long heading": (n) => page(`<h1>${"Word - Name | ".repeat(n / 4)}</h1>`),
  "a long description": (n) => page("", `<meta name=description content="${"word. ".repeat(n)}">`),
  "a long list of authors": (n) =>
    page("", `<meta name=author content="${"Ada Lovelace, ".repeat(n)}">`),
  "a long line of authors": (n) => page(`<p class=byline>By ${"Ada Lovelace and ".repeat(n)}</p>`),
  "a long list of keywords": (n) =>
    page("", `<meta name=keywords content="${"word, ".repeat(n)}">`),
  "a long date": (n) =>
    page("", `<meta property=article:published_time content="${"2024-01-".repeat(n)}">`),
  "a long refresh": (n) => page("", `<meta http-equiv=refresh content="0;${" ".repeat(n)} x">`),
  "a long location": (n) => page(`<script>location="${"\\a".repeat(n)}</script>`),
  "a long price": (n) => page(`<span itemprop=price class=price>${"1 ".repeat(n)}$</span>`),
  "a long type": (n) =>
    page(`<div itemscope itemtype="${"https://schema.org/Product ".repeat(n)}">x</div>`),
  "long names": (n) =>
    page(`<div class="${"a-b_cD".repeat(n)}" id="${"price-box_".repeat(n)}">x</div>`),
  "a long language": (n) => `<html lang="${"en-".repeat(n)}"><body><p>x</body></html>`,
  "a long canonical": (n) => page("", `<link rel=canonical href="/${"a/../".repeat(n)}">`),
  "a frameset": (n) => page(`<frameset>${"<frame src=/f>".repeat(n)}</frameset>`),
  "area maps": (n) => page(`<map>${times(n, (i) => `<area href=/a${i}>`)}</map>`),
}
