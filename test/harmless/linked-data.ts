import { withScripts } from "./tags.ts"

/** Changes to the data in a page that keep its meaning in the vocabulary. */

type Json = Record<string, unknown>

const isLinkedData = (attributes: string) => /application\/ld\+json/i.test(attributes)
const isJson = (attributes: string) => /application\/json/i.test(attributes)

/** Changes and serializes the data of a script; a script that is not JSON stays. */
function withData(
  html: string,
  isMeant: (attributes: string) => boolean,
  change: (data: unknown) => unknown,
  write = JSON.stringify as (data: unknown) => string,
) {
  return withScripts(html, isMeant, (content) => {
    let data: unknown
    // Longer numbers are rounded when they are read.
    if (/\d{16}/.test(content)) return content
    try {
      data = JSON.parse(content)
    } catch {
      return content
    }
    return write(change(data)).replaceAll("</", "<\\/")
  })
}

/** Applies a change to every object, the innermost first. */
function eachObject(data: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(data)) return data.map((one) => eachObject(one, change))
  if (typeof data !== "object" || data === null) return data
  return change(
    Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, eachObject(value, change)]),
    ),
  )
}

const linked = (change: (object: Json) => Json) => (html: string) =>
  withData(html, isLinkedData, (data) => eachObject(data, change))

const written = (change: (content: string) => string) => (html: string) =>
  withScripts(html, isLinkedData, change)

/** Properties whose values are numbers in the vocabulary. */
const numeric =
  /^(?:price|lowPrice|highPrice|ratingValue|bestRating|worstRating|ratingCount|reviewCount|offerCount|position|latitude|longitude|wordCount|numberOfItems)$/
const inNumbers = (change: (value: unknown) => unknown) =>
  linked((object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        numeric.test(key) ? change(value) : value,
      ]),
    ),
  )

const before = (block: string) => (html: string) =>
  html.replace(
    /<script\b[^>]*application\/ld\+json/i,
    (script) => `<script type="application/ld+json">${block}</script>${script}`,
  )

const schemaContext = (context: unknown) =>
  typeof context === "string" && /schema\.org/.test(context)

export const data = {
  "linked data in a list": (html: string) =>
    withData(html, isLinkedData, (one) => (Array.isArray(one) ? one : [one])),
  "linked data in a graph": (html: string) =>
    withData(html, isLinkedData, (one) => {
      if (typeof one !== "object" || one === null || Array.isArray(one) || "@graph" in one)
        return one
      const { "@context": context, ...node } = one as Json
      return { "@context": context, "@graph": [node] }
    }),
  "types as lists": linked((object) =>
    typeof object["@type"] === "string" ? { ...object, "@type": [object["@type"]] } : object,
  ),
  "types as addresses": linked((object) =>
    typeof object["@type"] === "string" && /^[A-Z]\w+$/.test(object["@type"])
      ? { ...object, "@type": `http://schema.org/${object["@type"]}` }
      : object,
  ),
  "keys reversed": linked((object) => Object.fromEntries(Object.entries(object).toReversed())),
  "context with a slash": linked((object) =>
    schemaContext(object["@context"]) ? { ...object, "@context": "http://schema.org/" } : object,
  ),
  "context as a list": linked((object) =>
    schemaContext(object["@context"])
      ? { ...object, "@context": ["https://schema.org", { x: "https://x.example/" }] }
      : object,
  ),
  "context as a vocabulary": linked((object) =>
    schemaContext(object["@context"])
      ? { ...object, "@context": { "@vocab": "https://schema.org/" } }
      : object,
  ),
  "numbers as texts": inNumbers((value) => (typeof value === "number" ? String(value) : value)),
  "texts as numbers": inNumbers((value) =>
    typeof value === "string" && /^\d{1,9}(?:\.\d+)?$/.test(value) ? Number(value) : value,
  ),
  "lists of one": linked((object) =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => [
        key,
        /^(?:offers|author|review|image|brand)$/.test(key) &&
        value !== null &&
        !Array.isArray(value)
          ? [value]
          : value,
      ]),
    ),
  ),
  "schema.org by http": (html: string) =>
    html.replace(/https:\/\/schema\.org\//g, "http://schema.org/"),
  "schema.org by https": (html: string) =>
    html.replace(/http:\/\/schema\.org\//g, "https://schema.org/"),
  "slashes escaped": written((content) => content.replace(/(?<!\\)\//g, "\\/")),
  "letters escaped": (html: string) =>
    withScripts(
      html,
      (attributes) => isLinkedData(attributes) || isJson(attributes),
      (content) =>
        content.replace(
          /[\u0080-\uffff]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
        ),
    ),
  "data on many lines": (html: string) =>
    withData(
      html,
      (attributes) => isLinkedData(attributes) || isJson(attributes),
      (one) => one,
      (one) => `\n${JSON.stringify(one, null, 2)}\n`,
    ),
  "data's slashes by number": (html: string) =>
    withData(
      html,
      isJson,
      (one) => one,
      (one) => JSON.stringify(one).replaceAll("/", "\\u002F"),
    ),
  "data's keys reversed": (html: string) =>
    withData(html, isJson, (one) =>
      eachObject(one, (object) => Object.fromEntries(Object.entries(object).toReversed())),
    ),
  "linked data in a comment": written((content) => `<!--\n${content}\n-->`),
  "linked data in CDATA": written((content) => `//<![CDATA[\n${content}\n//]]>`),
  "charset of the type": (html: string) =>
    html.replace(/application\/ld\+json(?=["'])/g, "application/ld+json; charset=utf-8"),
  "unrelated data before": before(
    `{"@context":"https://schema.org","@type":"WebSite","url":"/","potentialAction":{"@type":"SearchAction","target":"/search?q={q}","query-input":"required name=q"}}`,
  ),
  "broken data before": before(
    `{"@context":"https://schema.org","@type":"WPHeader","name":"unfinished`,
  ),
  "spaces of assignments": (html: string) =>
    withScripts(
      html,
      (attributes) => !/type=["']?(?!text\/javascript)/i.test(attributes),
      (content) =>
        content.replace(
          /((?:window|self|globalThis)(?:\.[\w$]+|\[["'][\w$]+["']\])|(?:var|let|const)\s+[\w$]+)(\s*)=(\s*)(?=[{["'])/g,
          (_, name, space) => (space === "" ? `${name} = ` : `${name}=`),
        ),
    ),
} as const
