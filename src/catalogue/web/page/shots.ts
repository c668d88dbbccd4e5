import { Type } from "@sinclair/typebox"
import {
  BadInput,
  type Context,
  type InputOf,
  inputs,
  items,
  oneOf,
  type PageOptions,
  provided,
  type RenderedResponse,
  requireSelector,
  UnsupportedContent,
} from "../../kit/index.ts"

const screenshotInput = items.requiredObject(
  "Screenshot options. Setting them also requests a screenshot.",
  {
    fullPage: items.optionalBoolean("Whether to capture the whole page instead of the window."),
    selector: inputs.optionalText(
      "CSS selector of the element to capture; the first match counts. Not together with fullPage.",
      { minLength: 1 },
    ),
    width: Type.Optional(Type.Integer({ minimum: 320, maximum: 3840 })),
    height: Type.Optional(
      Type.Integer({ minimum: 240, maximum: 2160, description: "Height of the window in pixels." }),
    ),
    dark: items.optionalBoolean("Whether to show the page in its dark colours."),
    type: Type.Optional(oneOf(["png", "jpeg", "webp"])),
    quality: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, description: "Quality of JPEG and WebP (1-100)." }),
    ),
  },
)

const pdfInput = items.requiredObject("PDF options. Setting them also requests a PDF.", {
  format: Type.Optional(oneOf(["A4", "A3", "A5", "Letter", "Legal", "Tabloid"])),
  landscape: Type.Optional(Type.Boolean()),
  background: items.optionalBoolean(
    "Whether to print background colours and images (default true).",
  ),
})

/** Returns the `formats` input of a scraper with these formats. */
export const formatsInput = <const F extends readonly string[]>(forms: F, description: string) =>
  provided(Type.Array(oneOf(forms), { maxItems: forms.length, default: [], description }), [])

/** The options of screenshots and PDFs, in addition to `formats`. */
export const optionInputs = {
  screenshot: Type.Optional(screenshotInput),
  pdf: Type.Optional(pdfInput),
}

const storedFields = {
  url: items.requiredText("URL of the file: GET /api/v1/files/{id}."),
  contentType: items.requiredText("Media type of the file, for example image/png."),
  bytes: items.requiredInteger("Size of the file, in bytes."),
}
const sha256 = items.requiredText("SHA-256 hash of the file's bytes, hexadecimal.")

const imageField = (description: string) =>
  items.requiredObject(description, {
    ...storedFields,
    width: items.requiredInteger("Width in pixels."),
    height: items.requiredInteger("Height in pixels."),
    fullHeight: items.optionalInteger("Height of the page in pixels, if the image ends earlier."),
    sha256,
  })

/** Fields of files in an item. Each is present only if it was requested. */
export const fileFields = {
  screenshot: Type.Optional(imageField("Screenshot of the page in Chrome.")),
  pdf: Type.Optional(
    items.requiredObject("PDF of the page, printed by Chrome.", {
      ...storedFields,
      pages: items.requiredInteger("Number of pages of the PDF."),
      isCut: items.optionalBoolean(
        "Whether the page limit was reached, so that pages may be missing.",
      ),
      sha256,
    }),
  ),
}

type ShotInputs = InputOf<typeof optionInputs> & { formats: readonly string[] }

/** Throws BadInput with the field that is wrong. */
export function check({ screenshot }: ShotInputs): void {
  const { selector, fullPage, type = "png", quality } = screenshot ?? {}
  if (selector !== undefined && fullPage) {
    throw new BadInput("screenshot: either fullPage or selector, not both.")
  }
  if (quality !== undefined && type === "png") {
    throw new BadInput(
      "screenshot.quality: only jpeg and webp have a quality. Set screenshot.type to jpeg or webp, or remove quality.",
    )
  }
  if (selector !== undefined) requireSelector("screenshot.selector", selector)
}

/** Returns the files of an input as options of `ctx.page`. */
export function optionsOf({ formats, screenshot, pdf }: ShotInputs): PageOptions {
  const { width, height, dark, type = "png", ...image } = screenshot ?? {}
  const { format = "A4", background = true, landscape } = pdf ?? {}
  const hasView = width !== undefined || height !== undefined || dark !== undefined
  return {
    ...((screenshot || formats.includes("screenshot")) && { screenshot: { ...image, type } }),
    ...((pdf || formats.includes("pdf")) && { pdf: { format, background, landscape } }),
    ...(hasView && { view: { width, height, dark } }),
  }
}

/** Returns the fields of an item whose page was opened with the options of `optionsOf`. */
export async function keep(
  response: Pick<RenderedResponse, "url" | "shots" | "file">,
  requested: Pick<PageOptions, "screenshot" | "pdf">,
  ctx: Context,
) {
  const { screenshot, pdf } = response.shots ?? {}
  if (response.file) {
    const reason = `${response.url} is a document, so it has no screenshot or PDF.`
    if (requested.screenshot || requested.pdf) {
      ctx.log(`${reason} Request its Markdown instead.`, "warning")
    }
    return {}
  }
  if ((requested.screenshot && !screenshot) || (requested.pdf && !pdf)) {
    const message =
      "Chrome cannot make a screenshot or PDF of this response, because it is not a page."
    throw new UnsupportedContent(message, { code: "no_picture", url: response.url })
  }
  return {
    ...(screenshot && { screenshot: await keepImage(screenshot, "screenshot", ctx) }),
    ...(pdf && { pdf: await keepPdf(pdf, ctx) }),
  }
}

type Shot<K extends "screenshot" | "pdf"> = NonNullable<NonNullable<RenderedResponse["shots"]>[K]>

async function keepImage(
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

/** Fields of an item whose page was opened with actions that return data. */
export const actionFields = {
  actionScreenshots: Type.Optional(
    Type.Array(imageField("A screenshot."), {
      description: "Screenshots that actions took, in order.",
    }),
  ),
  actionResults: Type.Optional(
    items.requiredObject("With actions: what html and script returned.", {
      pages: items.objects("URL and HTML source of the page at each html action.", {
        url: items.requiredText("URL of the page at the action."),
        html: items.requiredText("HTML source of the page at the action."),
      }),
      values: Type.Array(Type.Unknown(), { description: "Value of each script action." }),
    }),
  ),
}

/** Returns the results of a page's actions as fields of an item, and stores its screenshots. */
export async function keepActionResults({ shots }: Pick<RenderedResponse, "shots">, ctx: Context) {
  if (!shots?.actions) return {}
  const { screenshots, pages, values } = shots.actions
  const stored = []
  for (const [index, image] of screenshots.entries()) {
    stored.push(await keepImage(image, `action-${index + 1}`, ctx))
  }
  return {
    ...(stored.length > 0 && { actionScreenshots: stored }),
    ...(pages.length + values.length > 0 && { actionResults: { pages, values } }),
  }
}
