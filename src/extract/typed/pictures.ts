import { absoluteUrl } from "../core/index.ts"
import { sharedWords } from "../page/index.ts"
import type { Visible } from "./shown.ts"
import type { Candidate } from "./things.ts"

/** Images after the first one below the heading that are compared with it, and words they share. */
const maxNear = 8
const minShared = 2
/** In characters: maximum text between a picture behind the heading and the heading itself. */
const maxApart = 200

const pinUrl = /^(?:[\w-]+\.)?pinterest\.[a-z.]{2,6}$/

/** Paths of a site's own resizers, which have the URL of the picture as a parameter. */
const resizer = /\/(?:_next\/image|_vercel\/image|\.netlify\/images|_image)\/?$/

/**
 * Returns the URL of the picture of which a resizer makes a smaller copy, or the URL itself.
 *
 * @example
 * originalOf("https://a.example/_next/image?url=%2Fkite.jpg&w=640") // "https://a.example/kite.jpg"
 */
export function originalOf(url: string): string {
  const parsed = URL.parse(url)
  if (!parsed || !resizer.test(parsed.pathname)) return url
  const picture = parsed.searchParams.get("url") ?? parsed.searchParams.get("href")
  return absoluteUrl(picture, url) ?? url
}

/** Yields the image of the page's subject, the most probable first. */
export function* picturesOf(visible: Visible, base: string): Generator<Candidate> {
  const shared = sharedPicture(visible, base)
  if (shared) yield { raw: shared, source: "block", at: "share link" }
  const { images, headings, backgrounds } = visible
  const [top] = headings.filter(({ level }) => level === 1)
  const content = images.filter(({ isContent }) => isContent)
  const heading = top ? visible.line(top) : null
  const below = content.findIndex(({ from }) => from >= (top?.from ?? 0))
  const near = content.slice(Math.max(0, below - 1), Math.max(0, below) + maxNear)
  const named = near.find(({ about }) => sharedWords(about, heading) >= minShared)
  const behind = top
    ? backgrounds.find(
        ({ from, to }) =>
          from <= top.from && (to >= top.to || (from === to && top.from - to <= maxApart)),
      )
    : undefined
  const first = named ?? behind ?? content[below] ?? content.at(-1)
  if (first) yield { raw: first.value, source: "block", at: "picture" }
}

/** Returns the picture that the page's links to Pinterest share, if they share one only. */
function sharedPicture({ links, pinned }: Visible, base: string): string | undefined {
  const pictures = new Set(pinned)
  const page = URL.parse(base)?.pathname.replace(/\/$/, "")
  for (const { value } of links) {
    const link = value.includes("/pin/create/") ? URL.parse(value, base) : null
    if (!link || !pinUrl.test(link.hostname)) continue
    const of = URL.parse(link.searchParams.get("url") ?? base, base)?.pathname.replace(/\/$/, "")
    const picture = absoluteUrl(link.searchParams.get("media") ?? "", base)
    if (picture && of === page) pictures.add(picture)
  }
  const [picture, ...others] = pictures
  return others.length === 0 ? picture : undefined
}
