import { describe, expect, test } from "bun:test"
import { plainPages, reportedPages } from "./pages.ts"
import { date, flag, integer, list, number, object, read, text, texts, time, uri } from "./read.ts"

describe("from pages with text only", () => {
  test("a recipe", () => {
    const { data, missing, evidence } = read(plainPages.recipe, {
      name: text,
      servings: integer,
      prepTime: text,
      cook_time_minutes: integer,
      ingredients: texts,
      instructions: texts,
      image: uri,
      calories: number,
    })
    expect(data).toEqual({
      name: "Leek soup",
      servings: 4,
      prepTime: "15 min",
      cook_time_minutes: 70,
      ingredients: ["3 leeks", "1 l stock", "2 potatoes"],
      instructions: ["Wash the leeks.", "Boil all for an hour."],
      image: "https://site.test/leek.jpg",
    })
    expect(missing).toEqual(["calories"])
    expect(evidence.ingredients).toEqual({ source: "heading", at: "Ingredients" })
    expect(evidence.servings).toEqual({ source: "label", at: "Serves" })
  })

  test("an event", () => {
    const { data, missing } = read(plainPages.event, {
      name: text,
      startDate: time,
      venue: text,
      address: text,
      organizer: object({ name: text }),
      price: number,
      currency: text,
      ticketUrl: uri,
    })
    expect(data).toEqual({
      name: "Lantern walk",
      startDate: "2026-11-28T16:30:00.000Z",
      venue: "Old Mill",
      address: "4 Mill Lane, Fenwick",
      organizer: { name: "Fenwick Society" },
      price: 4.5,
      currency: "GBP",
      ticketUrl: "https://site.test/tickets/9",
    })
    expect(missing).toEqual([])
  })

  test("a job", () => {
    const { data, missing } = read(plainPages.job, {
      title: text,
      company: text,
      location: text,
      employmentType: { enum: ["FULL_TIME", "PART_TIME"] },
      salary: number,
      salaryCurrency: text,
      deadline: date,
      remote: flag,
      responsibilities: texts,
      benefits: texts,
    })
    expect(data).toEqual({
      title: "Boat builder",
      company: "Fenwick Yard",
      location: "Fenwick",
      employmentType: "FULL_TIME",
      salary: 41_000,
      salaryCurrency: "EUR",
      deadline: "2026-12-31",
      remote: false,
      responsibilities: ["Build hulls.", "Mend decks."],
    })
    expect(missing).toEqual(["benefits"])
  })

  test("an organisation", () => {
    const { data } = read(plainPages.organisation, {
      name: text,
      founded: integer,
      employees: integer,
      industry: text,
      email: { type: "string", format: "email" },
      phone: text,
      vatId: text,
      address: text,
    })
    expect(data).toEqual({
      name: "Fenwick Yard",
      founded: 1898,
      employees: 1250,
      industry: "Boats",
      email: "yard@fenwick.test",
      phone: "+44 1632 960 123",
      vatId: "GB 123 4567 89",
      address: "1 Quay Street Fenwick FE1 2QS",
    })
  })

  test("a person", () => {
    const { data } = read(plainPages.person, {
      name: text,
      jobTitle: text,
      birthDate: date,
      nationality: text,
      company: text,
      languages: texts,
    })
    expect(data).toEqual({
      name: "Ida Marsh",
      jobTitle: "Head of sails",
      birthDate: "1980-05-03",
      nationality: "Danish",
      company: "Fenwick Yard",
      languages: ["Danish", "English", "Dutch"],
    })
  })

  test("cards of a list", () => {
    const products = list({ name: text, price: number, currency: text, url: uri, weight: text })
    const { data, missing } = read(plainPages.cards, { products })
    expect(data.products).toEqual([
      { name: "Storm lamp", price: 39.9, currency: "GBP", url: "https://site.test/p/1" },
      { name: "Desk lamp", price: 24.5, currency: "GBP", url: "https://site.test/p/2" },
      { name: "Night lamp", price: 9, currency: "GBP", url: "https://site.test/p/3" },
    ])
    expect(missing).toEqual(["products[].weight"])
  })

  test("rows of a table", () => {
    const departures = list({ line: text, destination: text, departs: text, platform: integer })
    const { data } = read(plainPages.rows, { departures })
    expect(data.departures).toEqual([
      { line: "S1", destination: "Harbour", departs: "09:10", platform: 3 },
      { line: "S2", destination: "Mill", departs: "09:25", platform: 11 },
    ])
  })
})

