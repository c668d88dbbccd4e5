import { foldSpace } from "../../../extract/core/index.ts"
import { type MetaTags, metaContent } from "../../../extract/page/index.ts"
import { items } from "../../kit/index.ts"

/** Returns the fields of an image or another file in the Open Graph tags of a page. */
export const mediaFields = (kind: string) => ({
  url: items.requiredText(`URL of the ${kind}.`),
  secureUrl: items.text(`URL of the ${kind} over https.`),
  type: items.text(`Media type of the ${kind}, for example image/png.`),
  width: items.integer("Width, in pixels."),
  height: items.integer("Height, in pixels."),
  alt: items.text("Alternative text."),
})

/** Returns a source: the content of the first of some meta tags. */
export const metaTag =
  (...names: string[]) =>
  ({ meta }: { meta: MetaTags }) =>
    foldSpace(metaContent(meta, ...names) ?? "")
