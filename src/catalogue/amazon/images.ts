import { absoluteUrl, distinct, firstAttribute } from "../../extract/core/index.ts"
import { JsonReader, jsonAfter, parseLoose } from "../../extract/embedded/index.ts"

/** Base URL for URLs without a scheme. */
const amazon = "https://www.amazon.com"

/** Returns the gallery of the page's script, or else the main image and the thumbnails. */
export function imagesOf(document: Document, html: string): string[] {
  const gallery = new JsonReader(jsonAfter(html, /["']colorImages["']\s*:\s*\{\s*["']initial["']/))
    .list()
    .flatMap((image) => image.text("hiRes") ?? image.text("large") ?? [])
  if (gallery.length > 0) return distinct(gallery)
  // The main image's thumbnail has a different file name than the image.
  const thumbnails = document.querySelectorAll(
    "#altImages li.imageThumbnail:not(.variant-MAIN) img, #altImages li.item:not(.variant-MAIN):not(.videoThumbnail) img",
  )
  const others = [...thumbnails].flatMap((image) => {
    const url = absoluteUrl(image.getAttribute("src"), amazon)
    return url?.includes("/images/I/") ? withoutSize(url) : []
  })
  const main = mainImage(document)
  return distinct(main ? [main, ...others] : others)
}

function mainImage(document: Document): string | null {
  const place = "#landingImage, #imgBlkFront, #ebooksImgBlkFront"
  const large = firstAttribute(document, place, "data-old-hires")
  if (large) return large
  const sizes = parseLoose(firstAttribute(document, place, "data-a-dynamic-image") ?? "")
  let best: string | null = null
  let width = 0
  for (const [url, size] of Object.entries((sizes ?? {}) as Record<string, unknown>)) {
    const own = Array.isArray(size) ? Number(size[0]) : 0
    if (own > width) [best, width] = [url, own]
  }
  const visible = firstAttribute(document, place, "src")
  return best ?? absoluteUrl(visible, amazon)
}

/** Removes the size suffix from `…/I/41o-nMkwIqL._AC_SR38,50_.jpg`. */
function withoutSize(url: string): string {
  const ending = /_\.\w+$/.exec(url)?.index ?? -1
  const size = url.indexOf("._", url.lastIndexOf("/", ending) + 1)
  if (size < 0 || size + 2 > ending) return url
  return url.slice(0, size) + url.slice(ending + 1)
}
