import { describe, expect, test } from "bun:test"
import { elementsNamed, elementsWhere, parseDocument } from "../../../src/extract/core/index.ts"
import { factOf, indexPage } from "../../../src/extract/core/page-index.ts"
import { selectorKeys } from "../../../src/extract/core/selector-keys.ts"

const html = `<!doctype html><head><title>T</title><meta name=a content=b><base href=/x/>
  <body class=page><article id=one><h1>H</h1><p class="lead big">P <a rel=author href=/a>A</a></p>
  <template><a rel=author href=/t>no</a><p>no</p></template>
  <ul><li>1<li class="big  big
  x">2<li id=ø class=ø>3</ul><time datetime=2024>t</time><svg><title>S</title></svg></article>
  <script src=x></script><script>y</script>`

const selectors = [
  "a",
  "A[REL=author]",
  "p, li, a",
  ".big",
  "#one",
  "li.big, p.lead",
  ".lead.big, .none, .BIG",
  "#two, p#three, article#one, #one[class]",
  ".big:first-child",
  ".big a, ul > .big",
  "#ø, .ø",
  "article a[href]",
  "a[rel~=author][href], p[class]",
  "A[HREF]",
  "article > time[datetime], main time",
  "h1 + p a",
  "h1 ~ ul > li",
  "[class], [id], [rel]",
  "meta[name=a i]",
  '[content="b"], [rel~=author]',
  "script:not([src])",
  "ul li:first-child",
  "*",
  "body",
  "head",
  "nothing",
  '[href="/a,b > c"], [data-x="]"]',
]

describe("an indexed page", () => {
  for (const part of ["document", "body", "head", "documentElement"] as const) {
    test(`is searched like any other: ${part}`, () => {
      const [plain, indexed] = [parseDocument(html), parseDocument(html)]
      indexPage(indexed)
      const root = (page: Document) => (part === "document" ? page : page[part])
      const texts = (found: Iterable<Element>) => [...found].map((element) => element.outerHTML)
      for (const selector of selectors) {
        const all = texts(root(indexed).querySelectorAll(selector))
        expect(all, selector).toEqual(texts(root(plain).querySelectorAll(selector)))
        expect(root(indexed).querySelector(selector)?.outerHTML, selector).toBe(all[0])
      }
      for (const name of ["a", "title", "p", "nothing"]) {
        const found = texts(elementsNamed(root(indexed), name))
        expect(found).toEqual(texts(elementsNamed(root(plain), name)))
        expect(found).toEqual(
          texts(elementsWhere(root(indexed), (element) => element.localName === name)),
        )
      }
    })
  }

  const changes: Record<string, (page: Document) => void> = {
    "an element is added": (page) => page.body.append(page.createElement("a")),
    "an element is removed": (page) => page.querySelector("p")!.remove(),
    "an attribute is set": (page) => page.querySelector("p")!.setAttribute("rel", "x"),
    "an attribute is removed": (page) => page.querySelector("a")!.removeAttribute("rel"),
    "a text is set": (page) => {
      page.querySelector("article")!.textContent = ""
    },
    "elements are replaced": (page) => page.body.replaceChildren(),
  }
  for (const [name, change] of Object.entries(changes)) {
    test(`loses its index when ${name}`, () => {
      const page = parseDocument(html)
      const index = indexPage(page)
      let found = 0
      const find = () => factOf(page, find, () => ++found)
      expect([find(), find()]).toEqual([1, 1])
      change(page)
      expect(find()).toBe(2)
      expect(indexPage(page)).not.toBe(index)
      for (const selector of ["p", "a", "[rel]"]) {
        const copy = page.cloneNode(true) as Document
        expect(page.querySelectorAll(selector)).toHaveLength(copy.querySelectorAll(selector).length)
      }
    })
  }

  test("keeps its index when a copy of it is cut down", () => {
    const page = parseDocument(html)
    const index = indexPage(page)
    const copy = page.cloneNode(true) as Document
    expect(copy.toString()).toBe(page.toString())
    copy.querySelector("article")!.remove()
    copy.body.setAttribute("class", "x")
    expect(indexPage(page)).toBe(index)
    expect(page.querySelectorAll("p")).toHaveLength(1)
  })

  test("selectors without conditions on an element are left to a walk", () => {
    expect(selectorKeys("a, *")).toBeNull()
    expect(selectorKeys("li:not(.x)")).toBeNull()
    expect(selectorKeys("nav, .a > p[b], [c]")?.map(({ value }) => value)).toEqual([
      "nav",
      "p",
      "c",
    ])
    expect(selectorKeys("a[b='[c]'][D], e[f=g]")?.map(({ attribute }) => attribute)).toEqual([
      "d",
      undefined,
    ])
    expect(selectorKeys("p#a, .b.c")?.map(({ kind, value }) => `${kind} ${value}`)).toEqual([
      "id a",
      "class b",
    ])
  })
})