describe("from pages with structured data", () => {
  test("a recipe among a page's other content", () => {
    const { data, evidence } = read(reportedPages.recipe, {
      title: text,
      author: text,
      prep_time: integer,
      totalTime: text,
      servings: integer,
      steps: texts,
      nutrition: object({ calories: number }),
      rating: number,
      ratingCount: integer,
      telephone: text,
    })
    expect(data).toEqual({
      title: "Leek soup",
      author: "Ida Marsh",
      prep_time: 15,
      totalTime: "PT1H25M",
      servings: 4,
      steps: ["Wash the leeks.", "Boil all."],
      nutrition: { calories: 220 },
      rating: 4.5,
      ratingCount: 12,
      // Next to its label, in the footer.
      telephone: "0800 000 000",
    })
    expect(evidence["nutrition.calories"]).toEqual({
      source: "json-ld",
      at: "Recipe.nutrition.calories",
    })
  })

  test("a job, as nested objects", () => {
    const { data, missing } = read(reportedPages.job, {
      title: text,
      company: object({ name: text, website: uri }),
      location: object({ city: text, country: text, zip: { type: ["string", "null"] } }),
      employment_type: { enum: ["full-time", "part-time"] },
      salary: object({ min: number, max: number, currency: text }),
      postedAt: date,
      validThrough: time,
      remote: flag,
    })
    expect(data).toEqual({
      title: "Boat builder",
      company: { name: "Fenwick Yard", website: "https://yard.test/" },
      location: { city: "Fenwick", country: "GB", zip: null },
      employment_type: "full-time",
      salary: { min: 38_000, max: 44_000, currency: "EUR" },
      postedAt: "2026-11-02",
      validThrough: "2026-12-31T23:59:00.000Z",
      remote: true,
    })
    expect(missing).toEqual(["location.zip"])
  })

  test("an event in microdata, within its own object", () => {
    const event = object({ name: text, starts_at: time, venue: text, city: text, price: number })
    const { data } = read(reportedPages.event, { event })
    const { evidence } = read(reportedPages.event, { name: text, starts_at: time, price: number })
    expect(evidence.price).toEqual({ source: "microdata", at: "MusicEvent.offers.price" })
    expect(data.event).toEqual({
      name: "Lantern walk",
      starts_at: "2026-11-28T16:30:00.000Z",
      venue: "Old Mill",
      city: "Fenwick",
      price: 4.5,
    })
  })

  test("a page's script data", () => {
    const related = list({ title: text, lumens: integer })
    const { data, evidence } = read(reportedPages.state, {
      title: text,
      lumens: integer,
      batteryHours: integer,
      waterproof: flag,
      related,
    })
    expect(data).toEqual({
      title: "Storm lamp",
      lumens: 450,
      batteryHours: 12,
      waterproof: true,
      related: [
        { title: "Desk lamp", lumens: 300 },
        { title: "Night lamp", lumens: 20 },
      ],
    })
    expect(evidence.lumens).toEqual({ source: "state", at: "state.lumens" })
  })
})

describe("by hints", () => {
  test("selectors, also within the entries that one names", () => {
    const { data, evidence } = read(plainPages.cards, {
      heading: { type: "string", "x-selector": "h1" },
      absent: { type: "string", "x-selector": ".nowhere" },
      cards: {
        type: "array",
        "x-selector": ".card",
        items: object({
          label: { type: "string", "x-selector": "h3" },
          image: { ...uri, "x-selector": "img @src" },
        }),
      },
      addresses: { type: "array", items: uri, "x-selector": ".card a @href", maxItems: 2 },
    })
    expect(data.heading).toBe("Lamps")
    expect(data).not.toHaveProperty("absent")
    expect((data.cards as object[])[1]).toEqual({
      label: "Desk lamp",
      image: "https://site.test/p/2.jpg",
    })
    expect(data.addresses).toEqual(["https://site.test/p/1", "https://site.test/p/2"])
    expect(evidence.heading).toEqual({ source: "selector", at: "h1" })
  })

  test("paths of JSON-LD and words of labels", () => {
    const reported = read(reportedPages.job, {
      who: { type: "string", "x-jsonld": "JobPosting.hiringOrganization.name" },
      least: { type: "number", "x-jsonld": "baseSalary.value.minValue" },
      other: { type: "string", "x-jsonld": "Event.name" },
    })
    expect(reported.data).toEqual({ who: "Fenwick Yard", least: 38_000 })
    const { data } = read(plainPages.organisation, {
      crew: { type: "integer", "x-labels": ["Employees"] },
    })
    expect(data).toEqual({ crew: 1250 })
  })

  test("references, alternatives and null", () => {
    const { data } = read(
      plainPages.job,
      { where: { $ref: "#/$defs/Place" }, title: { anyOf: [text, { type: "null" }] } },
      { $defs: { Place: { type: "string", "x-labels": ["Location"] } } },
    )
    expect(data).toEqual({ where: "Fenwick", title: "Boat builder" })
  })
})

