import { describe, expect, test } from "bun:test"
import { mainContent } from "../../../src/extract/article/main-content.ts"
import { isDateLine, isLabel } from "../../../src/extract/article/text/content-lines.ts"
import { blockText, parseDocument } from "../../../src/extract/core/index.ts"
import { toMarkdown } from "../../../src/extract/markdown/index.ts"

const url = "https://site.example/a/story"
const sentence = (about: string) =>
  `The ${about} stood by the water for many years, and nobody, as far as one knows, ever asked who had put it there. `
const story = ["lamp", "crane", "bench", "tower"].map(
  (about) => `<p>${sentence(about).repeat(2)}</p>`,
)

const page = (content: string, around = "") =>
  `<html><head><title>The lamp by the water</title></head><body>
   <nav><a href=/>Home</a> <a href=/shop>Shop</a></nav>${content}${around}
   <footer>Copyright Site</footer></body></html>`

const text = (html: string) => blockText(mainContent(parseDocument(html), url).root)

describe("an article is found without the content around it", () => {
  const found = text(
    page(
      `<main><article><header><h1>The lamp by the water</h1><p class=standfirst>Who put it there, and why nobody ever asked.</p>
        <p class="byline">By Ann Lee</p><time>4 May 2021</time></header>
        <div class=ArticleBody>${story[0]}<div class="ad-slot">Advertisement</div>${story[1]}
        <p>Read more: <a href=/b>The other lamp</a></p>${story[2]}<div class=relatedPosts><h3>Related</h3><ul><li><a href=/c>A bench</a></ul></div>
        ${story[3]}<h3>More from this author</h3></div></article></main>`,
      `<div id=comments><p>${sentence("comment")}</p></div>`,
    ),
  )
  for (const about of ["lamp", "crane", "bench", "tower"]) {
    test(`it has the ${about}`, () => expect(found).toContain(`The ${about} stood`))
  }
  test("its lead comes before it", () => expect(found).toStartWith("Who put it there"))
  for (const other of ["Home", "Shop", "Ann Lee", "4 May", "Advertisement", "Read more", "Related", "A bench", "More from", "comment", "Copyright"]) {
    test(`it has no ${other}`, () => expect(found).not.toContain(other))
  } // biome-ignore format: a list reads better dense
})

describe("names do not mislead", () => {
  test("a layout named after its sidebar contains the article", () => {
    expect(
      text(page(`<div class="with-sidebar"><div class=c>${story.join("")}</div></div>`)),
    ).toContain("tower")
  })
  test("comments of code are code", () => {
    const code = '<pre><code><span class="token comment">// why</span>\nlet a</code></pre>'
    const { root } = mainContent(parseDocument(page(`<article>${story.join(code)}</article>`)), url)
    expect(toMarkdown(root, url)).toContain("```\n// why\nlet a\n```")
  })
  test("a date within a sentence stays", () => {
    const dated =
      '<p>On <span class="date">4 May</span> the lamp went out, and everybody in the town came to see it, as they had never seen it dark before.</p>'
    expect(text(page(`<article>${story.join(dated)}</article>`))).toContain("On 4 May the lamp")
  })
  test("made-up class names are ignored", () => {
    const named = story.map((one) =>
      one.replace("<p>", '<p class="tagStyle_z4kqwb-o_O-style_1tcx">'),
    )
    expect(text(page(`<article>${named.join("")}</article>`))).toContain("tower")
  })
})

