import { Type } from "@sinclair/typebox"
import { readBranding } from "../../../extract/branding/index.ts"
import { iconOf, logoOf } from "../../../extract/contact/index.ts"
import { absoluteUrl, baseUrl } from "../../../extract/core/index.ts"
import { favicon, readMeta } from "../../../extract/page/index.ts"
import { type Context, inputs, itemObject, items, type UpstreamResponse } from "../../kit/index.ts"
import { ifAvailable } from "../page/open.ts"

const maxSheets = 4
const maxSheetBytes = 1_000_000

export const brandingInput = inputs.flag(
  `Also return the page's colours, fonts and logo. Reads up to ${maxSheets} of its style sheets; each costs one page.`,
)

export const brandingField = Type.Optional(
  items.requiredObject("With includeBranding: how the page looks, from its style sheets.", {
    colorScheme: items.text("Colour scheme: light or dark."),
    logoUrl: items.text("URL of the logo, else of the page's touch icon."),
    faviconUrl: items.text("URL of the page's icon (favicon)."),
    imageUrl: items.text("URL of the image for sharing in the page's metadata."),
    colors: items.textsByName(
      "Colours by role, for example primary, background and link, as #RRGGBB.",
    ),
    fonts: items.texts("Font families, the most used first."),
    fontFamilies: items.textsByName("Font families by role: text (primary), headings and code."),
    fontSizes: items.textsByName("Font sizes of the text (body) and of h1 to h3, in CSS units."),
    button: Type.Union(
      [
        itemObject({
          background: items.text("Colour of the button's background."),
          textColor: items.text("Colour of the button's text."),
          borderRadius: items.text("Radius of the corners in CSS units."),
        }),
        Type.Null(),
      ],
      { description: "Look of the page's main button; null if it has none." },
    ),
    styleSheets: items.requiredInteger("Number of style sheets that were read."),
  }),
)

/** Returns the requested branding of a page. Call it before parts of the page are removed. */
export async function brandingOf(
  { document, url, file }: UpstreamResponse,
  ctx: Context<{ includeBranding: boolean }>,
) {
  if (!ctx.input.includeBranding || file) return {}
  const base = baseUrl(document, url)
  const sheets = await styleSheets(document, base, ctx)
  const content = (name: string) => readMeta(document).byName.get(name)?.[0] ?? null
  const branding = {
    ...readBranding(document, sheets),
    logoUrl:
      absoluteUrl(content("og:logo"), base) ??
      logoOf(document, url) ??
      iconOf(document, url, "apple-touch-icon"),
    faviconUrl: favicon(document, base),
    imageUrl: absoluteUrl(content("og:image"), base),
    styleSheets: sheets.length,
  }
  return { branding }
}

/**
 * Returns the page's style sheets. One that cannot be read is skipped, because the page looks much
 * the same without it.
 */
async function styleSheets(document: Document, base: string, ctx: Context): Promise<string[]> {
  const links = [...document.querySelectorAll('link[rel~="stylesheet" i][href]')]
  const addresses = new Set<string>()
  for (const link of links) {
    if (/\bprint\b/i.test(link.getAttribute("media") ?? "")) continue
    const url = absoluteUrl(link.getAttribute("href"), base)
    if (url !== null && /^https?:/.test(url)) addresses.add(url)
  }
  const read = [...addresses].slice(0, maxSheets).map((url) =>
    ifAvailable(ctx, async () => {
      const sheet = await ctx.get(url, {
        identity: "browser",
        maxBytes: maxSheetBytes,
        truncate: true,
        retries: 0,
        timeoutMs: 10_000,
      })
      return /html/.test(sheet.contentType) ? null : sheet.text()
    }),
  )
  return (await Promise.all(read)).filter((css) => css !== null)
}
