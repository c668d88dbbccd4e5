import { useEffect, useState } from "preact/hooks"
import type { Item } from "../data/keyless.ts"
import { account, base } from "../data/shell.ts"

/** Usual names of fields with image URLs; lists of them end with an s. */
const named = /(?:image|thumbnail|logo|avatar|picture|photo|poster|cover)(?:Url|_url)?s?$/i

/** Returns whether a field of an item is the URL of an image that may be displayed. */
export const isImage = (name: string, value: unknown): value is string =>
  account !== undefined &&
  typeof value === "string" &&
  named.test(name) &&
  /^https?:\/\//.test(value)

/**
 * Milliseconds for which an image must be visible before it is loaded, so that fast scrolling skips
 * images.
 */
const restMs = 200

/**
 * An image of an item, loaded through this service, so that its site learns nothing about the
 * viewer.
 */
export function Image({ url, class: kind = "thumb" }: { url: string; class?: string }) {
  const [visible, show] = useState("")
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    setMissing(false)
    const timer = setTimeout(() => show(url), restMs)
    return () => clearTimeout(timer)
  }, [url])
  if (isMissing) return null
  const src = `${base}/console/picture?${new URLSearchParams({ url })}`
  return (
    <span class={kind}>
      {visible === url && (
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setMissing(true)} />
      )}
    </span>
  )
}

/** The first image of an item, at the top of its card. */
export function CardImage({ item, names }: { item: Item; names: string[] }) {
  for (const name of names) {
    const value = item[name]
    const first = Array.isArray(value) ? value[0] : value
    if (isImage(name, first)) return <Image url={first} class="card-picture" />
  }
  return null
}
