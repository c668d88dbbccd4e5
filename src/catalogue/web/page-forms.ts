import { Type } from "@sinclair/typebox"
import { articleImages, articleLinks, cleanHtml } from "../../extract/article/index.ts"
import { chunkMarkdown } from "../../extract/chunks/index.ts"
import { absoluteUrl, baseUrl, paragraphText } from "../../extract/core/index.ts"
import { headingUrl, readHeadings, readMeta } from "../../extract/page/index.ts"
import { allEntities, readStructuredData } from "../../extract/structured/index.ts"
import { type InputOf, inputs, items, shotForms, type UpstreamResponse } from "../kit/index.ts"
import { mainRoot } from "./page/documents.ts"
import { imageFields, linkFields } from "./page/open.ts"
import { formatsInput } from "./page/shots.ts"

const forms = [
  "html",
  "rawHtml",
  "text",
  "links",
  "images",
  "metadata",
  "structuredData",
  "chunks",
  ...shotForms,
] as const

const maxLinks = 5000
const maxMetas = 300
const maxMetaCharacters = 4000

const nextToMarkdown = (forms: readonly string[]) =>
  `Further formats next to Markdown: ${forms.join(", ")}. screenshot and pdf are files.`

/** Inputs for further formats of a page in addition to its Markdown. */
export const formInputs = {
  formats: formatsInput(forms, nextToMarkdown(forms)),
  chunkTokens: inputs.count("For the format chunks: approximate maximum tokens per chunk", {
    min: 50,
    max: 8000,
    or: 500,
  }),
  listWholePage: inputs.flag(
    "List the links and images of the whole page, even if mainContentOnly removes parts of it.",
  ),
}

const crawlForms = ["html", "rawHtml", "images", "metadata", ...shotForms] as const

/** Input for further formats of each page of a crawl. */
export const crawlFormats = formatsInput(crawlForms, nextToMarkdown(crawlForms))

const chunkFields = {
  index: items.requiredInteger("Index of the chunk, from 0."),
  headings: items.texts("Headings above the chunk, from the top."),
  anchor: items.text("Fragment of the chunk's heading in the Markdown."),
  url: items.text("Anchor of the chunk's heading on the page."),
  markdown: items.requiredText("Content of the chunk as Markdown."),
  tokenEstimate: items.requiredInteger("Approximate number of tokens for a language model."),
}

/** Item fields of the formats. Each is present only if `formats` names it. */
export const formFields = {
  html: items.optionalText("Clean HTML without scripts, styles and forms, with absolute URLs."),
  rawHtml: items.optionalText("HTML source of the page, decoded."),
  text: items.optionalText("Plain text with separate paragraphs."),
  links: Type.Optional(items.objects("Links without duplicate URLs.", linkFields)),
  images: Type.Optional(items.objects("Images without duplicate URLs.", imageFields)),
  metadata: Type.Optional(
    items.listsByName("Contents of the page's meta tags by lower-case name."),
  ),
  structuredData: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: "Entities of JSON-LD, microdata and RDFa.",
    }),
  ),
  chunks: Type.Optional(
    items.objects("The Markdown in parts for retrieval, split at its headings.", chunkFields),
  ),
}

type FormsRequest = Partial<InputOf<typeof formInputs>> & { mainContentOnly: boolean }

/** Returns the requested formats, made from the content of the Markdown. */
export function pageForms(response: UpstreamResponse, markdown: string, requested: FormsRequest) {
  const { formats = [], chunkTokens = 0, mainContentOnly, listWholePage } = requested
  const wants = (form: (typeof forms)[number]) => formats.includes(form)
  if (formats.length === 0) return {}
  const { document, url } = response
  const base = baseUrl(document, url)
  const root = mainContentOnly ? mainRoot(response) : document.body
  const listed = listWholePage ? document.body : root
  return {
    ...(wants("html") && { html: htmlOf(root, base) }),
    ...(wants("rawHtml") && { rawHtml: response.text() }),
    ...(wants("text") && { text: isWritten(response) ? markdown : paragraphText(root) }),
    ...(wants("links") && { links: articleLinks(listed, base).slice(0, maxLinks) }),
    ...(wants("images") && { images: articleImages(listed, base).slice(0, maxLinks) }),
    ...(wants("metadata") && { metadata: metasOf(document) }),
    ...(wants("structuredData") && {
      structuredData: allEntities(readStructuredData(document, url)).map(({ data }) => data),
    }),
    ...(wants("chunks") && { chunks: chunksOf(document, url, markdown, chunkTokens) }),
  }
}

/** Whether a response is text, but not a page. */
const isWritten = ({ contentType }: UpstreamResponse) =>
  contentType.startsWith("text/") && contentType !== "text/html"

/** Returns clean HTML, made from a copy, because other formats need the whole page. */
function htmlOf(root: Element, base: string): string {
  const copy = root.cloneNode(true) as Element
  for (const [selector, name] of [
    ["a[href], area[href]", "href"],
    ["img[src], video[src], audio[src], source[src]", "src"],
  ] as const) {
    for (const element of copy.querySelectorAll(selector)) {
      const url = absoluteUrl(element.getAttribute(name), base)
      if (url !== null) element.setAttribute(name, url)
    }
  }
  return cleanHtml(copy)
}

function metasOf(document: Document): Record<string, string[]> {
  const { byName } = readMeta(document)
  return Object.fromEntries(
    [...byName]
      .slice(0, maxMetas)
      .map(([name, contents]) => [
        name,
        [...new Set(contents)].slice(0, 50).map((content) => content.slice(0, maxMetaCharacters)),
      ]),
  )
}

function chunksOf(document: Document, url: string, markdown: string, max: number) {
  const places = new Map<string, string | null>()
  for (const heading of readHeadings(document, 6)) {
    if (!places.has(heading.text)) places.set(heading.text, headingUrl(heading, url))
  }
  return chunkMarkdown(markdown, max).map((chunk, index) => ({
    index,
    ...chunk,
    url: places.get(chunk.headings.at(-1) ?? "") ?? null,
  }))
}
