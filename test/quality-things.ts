/**
 * Scores what schemas alone read of recipes, jobs, events, organisations and people on real pages: the
 * truth is a page's JSON-LD, which is taken away, with all microdata, before the page is read. Only what the
 * page shows in words counts. `bun test/quality-things.ts FOLDER…`; folders of pages, .html or .html.gz.
 * `--shown` leaves the data where it is: what it says has to come out as it is. Sites are in two folds, of
 * which the second, `--held-out`, is for the last look.
 */

import { parseArgs } from "node:util"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../src/engine/http/charset.ts"
import { parseDocument } from "../src/extract/core/index.ts"
import { readSchema, readTyped } from "../src/extract/typed/index.ts"

const { values: flags, positionals: folders } = parseArgs({
  args: process.argv.slice(2),
  options: { shown: { type: "boolean" }, "held-out": { type: "boolean" } },
  allowPositionals: true,
})

type Thing = Record<string, unknown>
type Take = (thing: Thing) => unknown

const text = { type: "string" }
const date = { type: "string", format: "date" }
const texts = { type: "array", items: text }

const at =
  (...path: string[]): Take =>
  (thing) =>
    path.reduce<unknown>((value, key) => (first(value) as Thing | undefined)?.[key], thing)
const first = (value: unknown) => (Array.isArray(value) ? value[0] : value)

const steps: Take = (thing) =>
  [thing.recipeInstructions].flat(3).map((step) => (step as Thing)?.text ?? step)

/** What a page is about rather than the organisation or the person that made it. */
const subjects =
  /Article|Posting|Product|Recipe|Event|Review|Course|Book|Movie|VideoObject|FAQPage|Offer/

/** Of each kind: the types that are it, and its fields with their schema and where the truth has them. */
const kinds: Record<
  string,
  { types: RegExp; framed?: boolean; fields: Record<string, [object, Take]> }
> = {
  Recipe: {
    types: /^Recipe$/,
    fields: {
      name: [text, at("name")],
      servings: [text, at("recipeYield")],
      ingredients: [texts, at("recipeIngredient")],
      instructions: [texts, steps],
    },
  },
  JobPosting: {
    types: /^JobPosting$/,
    fields: {
      title: [text, at("title")],
      company: [text, at("hiringOrganization", "name")],
      location: [text, at("jobLocation", "address", "addressLocality")],
      datePosted: [date, at("datePosted")],
      employmentType: [text, at("employmentType")],
    },
  },
  Event: {
    types: /Event$/,
    fields: {
      name: [text, at("name")],
      startDate: [date, at("startDate")],
      location: [text, at("location", "name")],
      organizer: [text, at("organizer", "name")],
    },
  },
  Organization: {
    framed: true,
    types: /^(?:Organization|LocalBusiness|Corporation|Restaurant|Hotel|Store|[A-Z]\w+Business)$/,
    fields: {
      name: [text, at("name")],
      telephone: [text, at("telephone")],
      email: [text, at("email")],
      streetAddress: [text, at("address", "streetAddress")],
      postalCode: [text, at("address", "postalCode")],
      city: [text, at("address", "addressLocality")],
    },
  },
  Person: {
    framed: true,
    types: /^Person$/,
    fields: {
      name: [text, at("name")],
      jobTitle: [text, at("jobTitle")],
      birthDate: [date, at("birthDate")],
      nationality: [text, at("nationality", "name")],
    },
  },
}

function thingsOf(document: Document): Thing[] {
  const things: Thing[] = []
  const take = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) take(one)
    else if (value && typeof value === "object") {
      const thing = value as Thing
      if ("@type" in thing) things.push(thing)
      take(thing["@graph"])
      take(thing.mainEntity)
    }
  }
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      take(JSON.parse(script.textContent!))
    } catch {
      // Broken: no truth.
    }
  }
  return things
}

const bare = (value: unknown) =>
  String(value)
    .replace(/<[^>]*>/g, " ")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

interface Count {
  right: number
  wrong: string[]
  missing: string[]
}

const counts = new Map<string, Count>()

