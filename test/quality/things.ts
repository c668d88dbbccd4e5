/**
 * Scores recipes, jobs, events, organisations and people that schemas read from real pages. The truth is a
 * page's JSON-LD or microdata, which is removed with all scripts before the page is read, so that only
 * visible text counts. Run `bun test/quality/things.ts FOLDER…` with folders of .html or .html.gz pages.
 * `--visible` keeps the data, whose values have to be returned unchanged. The sites are in two folds; the
 * second, `--held-out`, is for the final check and prints counts only. A list is right if four fifths of it
 * are the same; `words` compares its texts however they are divided.
 */

import { parseArgs } from "node:util"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { readSchema, readTyped } from "../../src/extract/typed/index.ts"

const { values: flags, positionals: folders } = parseArgs({
  args: process.argv.slice(2),
  options: {
    visible: { type: "boolean" },
    "held-out": { type: "boolean" },
    most: { type: "string" },
  },
  allowPositionals: true,
})

/** Counts of each field. */
const most = Number(flags.most ?? 6)

type Thing = Record<string, unknown>
type Take = (thing: Thing) => unknown

const text = { type: "string" }
const date = { type: "string", format: "date" }
const texts = { type: "array", items: text }
const minutes = { type: "integer" }
/** A text that contains a number. */
const many = { type: "string" }

const at =
  (...path: string[]): Take =>
  (thing) =>
    path.reduce<unknown>((value, key) => (first(value) as Thing | undefined)?.[key], thing)
const first = (value: unknown) => (Array.isArray(value) ? value[0] : value)

/** Steps, and those within sections of them. */
const steps: Take = (thing) => {
  const within = (value: unknown): unknown[] =>
    [value].flat(3).flatMap((step) => {
      const inner = (step as Thing)?.itemListElement
      if (inner) return within(inner)
      const stated = (step as Thing)?.text ?? (step as Thing)?.name ?? step
      return typeof stated === "string" ? stated.split(/\n+|<\/li>|<\/p>|<br ?\/?>/) : []
    })
  return within(thing.recipeInstructions).filter((step) => trimmed(step) !== "")
}

const lasting =
  (key: string): Take =>
  (thing) => {
    const span = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?/i.exec(String(first(thing[key]) ?? ""))
    const [days, hours, minutes] = [1, 2, 3].map((at) => Number(span?.[at] ?? 0))
    return days! * 1440 + hours! * 60 + minutes! || undefined
  }

/** Types of a page's subject, not of the organization or the person that published it. */
const subjects =
  /Article|Posting|Product|Recipe|Event|Review|Course|Book|Movie|VideoObject|FAQPage|Offer/

/** For each kind: its types, and its fields with their schema and their path in the truth. */
const kinds: Record<
  string,
  { types: RegExp; framed?: boolean; fields: Record<string, [object, Take]> }
