import { type Static, Type } from "@sinclair/typebox"
import { checkSelector, parseDocument, SelectorError } from "../../../extract/core/index.ts"
import type { Context, PageOptions, RenderedResponse } from "../context.ts"
import { BadInput, UnsupportedContent } from "../core/errors.ts"
import { itemObject, items, oneOf } from "../core/fields.ts"
import { provided } from "../core/inputs.ts"

const screenshotInput = itemObject(
  {
    fullPage: Type.Optional(
      Type.Boolean({ description: "Whether to capture the whole page instead of the window." }),
    ),
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "CSS selector of the element to capture; the first match counts. Not together with fullPage.",
      }),
    ),
    width: Type.Optional(Type.Integer({ minimum: 320, maximum: 3840 })),
    height: Type.Optional(
      Type.Integer({ minimum: 240, maximum: 2160, description: "Height of the window in pixels." }),
    ),
    dark: Type.Optional(
      Type.Boolean({ description: "Whether to show the page in its dark colours." }),
    ),
    type: Type.Optional(oneOf(["png", "jpeg", "webp"])),
    quality: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Quality of JPEG and WebP (1-100)." }),
    ),
  },
  { description: "Screenshot options. Setting them also requests a screenshot." },
)

const pdfInput = itemObject(
  {
    format: Type.Optional(oneOf(["A4", "A3", "A5", "Letter", "Legal", "Tabloid"])),
    landscape: Type.Optional(Type.Boolean()),
    background: Type.Optional(
      Type.Boolean({
        description: "Whether to print background colours and images (default true).",
      }),
    ),
  },
  { description: "PDF options. Setting them also requests a PDF." },
)

/**
 * Formats of a page that are files.
 * @example formats.filter((format) => !shotForms.includes(format))
 */
export const shotForms = ["screenshot", "pdf"] as const

/**
 * The `formats` input of a scraper that has no other formats.
 * @example input: inputObject({ urls, formats: shotFormats, ...shotInputs })
 */
export const shotFormats = provided(
  Type.Array(oneOf(shotForms), {
    maxItems: shotForms.length,
    default: [],
    description: "Files to make of the page: screenshot, pdf.",
  }),
  [],
)

/**
 * The options of screenshots and PDFs, in addition to `formats`.
 * @example input: inputObject({ urls, formats: shotFormats, ...shotInputs })
 */
export const shotInputs = {
  screenshot: Type.Optional(screenshotInput),
  pdf: Type.Optional(pdfInput),
}

const fileFields = {
  url: items.requiredText("URL of the file: GET /api/v1/files/{id}."),
  contentType: items.requiredText("Media type of the file, for example image/png."),
  bytes: items.requiredInteger("Size of the file, in bytes."),
}
const sha256 = items.requiredText("SHA-256 hash of the file's bytes, hexadecimal.")

export const imageField = (description: string) =>
  itemObject(
    {
      ...fileFields,
      width: items.requiredInteger("Width in pixels."),
      height: items.requiredInteger("Height in pixels."),
      fullHeight: Type.Optional(
        Type.Integer({ description: "Height of the page in pixels, if the image ends earlier." }),
      ),
      sha256,
    },
    { description },
  )

/**
 * Fields of files in an item. Each is present only if it was requested.
 * @example const item = itemObject({ ...pageFields, ...shotFields })
 */
export const shotFields = {
  screenshot: Type.Optional(imageField("Screenshot of the page in Chrome.")),
  pdf: Type.Optional(
    itemObject(
      {
        ...fileFields,
        pages: items.requiredInteger("Number of pages of the PDF."),
        isCut: Type.Optional(
          Type.Boolean({
            description: "Whether the page limit was reached, so that pages may be missing.",
          }),
        ),
        sha256,
      },
      { description: "PDF of the page, printed by Chrome." },
    ),
  ),
}