describe("parts of an article stay with it", () => {
  test("the place at the beginning of a sentence", () => {
    const opening = `<p><span class="dateline">HARBOUR – </span>${sentence("ship")}</p>`
    expect(text(page(`<article>${opening}${story.join("")}</article>`))).toContain(
      "HARBOUR – The ship",
    )
  })
  test("a lead that begins like the first paragraph", () => {
    const beginning =
      "The lamp stood by the water for many years, and nobody ever asked who put it there. "
    const lead = `${beginning}${sentence("answer")}`
    expect(
      text(
        page(
          `<main><header><h1>The lamp by the water</h1><p>${lead}</p></header>
           <div class=body><p>${beginning}${sentence("opening").repeat(2)}</p>${story.join("")}</div></main>`,
        ),
      ),
    ).toStartWith(lead.trim())
  })
  test("posts that it quotes, in boxes named after their network", () => {
    const post = `<div class="social-media-embed"><blockquote class="twitter-tweet"><p>What a lamp!
      <a href="https://posts.example/1">posts.example/1</a></p>— Ann (@ann)
      <a href="https://posts.example/2">4 May</a></blockquote></div>`
    expect(text(page(`<article>${story.join(post)}</article>`))).toContain("What a lamp!")
  })
  test("its paragraphs, next to a long table", () => {
    const rows = Array.from(
      { length: 300 },
      (_, row) =>
        `<tr><td>Place number ${row}, in the north of the town<td>${sentence("row")}</tr>`,
    )
    const found = text(
      page(
        `<div itemprop=articleBody><div><div><div>${story.join("")}${story.join("")}</div></div></div>
         <div><div><div><table>${rows.join("")}</table></div></div></div></div>`,
      ),
    )
    expect(found).toContain("The tower stood")
    expect(found).toContain("Place number 299")
  })
  test("the ingredients and steps of its recipe, also in boxes of links", () => {
    const steps = ["Boil the water with the salt for a minute.", "Stir in the oats, slowly."]
    const data = {
      "@type": "Recipe",
      recipeIngredient: ["300 ml water", "1 pinch salt", "80 g oats"],
      recipeInstructions: [
        {
          "@type": "HowToSection",
          itemListElement: steps.map((step) => ({ "@type": "HowToStep", text: step })),
        },
      ],
    }
    const found = text(
      page(
        `<script type="application/ld+json">${JSON.stringify(data)}</script>
         <main><div class=c>${story.join("")}</div>
         <div class=box><div>300 ml</div><div>water</div><div>1 pinch</div><div><a href=/salt>salt</a></div>
           <div>80 g</div><div><a href=/oats>oats</a></div></div>
         <div class=promo-box>${steps.map((step) => `<div>${step}</div>`).join("")}</div></main>`,
      ),
    )
    for (const part of ["The tower stood", "salt", "oats", ...steps]) expect(found).toContain(part)
    expect(found).not.toContain("Copyright")
  })
})

describe("a page without an article keeps its content", () => {
  test("a page that is one form", () => {
    const found = text(page(`<form><table><tr><td>Lamp<td>4<tr><td>Bench<td>7</table></form>`))
    expect(found).toContain("Lamp\t4")
    expect(found).not.toContain("Shop")
  })
  test("a list of links", () => {
    const links = Array.from(
      { length: 20 },
      (_, index) => `<li><a href=/t${index}>Topic ${index}</a></li>`,
    )
    expect(text(page(`<main><h1>All topics</h1><ul>${links.join("")}</ul></main>`))).toContain(
      "Topic 19",
    )
  })
  const entries = Array.from(
    { length: 40 },
    (_, index) =>
      `<li class="offer"><header><a href=/o${index}>Lamp number ${index}</a></header>
       <div><span>made of brass</span><span>with a shade of paper</span></div><b>${index + 20} €</b>`,
  )
  const offers = page(
    `<main><div>${["Red", "Blue", "Green", "Small", "Large"].map((one) => `<a href=/f>${one}</a> `).join("")}</div>
     <section class="related-offers"><ul>${entries.join("")}</ul></section>
     <section><div><div class=about>${story.join("")}${story.join("")}</div></div></section></main>`,
  )
  test("a list of offers above a text for search engines", () => {
    const found = text(offers)
    for (const part of ["Lamp number 0", "59 €", "The tower stood"]) expect(found).toContain(part)
    for (const part of ["Copyright", "Green"]) expect(found).not.toContain(part)
  })
  test("except one that declares itself an article", () => {
    const article = offers.replace("<title>", "<meta property=og:type content=article><title>")
    expect(text(article)).toContain("The tower stood")
    expect(text(article)).not.toContain("Lamp number")
  })
  test("a short page", () => expect(text(page("<p>We are closed."))).toContain("We are closed."))
})