test("values that a page lacks are missing, never guessed", () => {
  const { data, missing } = read(plainPages.person, {
    price: number,
    startDate: date,
    available: flag,
    nickname: { type: ["string", "null"] },
    awards: texts,
    address: object({ city: text }),
  })
  expect(data).toEqual({ nickname: null })
  expect(missing).toEqual(["price", "startDate", "available", "nickname", "awards", "address"])
})

test("menus are not lists of goods, and forms have no values", () => {
  const products = list({ name: text, price: number, url: uri })
  const { data } = read(plainPages.menu, { products, phone: text, city: text, email: text })
  expect(data).toEqual({ phone: "0800 000 000" })
  const { data: links } = read(plainPages.menu, { sections: list({ name: text, url: uri }) })
  expect(links.sections).toHaveLength(3)
})

test("the one phone number or email address of links, and none if there are several", () => {
  const links = (...addresses: string[]) =>
    `<p>Reach us</p>${addresses.map((address) => `<a href="${address}">here</a>`).join(" ")}`
  const requested = { name: text, telephone: text, email: { type: "string", format: "email" } }
  const one = links(
    "tel:+44%201632-960123",
    "TEL:+441632960123",
    "mailto:Yard@fenwick.test?subject=a",
  )
  const { data, missing } = read(one, requested, { title: "Organization" })
  expect(data).toMatchObject({ telephone: "+44 1632-960123", email: "Yard@fenwick.test" })
  expect(missing).not.toContain("telephone")
  const several = links(
    "tel:1632960123",
    "tel:1632960124",
    "mailto:?body=x",
    "mailto:a@b.test",
    "mailto:c@b.test",
  )
  expect(read(several, requested).missing).toEqual(expect.arrayContaining(["telephone", "email"]))
})

test("lines in bold are headings, and rows of an amount and what it is of are entries", () => {
  const requested = { ingredients: texts, instructions: texts }
  const bold = `<h1>Bhindi</h1><p><b>Ingredients</b></p><ul><li>200 g okra</li><li>1 onion</li></ul>
    <p><strong>Method</strong></p><ol><li>Wash.</li><li>Fry.</li></ol>`
  expect(read(bold, requested, { title: "Recipe" }).data).toEqual({
    ingredients: ["200 g okra", "1 onion"],
    instructions: ["Wash.", "Fry."],
  })
  const rows = `<h1>Cake</h1><h2>Ingredients</h2><table>
    <tr><td>135 g</td><td>butter</td></tr><tr><td>3</td><td>eggs</td></tr></table><h2>Method</h2><p>Stir.</p>`
  expect(read(rows, requested, { title: "Recipe" }).data).toMatchObject({
    ingredients: ["135 g butter", "3 eggs"],
  })
})

describe("values next to others in a line, in lists, or of other kinds", () => {
  const prose = "The banks will pay, he said, and so they did. ".repeat(20)

  test("an organisation has its own address by its label, and never that of the page", () => {
    const page = (link: string) =>
      `<title>Partners</title><div>Google.org (GOOG) Contact: <div>Main address: 38 avenue Opera</div>
      Tel: ( 33 1) 42 68 53 00, Fax: ( 33 1) 42 68 53 01, ${link}</div>`
    const fields = { url: uri, telephone: text }
    const kind = { title: "Organization" }
    const linked = read(page('URL: <a href="http://www.google.org/">here</a>'), fields, kind)
    expect(linked.data).toEqual({
      url: "http://www.google.org/",
      telephone: "( 33 1) 42 68 53 00",
    })
    expect(read(page(""), fields, kind).missing).toEqual(["url"])
  })

  test("a URL is not a name", () => {
    const { data } = read(
      `<article itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">Banks</h1>
      <a itemprop="author" class="fig-auteur" href="#auteur"><span class="fig-auteur-nom">Bertille Bayart</span></a><p>${prose}</p></article>`,
      { author: text },
    )
    expect(data).toEqual({ author: "Bertille Bayart" })
  })

  test("a list is its entries, marked as a whole or below a label; a title is the first heading", () => {
    const fields = { title: text, responsibilities: texts, skills: texts }
    const kind = { title: "JobPosting" }
    const entries = (marks: string) =>
      `<ul${marks}><li>Design</li><li>Review requirements</li></ul>`
    const expected = {
      title: "Engineer",
      responsibilities: ["Design", "Review requirements"],
      skills: ["Design", "Review requirements"],
    }
    const marked = `<div itemscope itemtype="https://schema.org/JobPosting"><h2 itemprop="title">Engineer</h2>${entries(' itemprop="responsibilities"')}${entries(' itemprop="skills"')}</div>`
    expect(read(marked, fields, kind).data).toEqual(expected)
    const reported = `<title>Jobs at ABC</title><h2>Engineer</h2><p><strong>Responsibilities:</strong></p>${entries("")}<p><strong>Skills:</strong></p>${entries("")}`
    expect(read(reported, fields, kind).data).toEqual(expected)
  })

  test("a recipe keeps salt twice, and its copy for print is dropped", () => {
    const entries = ["1 leek", "salt", "2 eggs", "3 carrots", "1 l stock", "salt"]
    const page = (list: string[]) =>
      `<h1>Soup</h1><h2>Ingredients</h2><ul>${list.map((one) => `<li>${one}</li>`).join("")}</ul>`
    const data = JSON.stringify({ "@type": "Recipe", recipeIngredient: entries })
    const json = `<script type="application/ld+json">${data}</script>`
    for (const html of [page(entries), json]) {
      expect(read(html, { ingredients: texts }).data).toEqual({ ingredients: entries })
    }
    const twice = read(page([...entries, ...entries]), { ingredients: texts }).data
    expect(twice.ingredients).toHaveLength(5)
  })
})

