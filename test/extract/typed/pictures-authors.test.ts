import { expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { authorLinks, bylines } from "../../../src/extract/typed/near-heading.ts"
import { nameInByline } from "../../../src/extract/typed/people.ts"
import { Visible } from "../../../src/extract/typed/shown.ts"
import { read, text, uri } from "./read.ts"

const pin = (picture: string, page = "https://site.test/x") =>
  `<a href="https://www.pinterest.com/pin/create/button/?url=${encodeURIComponent(page)}&amp;media=${encodeURIComponent(picture)}">Pin</a>`
const heading = "<h1>Red kites over the sea</h1>"
const boat = '<img src="/boat.jpg" alt="A boat">'
const kite = "https://site.test/kite.jpg"

test.each<[what: string, html: string, image: string]>([
  ["a link to Pinterest for this page", `${heading}${boat}${pin(kite)}`, kite],
  [
    "not for another page",
    `${heading}${boat}${pin(kite, "https://site.test/other")}`,
    "https://site.test/boat.jpg",
  ],
  [
    "not of a page with several",
    `${heading}${boat}${pin(kite)}${pin("https://site.test/gull.jpg")}`,
    "https://site.test/boat.jpg",
  ],
  [
    "not of a host that only has its name",
    `${heading}${boat}${pin(kite).replace("www.pinterest.com", "pinterest.com.evil.example")}`,
    "https://site.test/boat.jpg",
  ],
  [
    "a button of a plug-in",
    `${heading}${boat}<ul><li class="pinterest" data-media="${kite}"></li></ul>`,
    kite,
  ],
  [
    "the whole picture of a smaller copy",
    `${heading}<img src="/boat-320.jpg" data-pin-media="/boat.jpg">`,
    "https://site.test/boat.jpg",
  ],
  [
    "a picture behind the heading",
    `<div style="color: red; background-image: url('/kite.jpg')">${heading}</div>${boat}`,
    kite,
  ],
  [
    "a picture behind an empty element above the heading",
    `<div style="background: url(/kite.jpg) center"></div>${heading}${boat}`,
    kite,
  ],
  [
    "not one behind another part of the page",
    `${heading}${boat}<div style="background-image:url(/kite.jpg)">More</div>`,
    "https://site.test/boat.jpg",
  ],
  [
    "the picture of which a resizer makes a smaller copy",
    `${heading}<img src="/_next/image?url=%2Fkite.jpg&amp;w=640&amp;q=75">`,
    kite,
  ],
  ["an image of AMP", `${heading}<amp-img src="/kite.jpg"></amp-img>`, kite],
  [
    "no link of a menu",
    `<ul><li>Photos: <a href="/photos">Photos</a></li></ul>${heading}${boat}`,
    "https://site.test/boat.jpg",
  ],
])("the image of a page's subject: %s", (_, html, image) => {
  expect(read(html, { image: uri }).data.image).toBe(image)
})

test.each([
  ["Marcus De GuzmanView all posts", "Marcus De Guzman"],
  ["Carla Chevez Actualizado el 3/5/2024", "Carla Chevez"],
  ["Folge Oliver Baroni", "Oliver Baroni"],
  ["McView Smith", "McView Smith"],
  ["innen", undefined],
])("the name in the byline %s", (byline, name) => {
  expect(nameInByline(byline)).toBe(name)
})

test("the author is not the reviewer, nor the page's heading", () => {
  const html = `${heading}<p>Reviewed by: Ada Byron</p><p>Written by: Grace Hopper</p>`
  expect(read(html, { author: text, reviewer: text }).data).toEqual({
    author: "Grace Hopper",
    reviewer: "Ada Byron",
  })
})

const card = '<h3><a href="/other">Gulls</a></h3><a href="/author/grace-hopper">Grace Hopper</a>'
test.each<[what: string, html: string, author: string | undefined]>([
  [
    "a link to the author's page",
    `${heading}<div><a href="/author/ada-byron">Ada Byron, Editor</a></div>${card}`,
    "Ada Byron",
  ],
  [
    "in another language, above the heading",
    `<div><a href="/autor/ada-byron_7617">Ada Byron</a></div>${heading}`,
    "Ada Byron",
  ],
  [
    "not to a list of authors",
    `${heading}<div><a href="/authors/">All authors</a></div>`,
    undefined,
  ],
  ["a line that begins with by", `${heading}<div>by News Desk</div><p>Kites fly.</p>`, "News Desk"],
  ["a line with its day", `<div>Von Ada van Byron | 3. Mai 2024</div>${heading}`, "Ada van Byron"],
  ["no sentence", `${heading}<div>By Monday the red kites were gone again</div>`, undefined],
])("the author next to the heading: %s", (_, html, author) => {
  expect(read(html, { author: text }).data.author).toBe(author)
})

test("a code ends before the next label on its line", () => {
  const sold = `<h1>Boots</h1><p>SKU: <b>zero-42</b> Categories: Boots, Shoes Tags: Men</p>`
  expect(read(sold, { sku: text }).data.sku).toBe("zero-42")
})

test("only links and lines next to the heading name its author", () => {
  const near = (html: string) => {
    const visible = new Visible(parseDocument(html).body, "https://site.test/x")
    return [...authorLinks("author", visible), ...bylines("author", visible)].map(({ raw }) => raw)
  }
  expect(near(`${heading}${card}`)).toEqual(["Grace Hopper"])
  expect(near(`${heading}<p>${"Kites fly. ".repeat(200)}</p>${card}`)).toEqual([])
  expect(near(`${heading}<div>By Ada Byron</div>`)).toEqual(["By Ada Byron"])
  expect(near(`${heading}<div>by popular demand</div>`)).toEqual([])
})
