import { expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { readSchema, readTyped } from "../../../src/extract/typed/index.ts"
import { type KindPage, kindPages } from "./kinds.ts"
import { date, integer, number, object, read, text, texts, uri } from "./read.ts"

const phone = { telephone: text, email: { type: "string", format: "email" } }
const kinds: Record<KindPage["kind"], [title: string, properties: Record<string, object>]> = {
  job: [
    "JobPosting",
    {
      title: text,
      company: text,
      location: text,
      employmentType: text,
      salary: text,
      datePosted: date,
      validThrough: date,
    },
  ],
  event: [
    "Event",
    {
      name: text,
      startDate: date,
      endDate: date,
      location: text,
      organizer: text,
      price: text,
      city: text,
    },
  ],
  organisation: [
    "Organization",
    { name: text, ...phone, streetAddress: text, postalCode: text, city: text, founded: integer },
  ],
  person: [
    "Person",
    { name: text, jobTitle: text, company: text, ...phone, birthDate: date, nationality: text },
  ],
}

test.each(kindPages)("by a schema only: $kind in $how", ({ kind, html, reported }) => {
  const [title, properties] = kinds[kind]
  const { data } = readTyped(
    parseDocument(html),
    "https://www.tarn.example/x",
    readSchema(object(properties, { title })),
  )
  expect(data).toEqual(reported)
})

test("a recipe in microformats, and its evidence", () => {
  const { data, evidence } = read(
    `<title>Home</title><div class="h-recipe constructor"><h2 class="p-name">Rye crisp</h2><ul><li class="p-ingredient">200 g rye</li>
    <li class="p-ingredient">1 egg</li></ul><div class="e-instructions">Mix. Bake.</div><time class="dt-duration" datetime="PT40M">soon</time></div>`,
    { name: text, ingredients: texts, instructions: text, total_time_minutes: integer },
  )
  expect(data).toEqual({
    name: "Rye crisp",
    ingredients: ["200 g rye", "1 egg"],
    instructions: "Mix. Bake.",
    total_time_minutes: 40,
  })
  expect(evidence.name).toEqual({ source: "microformats", at: "Recipe.name" })
})

test("an article's organisation and person are its site's and its author's, unless it is about one", () => {
  const head =
    '<meta property="og:site_name" content="Fenwick Post"><meta property="og:type" content="article"><meta name="author" content="Ida Marsh"><meta property="article:published_time" content="2026-05-04">'
  const html = `<html><head><title>Tides rise</title>${head}</head><body><h1>Tides rise</h1><p>More than ever.</p></body></html>`
  expect(read(html, { name: text }, { title: "Organization" }).data).toEqual({
    name: "Fenwick Post",
  })
  expect(read(html, { name: text }, { title: "Person" }).data).toEqual({ name: "Ida Marsh" })
  const about = html.replaceAll("Tides rise", "Olaf Breen")
  expect(read(about, { name: text }, { title: "Person" }).data).toEqual({ name: "Olaf Breen" })
})

test("lists by their class, with checked entries, before what a label has elsewhere", () => {
  const html = `<h1>Rye crisp</h1><p><b>Ingredients:</b> see below, all at hand.</p><div class="card-ingredients"><h3>Ingredients</h3>
    <ul><li><input type="checkbox" id="a"><label for="a">200 g rye</label></li><li><input type="checkbox" id="b"><label for="b">1 egg</label></li></ul></div>
    <form><label for="mail">Name</label><input id="mail"></form>`
  const { data } = read(html, { ingredients: texts }, { title: "Recipe" })
  expect(data).toEqual({ ingredients: ["200 g rye", "1 egg"] })
})

test("an organisation by its labels: its website, a number and a postal address as written", () => {
  const html = `<title>Directory</title><h1>Harbour Guild (HG)</h1>Tel: ( 33 1) 42 68 53 00,<br>E-mail: <a href="mailto:office@guild.example">office(at)guild.example</a><br>
    Website: <a href="http://www.guild.example">www.guild.example</a><br>`
  const { data } = read(
    html,
    { name: text, url: uri, telephone: text, email: text },
    { title: "Organization" },
  )
  expect(data).toEqual({
    name: "Harbour Guild (HG)",
    url: "http://www.guild.example/",
    telephone: "( 33 1) 42 68 53 00",
    email: "office@guild.example",
  })
})

test("terms of jobs and offers for skills, education and price", () => {
  const job = `<h2>Rigger</h2><strong>Desired Skills:</strong><ul><li>Knots</li><li>Splicing</li></ul><strong>Educational requirements:</strong><ul><li>None.</li></ul>`
  expect(
    read(job, { skills: texts, educationRequirements: text }, { title: "JobPosting" }).data,
  ).toEqual({ skills: ["Knots", "Splicing"], educationRequirements: "None." })
  const event = `<h1>Regatta</h1><p>Priced from: $35</p>`
  expect(read(event, { price: number }, { title: "Event" }).data).toEqual({ price: 35 })
  const offers = `<div itemscope itemtype="http://schema.org/Event"><b itemprop="name">Regatta</b><div itemprop="offers" itemscope itemtype="http://schema.org/AggregateOffer"><b itemprop="offerCount">19</b></div></div>`
  expect(read(offers, { name: text, offerCount: integer }, { title: "Event" }).data).toEqual({
    name: "Regatta",
    offerCount: 19,
  })
})