test.each([
  ["Written by Ada Byron", "Ada Byron"],
  ["By Ada Byron | May 5, 2024 -- 19:14 GMT | Topic: Hardware", "Ada Byron"],
  ["Ada Byron 27/09/2018 2 comments", "Ada Byron"],
  ["Ada Byron Updated Mar 12, 2020 @ 10:42 am", "Ada Byron"],
  ["von Ada Byron am 29. Mai 2017, 14:14 Uhr", "Ada Byron"],
  ["Ada Byron Ada Byron is a reporter for the Morning Post.", "Ada Byron"],
  ["Ada Byron - 11", "Ada Byron"],
  ["Ada Byron@adabyron", "Ada Byron"],
  ["Ada Byron and George Gordon", "Ada Byron and George Gordon"],
  ["Jean-Luc de la Tour", "Jean-Luc de la Tour"],
  ["20 Nov 2019 08:00 GMT", undefined],
  ["Recent Posts", undefined],
])("the author in the byline %p", (byline, author) => {
  const html = `<h1>Kites over the sea</h1><div class="author">${byline}</div><p>Text.</p>`
  expect(read(html, { author: text }).data.author).toBe(author)
})

test("ratings and their number by the words next to the stars, not those of the shop or of a slide show", () => {
  const html = `<header><a title="4.1 out of 5 stars, 9,000 reviews">Our shop</a></header>
    <h1>Lamp</h1><span class="slide review" aria-label="1 of 5"></span>
    <div class="stars" aria-label="4,7 out of 5 stars"></div><a class="reviews">1,234 reviews</a>`
  const { data, evidence } = read(html, { rating: number, reviewCount: integer })
  expect(data).toEqual({ rating: 4.7, reviewCount: 1234 })
  expect(evidence.rating).toEqual({ source: "block", at: "rating" })
})

test("the image is one of the subject, not a portrait, an icon or a placeholder", () => {
  const html = `<img src="/logo.png"><h1>Red kites over the sea</h1>
    <div class="author"><img src="/ada.jpg"></div><img src="false"><img src="/dot.jpg" width="20">
    <img src="/other.jpg" alt="A boat"><img src="/big.jpg" alt="Two red kites">`
  expect(read(html, { image: uri }).data.image).toBe("https://site.test/big.jpg")
  expect(read(html.replace("Two red kites", ""), { image: uri }).data.image).toBe(
    "https://site.test/other.jpg",
  )
})

test("the description is the summary below the heading, else the first paragraph, never a menu", () => {
  const menu = "<h4>About</h4><ul><li>Team</li><li>Jobs</li><li>Press and media relations</li></ul>"
  const paragraph =
    "Red kites have returned to the coast, where people had not seen them for a century."
  const html = `<h1>Kites</h1>%<p>By Ada</p><p>${paragraph}</p>${menu}`
  const described = (more: string) => read(html.replace("%", more), { description: text }).data
  expect(described("")).toEqual({ description: paragraph })
  const summary = "They are back on the coast, and people like to see them."
  expect(described(`<p class="standfirst">${summary}</p>`)).toEqual({ description: summary })
})