export interface ShotInputs {
  formats: readonly string[]
  screenshot?: Static<typeof screenshotInput> | undefined
  pdf?: Static<typeof pdfInput> | undefined
}

/**
 * Throws BadInput with the field that is wrong.
 * @example targets: (input) => { checkShots(input); return input.urls }
 */
export function checkShots({ screenshot }: ShotInputs): void {
  const { selector, fullPage, type = "png", quality } = screenshot ?? {}
  if (selector !== undefined && fullPage) {
    throw new BadInput("screenshot: either fullPage or selector, not both.")
  }
  if (quality !== undefined && type === "png") {
    throw new BadInput(
      "screenshot.quality: only jpeg and webp have a quality. Set screenshot.type to jpeg or webp, or remove quality.",
    )
  }
  if (selector === undefined) return
  try {
    checkSelector(selector, parseDocument(""))
  } catch (error) {
    if (error instanceof SelectorError) {
      throw new BadInput(`screenshot.selector: ${error.message}`)
    }
    throw error
  }
}

/**
 * Returns the files of an input as options of `ctx.page`.
 * @example const response = await ctx.page(url, shotsOf(ctx.input))
 */
export function shotsOf({ formats, screenshot, pdf }: ShotInputs): PageOptions {
  const { width, height, dark, type = "png", ...image } = screenshot ?? {}
  const { format = "A4", background = true, landscape } = pdf ?? {}
  const hasView = width !== undefined || height !== undefined || dark !== undefined
  return {
    ...((screenshot || formats.includes("screenshot")) && { screenshot: { ...image, type } }),
    ...((pdf || formats.includes("pdf")) && { pdf: { format, background, landscape } }),
    ...(hasView && { view: { width, height, dark } }),
  }
}

/**
 * Returns the fields of an item whose page was opened with the options of `shotsOf`.
 * @example yield { ...page, ...(await keepShots(response, shotsOf(ctx.input), ctx)) }
 */
export async function keepShots(
  response: Pick<RenderedResponse, "url" | "shots" | "file">,
  requested: Pick<PageOptions, "screenshot" | "pdf">,
  ctx: Context,
) {
  const { screenshot, pdf } = response.shots ?? {}
  if (response.file) {
    if (requested.screenshot || requested.pdf) {
      ctx.log(
        `${response.url} is a document, so it has no screenshot or PDF. Request its Markdown instead.`,
        "warning",
      )
    }
    return {}
  }
  if ((requested.screenshot && !screenshot) || (requested.pdf && !pdf)) {
    throw new UnsupportedContent(
      "Chrome cannot make a screenshot or PDF of this response, because it is not a page.",
      {
        code: "no_picture",
        url: response.url,
      },
    )
  }
  return {
    ...(screenshot && { screenshot: await keepImage(screenshot, "screenshot", ctx) }),
    ...(pdf && { pdf: await keepPdf(pdf, ctx) }),
  }
}

type Shot<K extends "screenshot" | "pdf"> = NonNullable<NonNullable<RenderedResponse["shots"]>[K]>

export async function keepImage(
  { contentType, bytes, boxedHtml: _, ...size }: Shot<"screenshot">,
  name: string,
  ctx: Context,
) {
  const ending = contentType === "image/jpeg" ? "jpg" : contentType.replace("image/", "")
  const { fullHeight, height } = size
  if (fullHeight !== undefined) {
    ctx.log(`The screenshot ends after ${height} of ${fullHeight} pixels of the page.`, "warning")
  }
  const stored = await ctx.keepFile({ name: `${name}.${ending}`, contentType, bytes })
  return { ...stored, ...size }
}

async function keepPdf({ contentType, bytes, pages, isCut }: Shot<"pdf">, ctx: Context) {
  if (isCut) ctx.log(`The PDF ends after ${pages} pages.`, "warning")
  const stored = await ctx.keepFile({ name: "page.pdf", contentType, bytes })
  return { ...stored, pages, ...(isCut && { isCut }) }
}