function score(
  kind: string,
  field: string,
  wanted: unknown,
  found: unknown,
  shown: string,
  id: string,
) {
  const values = [wanted]
    .flat()
    .filter((value) => typeof value === "string" || typeof value === "number")
  const isDate = kinds[kind]!.fields[field]![0] === date
  const known = values.map((value) => (isDate ? String(value).slice(0, 10) : bare(value)))
  if (
    known.length === 0 ||
    known[0] === "" ||
    (!isDate && !flags.shown && !known.every((one) => shown.includes(one)))
  )
    return
  const key = `${kind} ${field}`
  const count = counts.get(key) ?? { right: 0, wrong: [], missing: [] }
  counts.set(key, count)
  const given =
    found === undefined || found === null
      ? null
      : [found].flat().map((one) => (isDate ? String(one).slice(0, 10) : bare(one)))
  const line = `${id}: wanted ${known.slice(0, 2).join(" | ").slice(0, 90)}, found ${given?.slice(0, 2).join(" | ").slice(0, 90)}`
  if (given === null || given.length === 0) count.missing.push(line)
  else if (
    kinds[kind]!.fields[field]![0] === texts
      ? share(known, given) >= 0.8
      : given.some((one) => known.includes(one))
  )
    count.right++
  else count.wrong.push(line)
}

const share = (known: string[], given: string[]) =>
  known.filter((one) => given.includes(one)).length / Math.max(known.length, given.length)

function withoutData(document: Document): void {
  for (const script of document.querySelectorAll('script[type*="json"]')) script.remove()
  const marked = "[itemscope],[itemprop],[itemtype],[typeof],[property]"
  for (const element of document.querySelectorAll(marked)) {
    for (const name of ["itemscope", "itemprop", "itemtype", "typeof"])
      element.removeAttribute(name)
  }
}

/** The address that a page gives itself; its site decides in which fold it is. */
function addressOf(document: Document): string {
  const own =
    document.querySelector("link[rel=canonical]")?.getAttribute("href") ??
    document.querySelector('meta[property="og:url"]')?.getAttribute("content")
  return (own && URL.parse(own)?.href) || "https://page.example/"
}

const isHeldOut = (address: string) =>
  new Bun.CryptoHasher("md5").update(new URL(address).host.replace(/^www\./, "")).digest()[0]! %
    2 ===
  1

for (const folder of folders) {
  for (const path of new Bun.Glob("**/*.{html,html.gz}").scanSync({
    cwd: folder,
    absolute: true,
  })) {
    const stored = await Bun.file(path).bytes()
    const html = decodeBody(path.endsWith(".gz") ? gunzipSync(stored) : stored, "text/html")
    if (!html.includes("ld+json")) continue
    const whole = parseDocument(html)
    const address = addressOf(whole)
    if (isHeldOut(address) !== (flags["held-out"] ?? false)) continue
    const things = thingsOf(whole)
    for (const [kind, { types, fields, framed }] of Object.entries(kinds)) {
      const fit = things.filter((thing) =>
        [thing["@type"]].flat().some((type) => types.test(String(type))),
      )
      if (framed && things.some((thing) => subjects.test(String(thing["@type"])))) continue
      // Of several, which one is the page's would be a guess.
      if (fit.length !== 1) continue
      const document = parseDocument(html)
      if (!flags.shown) withoutData(document)
      const schema = {
        type: "object",
        title: kind,
        properties: Object.fromEntries(Object.entries(fields).map(([name, [one]]) => [name, one])),
      }
      const shown = bare(document.body?.textContent ?? "")
      const { data } = readTyped(document, address, readSchema(schema))
      for (const [field, [, truth]] of Object.entries(fields)) {
        score(
          kind,
          field,
          truth(fit[0]!),
          (data as Thing)[field],
          shown,
          path.split("/").slice(-3).join("/"),
        )
      }
    }
  }
}

for (const [key, { right, wrong, missing }] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`${key} right ${right} wrong ${wrong.length} missing ${missing.length}`)
  for (const line of wrong.slice(0, 6)) console.log(`  wrong ${line}`)
  for (const line of missing.slice(0, 4)) console.log(`  missing ${line}`)
}