test("URLs are absolute, lazy images have theirs, formulas are TeX", () => {
  const { root } = mainContent(
    parseDocument(
      page(`<article>${story.join("")}<p><a href="../x">x</a><img src="data:x" data-src="/i.png">
        <math><annotation encoding="application/x-tex">a_1</annotation></math></p></article>`),
    ),
    url,
  )
  const markdown = toMarkdown(root, url)
  expect(markdown).toContain("[x](https://site.example/x)")
  expect(markdown).toContain("![](https://site.example/i.png)")
  expect(markdown).toContain("$a_1$")
})

describe("label lines", () => {
  for (const line of ["Advertisement", "Anzeige:", "Related:", "Read more: The lamp", "Lesen Sie auch: Die Lampe", "VEA TAMBIÉN: La lámpara", "Photo: Ann Lee", "FEI/Getty Images", "Crédits photos : Agence", "Auch lesen:", "Comments are closed.", "関連記事", "Follow us on Twitter", "* * *"]) {
    test(line, () => expect(isLabel(line)).toBe(true))
  } // biome-ignore format: a list reads better dense
  for (const line of ["Related works were shown in 2019 and found many friends.", "日本政府が2025年3月までに要件を満たすとした。", "Photographs of the lamp", "More light!"]) {
    test(line, () => expect(isLabel(line)).toBe(false))
  } // biome-ignore format: a list reads better dense
  test("dates", () => {
    expect(isDateLine("Published 11:11 PM EST Nov 19, 2019")).toBe(true)
    expect(isDateLine("sexta-feira, 22 de outubro de 2010 às 20:13")).toBe(true)
    expect(isDateLine("2019")).toBe(false)
    expect(isDateLine("12.5 kg")).toBe(false)
    expect(isDateLine("2025年3月期の決算を発表した")).toBe(false)
  })
})

test("empty lines of code stay if each line is an element", () => {
  const line = (text: string) => `<span class="line"><span>${text}</span><br></span>`
  const code = ["const lamp = light({", "  color: red,", "", "  height: 12,", "})"]
  const [first, ...rest] = story
  const listing = `<pre><code>${code.map(line).join("")}</code></pre>`
  const { root } = mainContent(
    parseDocument(page(`<article>${first}${listing}${rest.join("")}</article>`)),
    url,
  )
  expect(toMarkdown(root, url)).toContain(`\`\`\`\n${code.join("\n")}\n\`\`\``)
})

describe("a page that the model does not know is returned whole", () => {
  const cookies = `<div role=dialog class="ot-sdk-row"><h2>Privacy Preference Center</h2>${Array.from(
    { length: 12 },
    (_, at) =>
      `<div class=ot-acc-txt><h4>Cookies of group ${at}</h4><p>These cookies allow us to count visits of kind ${at}, so that we can measure the performance of our site and improve it. They may be set by us or by other providers.</p></div>`,
  ).join("")}</div>`
  const tiles = Array.from(
    { length: 60 },
    (_, at) => `<a href=/r/${at}><i>Sauce number ${at}</i></a>`,
  ).join("")

  test("without the settings of its cookies, which are most of its text", () => {
    const found = text(page(`<div>${tiles}</div>`, cookies))
    expect(found).toContain("Sauce number 42")
    expect(found).not.toContain("cookies")
    expect(found).not.toContain("Home")
  })

  test("with a dialog that is all of it", () => {
    expect(text(page(`<div role=dialog>${tiles}</div>`))).toContain("Sauce number 42")
  })
})

test("an article in a dialog is read, the dialog next to it is not", () => {
  const cookies = `<div role=dialog><h2>Cookies</h2>${Array.from({ length: 9 }, (_, at) => `<p>${sentence(`cookie ${at}`)}</p>`).join("")}</div>`
  const article = `<h1>The lamp by the water</h1>${story.join("")}`
  const list = `<ul>${"<li><a href=/b>Another lamp</a>".repeat(30)}</ul>`
  const found = text(page(`<main>${list}</main><div role=dialog>${article}</div>`, cookies))
  expect(found).toContain("The crane stood")
  expect(found).not.toContain("cookie")
})