> = {
  Recipe: {
    types: /^Recipe$/,
    fields: {
      name: [text, at("name")],
      servings: [many, at("recipeYield")],
      ingredients: [texts, at("recipeIngredient")],
      instructions: [texts, steps],
      prepTime: [minutes, lasting("prepTime")],
      cookTime: [minutes, lasting("cookTime")],
      totalTime: [minutes, lasting("totalTime")],
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

/** Returns the objects of a page whose data is in attributes, each with its own text. */
function microdataOf(document: Document): Thing[] {
  const within = (scope: Element): Thing => {
    const type = scope.getAttribute("itemtype")?.trim().split(/\s+/) ?? []
    const thing: Thing = { "@type": type.map((address) => address.split(/[/#]/).at(-1)) }
    for (const element of scope.querySelectorAll("[itemprop]")) {
      if (element.parentElement?.closest("[itemscope]") !== scope) continue
      const value = element.hasAttribute("itemscope")
        ? within(element)
        : (element.getAttribute("content") ??
          element.getAttribute("datetime") ??
          element.textContent!.trim())
      for (const name of element.getAttribute("itemprop")!.split(/\s+/)) {
        thing[name] = name in thing ? [thing[name], value].flat() : value
      }
    }
    return thing
  }
  return [...document.querySelectorAll("[itemscope]")].map(within)
}

const entities = parseDocument("<p></p>").querySelector("p")!
const decoded = (text: string) => {
  if (!text.includes("&")) return text
  entities.innerHTML = text.replaceAll("<", "&lt;")
  return entities.textContent!
}

const trimmed = (value: unknown) =>
  decoded(String(value))
    .replace(/<[^>]*>/g, " ")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

interface Count {
  right: number
  wrong: string[]
  missing: string[]
  /** Lists that may be divided differently. */
  words: number
}

const counts = new Map<string, Count>()

function score(
  kind: string,
  field: string,
  wanted: unknown,
  found: unknown,
  visible: string,
  id: string,
) {
  const form = kinds[kind]!.fields[field]![0]
  const plain = plainOf(form)
  const textsOf = (value: unknown) =>
    [value]
      .flat()
      .filter((one) => typeof one === "string" || typeof one === "number")
      .map(plain)
      .filter((one) => one !== "")
  const [known, provided] = [textsOf(wanted), textsOf(found)]
  if (known.length === 0) return
  if (form !== date && !flags.visible && !isVisible(known, visible)) return
  const key = `${kind} ${field}`
  const count = counts.get(key) ?? { right: 0, wrong: [], missing: [], words: 0 }
  counts.set(key, count)
  const reported = [known, provided].map((texts) => texts.slice(0, 2).join(" | ").slice(0, 90))
  const line = `${id}: wanted ${reported[0]}, found ${reported[1]}`
  if (provided.length === 0) count.missing.push(line)
  else if (
    form === texts ? share(known, provided) >= 0.8 : provided.some((one) => known.includes(one))
  )
    count.right++
  else if (form === texts && sameWords(known, provided)) count.words++
  else count.wrong.push(line)
}

/** Returns the part of a value to compare: a day, the numbers in a quantity, else its words. */
function plainOf(form: object): (value: unknown) => string {
  if (form === date) return (value) => String(value).slice(0, 10)
  if (form === many) return (value) => trimmed(value).match(/\d+/g)?.join(" ") ?? ""
  return trimmed
}

/** Normalizes a duration to its hours and minutes, all else to words. */
const isVisible = (known: string[], visible: string) =>
  known.every((one) =>
    /^\d+$/.test(one)
      ? [one, String(Math.trunc(Number(one) / 60)), String(Number(one) % 60)].some((number) =>
          ` ${visible} `.includes(` ${number} `),
        )
      : visible.includes(one),
  )

function sameWords(known: string[], provided: string[]): boolean {
  const [wanted, found] = [known, provided].map((texts) => texts.join(" ").split(" "))
  const left = new Map<string, number>()
  for (const word of wanted!) left.set(word, (left.get(word) ?? 0) + 1)
  let both = 0
  for (const word of found!) {
    const count = left.get(word) ?? 0
    if (count > 0) both++
    left.set(word, count - 1)
  }
  return (2 * both) / (wanted!.length + found!.length) >= 0.9
}

const share = (known: string[], provided: string[]) =>
  known.filter((one) => provided.includes(one)).length / Math.max(known.length, provided.length)

function withoutData(document: Document): void {
  for (const script of document.querySelectorAll("script")) script.remove()
  const marked = "[itemscope],[itemprop],[itemtype],[typeof],body [property]"
  for (const element of document.querySelectorAll(marked)) {
    for (const name of ["itemscope", "itemprop", "itemtype", "typeof", "property"])
      element.removeAttribute(name)
  }
}

/** Returns the page's canonical URL; its site decides its fold. */
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
    if (!/ld\+json|itemtype/.test(html)) continue
    const whole = parseDocument(html)
    const address = addressOf(whole)
    if (isHeldOut(address) !== (flags["held-out"] ?? false)) continue
    const marked = microdataOf(whole)
    const things = thingsOf(whole)
    for (const [kind, { types, fields, framed }] of Object.entries(kinds)) {
      const isKind = (thing: Thing) =>
        [thing["@type"]].flat().some((type) => types.test(String(type)))
      const own = things.filter(isKind)
      const fit = own.length > 0 ? own : marked.filter(isKind)
      if (framed && things.some((thing) => subjects.test(String(thing["@type"])))) continue
      // If there are several, the page's own would be a guess.
      if (fit.length !== 1) continue
      const document = parseDocument(html)
      if (!flags.visible) withoutData(document)
      const schema = {
        type: "object",
        title: kind,
        properties: Object.fromEntries(Object.entries(fields).map(([name, [one]]) => [name, one])),
      }
      const visible = trimmed(document.body?.textContent ?? "")
      const { data } = readTyped(document, address, readSchema(schema))
      for (const [field, [, truth]] of Object.entries(fields)) {
        score(
          kind,
          field,
          truth(fit[0]!),
          (data as Thing)[field],
          visible,
          path.split("/").slice(-3).join("/"),
        )
      }
    }
  }
}

for (const [key, { right, words, wrong, missing }] of [...counts].sort(([a], [b]) =>
  a.localeCompare(b),
)) {
  const alike = words > 0 ? `words ${words} ` : ""
  console.log(`${key} right ${right} ${alike}wrong ${wrong.length} missing ${missing.length}`)
  if (flags["held-out"]) continue
  for (const line of wrong.slice(0, most)) console.log(`  wrong ${line}`)
  for (const line of missing.slice(0, most)) console.log(`  missing ${line}`)
}
