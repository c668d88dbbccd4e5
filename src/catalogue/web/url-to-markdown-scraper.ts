import { Type } from "@sinclair/typebox"
import {
  frontMatter,
  markdownFigures,
  pageMarkdown,
  withHeading,
} from "../../extract/article/index.ts"
import { baseUrl } from "../../extract/core/index.ts"
import { toMarkdown } from "../../extract/markdown/index.ts"
import { readMetadata, readSources } from "../../extract/metadata/index.ts"
import {
  type Answer,
  actionsInput,
  actionsOf,
  Changed,
  checkActions,
  checkShots,
  defineScraper,
  documentField,
  documentParts,
  fileOf,
  identifyPage,
  inputObject,
  inputs,
  isTold,
  itemObject,
  keepShots,
  openPage,
  pageAddresses,
  pageFields,
  pageTypeField,
  shotFields,
  shotInputs,
  shotsOf,
  textField,
} from "../kit/index.ts"
import { checkHeaders, headersOf, requestInputs } from "./asked/page-request.ts"
import { extracted, extractedField, extractInput, extractionOf } from "./page-extract.ts"
import { formFields, formInputs, pageForms } from "./page-forms.ts"
import {
  checkParts,
  hasParts,
  keepParts,
  type PartsAsked,
  partInputs,
  partsOpened,
} from "./page-parts.ts"

const item = itemObject({
  ...pageFields,
  title: textField("Title of the page, without the site's name."),
  author: textField("Author; several are joined by commas."),
  publishedAt: textField("When it was published, ISO 8601."),
  siteName: textField("Name of the site."),
  language: textField("Language, such as en or pt-BR."),
  description: textField("What the page says that it is about."),
  imageUrl: textField("Address of its picture."),
  canonicalUrl: textField("The address that the page names as its own."),
  pageType: pageTypeField,
  markdown: Type.String({ description: "The page as GitHub-flavoured Markdown." }),
  wordCount: Type.Integer({ description: "Words of the Markdown, without front matter." }),
  charCount: Type.Integer({ description: "Characters of the Markdown, without front matter." }),
  tokenEstimate: Type.Integer({ description: "About how many tokens a language model counts." }),
  linkCount: Type.Integer({ description: "Links in the Markdown." }),
  imageCount: Type.Integer({ description: "Pictures in the Markdown." }),
  fetchedAt: Type.String({ description: "When the page was read, ISO 8601." }),
  document: documentField,
  extracted: extractedField,
  ...formFields,
  ...shotFields,
})

const plainTypes = ["text/markdown", "text/x-markdown", "text/plain"]

export default defineScraper({
  slug: "url-to-markdown-scraper",
  name: "URL to Markdown",
  tagline: "Any web page as clean Markdown, ready for a language model.",
  category: "web",
  tier: "free",
  access: ["http", "browser"],
  unproven: ["embedded state"],
  input: inputObject({
    urls: pageAddresses(1000),
    mainContentOnly: inputs.flag(
      "Only what the page is about; false keeps navigation and footer.",
      true,
    ),
    splitPages: inputs.flag(
      "Of a document such as a PDF: an item for each page, slide, sheet or chapter.",
    ),
    ...formInputs,
    ...shotInputs,
    extract: extractInput,
    actions: actionsInput,
    ...partInputs,
    ...requestInputs,
    includeFrontMatter: inputs.flag("Begins with a YAML block of title, source, author and dates."),
  }),
  item,
  deprecated: { published: "publishedAt", lang: "language", image: "imageUrl" },
  example: { urls: ["https://example.com"] },
  canary: {
    input: { urls: ["https://example.com"] },
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].markdown matches "example domain"',
      "items[0].linkCount gte 1",
      "items[0].fetchedAt fresh 1",
    ],
  },
  targets: (input) => {
    checkActions(input.actions)
    checkHeaders(input)
    checkParts(input)
    checkShots(input)
    extractionOf(input.extract)
    return input.urls
  },
  identify: identifyPage,

  async *scrape(target, ctx) {
    const isThere = hasParts(ctx.input)
    const shots = shotsOf(ctx.input)
    const extraction = extractionOf(ctx.input.extract)
    if (extraction?.byModel) ctx.requireModel()
    const { url, answer } = await openPage(target, ctx, {
      documents: "all",
      ...actionsOf(ctx.input),
      ...headersOf(ctx.input),
      types: plainTypes,
      has: (answer) =>
        plainTypes.includes(answer.contentType) || (isTold(answer) && isThere(answer)),
      what: "any text, or what the selectors name",
      ...partsOpened(ctx.input),
      ...shots,
    })
    const { includeFrontMatter, splitPages } = ctx.input
    const isPlain = plainTypes.includes(answer.contentType)
    if (!isPlain && !isThere(answer)) throw answer.lacks("what the selectors name")
    // What the caller chose is not judged once more.
    const mainContentOnly = ctx.input.mainContentOnly && ctx.input.includeSelectors.length === 0
    const page = isPlain ? fromText(answer) : fromPage(answer, mainContentOnly, ctx.input)
    const fetchedAt = ctx.now().toISOString()
    const { title, author, publishedAt } = page.metadata
    const front = includeFrontMatter
      ? frontMatter({ title, sourceUrl: url, author, published: publishedAt, fetchedAt })
      : ""
    const { document } = fileOf(answer)
    const parts = splitPages ? documentParts(answer) : []
    const files = await keepShots(answer, shots, ctx)
    const texts = parts.length > 0 ? parts.map((part) => toMarkdown(part, url)) : [page.markdown]
    for (const [index, markdown] of texts.entries()) {
      yield {
        url,
        finalUrl: answer.url,
        statusCode: answer.status,
        ...page.metadata,
        pageType: page.pageType,
        markdown: front + markdown,
        ...markdownFigures(markdown),
        fetchedAt,
        ...(index === 0 ? pageForms(answer, page.markdown, { ...ctx.input, mainContentOnly }) : {}),
        ...(index === 0 ? files : {}),
        ...(index === 0 && extraction
          ? { extracted: await extracted(extraction, answer, page.markdown, ctx) }
          : {}),
        ...(document
          ? { document: parts.length > 0 ? { ...document, page: index + 1 } : document }
          : {}),
      }
    }
  },
})

function fromPage(answer: Answer, mainContentOnly: boolean, parts: PartsAsked) {
  const { document, url } = answer
  const { updatedAt: _, keywords: __, ...metadata } = readMetadata(readSources(document, url))
  keepParts(document, parts)
  const { markdown, pageType } = answer.file
    ? { markdown: toMarkdown(document.body, baseUrl(document, url)), pageType: null }
    : pageMarkdown(document, url, mainContentOnly)
  if (answer.file) return { metadata, pageType, markdown }
  if (markdown === "" && metadata.title === null) throw answer.lacks("any content")
  if (parts.includeSelectors.length > 0) return { metadata, pageType, markdown }
  return { metadata, pageType, markdown: withHeading(markdown, document, metadata.title) }
}

/** A server that writes Markdown itself needs no help. */
function fromText(answer: Answer) {
  const text = answer.text().replace(/\r\n?/g, "\n").trimEnd()
  if (text.trim() === "") throw new Changed("The answer is empty.", { url: answer.url })
  const title = /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] ?? null
  const metadata = {
    title,
    author: null,
    publishedAt: null,
    siteName: null,
    language: null,
    description: null,
    imageUrl: null,
    canonicalUrl: null,
  }
  return { metadata, pageType: null, markdown: `${text}\n` }
}
