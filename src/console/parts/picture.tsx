import { useEffect, useState } from "preact/hooks"
import type { Item } from "../data/keyless.ts"
import { account, base } from "../data/shell.ts"

/** As fields of pictures are called everywhere; a list of them has an s behind it. */
const named = /(?:image|thumbnail|logo|avatar|picture|photo|poster|cover)(?:Url|_url)?s?$/i

/** Whether a field of an item is the address of a picture that may be shown. */
export const isImage = (name: string, value: unknown): value is string =>
  account !== undefined &&
  typeof value === "string" &&
  named.test(name) &&
  /^https?:\/\//.test(value)

/** So long one stays in sight before it is asked for: many are passed by. */
const restMs = 200

/** A picture that an item names, fetched by this service: its site learns nothing of who looks. */
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

/** The first picture of an item, at the head of its card. */
export function CardImage({ item, names }: { item: Item; names: string[] }) {
  for (const name of names) {
    const value = item[name]
    const first = Array.isArray(value) ? value[0] : value
    if (isImage(name, first)) return <Image url={first} class="card-picture" />
  }
  return null
}
