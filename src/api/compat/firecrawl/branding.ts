import type { Item } from "../common/run-now.ts"

interface Branding {
  colorScheme: "light" | "dark" | null
  logoUrl: string | null
  faviconUrl: string | null
  imageUrl: string | null
  colors: Record<string, string>
  fonts: string[]
  fontFamilies: Record<string, string>
  fontSizes: Record<string, string>
  button: Record<"background" | "textColor" | "borderRadius", string | null> | null
}

/** The branding profile of a page in Firecrawl's format; null if the page has none. */
export function brandingOf({ branding, siteName, title }: Item) {
  if (!branding) return null
  const profile = branding as Branding
  const { logoUrl, faviconUrl, imageUrl, fontFamilies, button } = profile
  const { primary, heading } = fontFamilies
  const borderRadius = button?.borderRadius
  return {
    ...(profile.colorScheme && { colorScheme: profile.colorScheme }),
    brandName: siteName ?? title ?? undefined,
    logo: logoUrl,
    colors: profile.colors,
    fonts: profile.fonts.map((family) => ({ family })),
    typography: {
      fontFamilies,
      fontStacks: {
        ...(primary && { body: [primary] }),
        ...(heading && { heading: [heading] }),
      },
      fontSizes: profile.fontSizes,
    },
    ...(borderRadius && { spacing: { borderRadius } }),
    ...(button && { components: { buttonPrimary: withoutNulls(button) } }),
    images: { logo: logoUrl, favicon: faviconUrl, ogImage: imageUrl },
  }
}

const withoutNulls = (values: Record<string, string | null>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
