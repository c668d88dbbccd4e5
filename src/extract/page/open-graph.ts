import { absoluteUrl, foldSpace } from "../core/index.ts"
import { type MetaTags, namesOf } from "./meta.ts"

/** An Open Graph image, video or sound, with the attributes that its tags state. */
export interface MediaObject {
  /** Absolute. */
  url: string
  secureUrl: string | null
  type: string | null
  width: number | null
  height: number | null
  alt: string | null
}

/** Every meta as a pair of name and content, in document order; one with two names is given twice. */
export function metaPairs(meta: MetaTags): [name: string, content: string][] {
  return meta.tags.flatMap((tag) => {
    const content = tag.content === null ? "" : foldSpace(tag.content)
    return content === "" ? [] : [...namesOf(tag)].map((name): [string, string] => [name, content])
  })
}

/** The media of one kind; those with an equal URL are one. */
export function mediaObjects(
  pairs: [string, string][],
  kind: "image" | "video" | "audio",
  base: string,
): MediaObject[] {
  const prefix = `og:${kind}`
  const objects: Record<string, string>[] = []
  let early: Record<string, string> = {}
  for (const [name, content] of pairs) {
    if (name === prefix || name === `${prefix}:url`) {
      const last = objects.at(-1)
      if (last && last.url === content) continue
      objects.push({ ...early, url: content })
      early = {}
    } else if (name.startsWith(`${prefix}:`)) {
      const property = name.slice(prefix.length + 1)
      const of = objects.at(-1) ?? early
      of[property] ??= content
    }
  }
  if (objects.length === 0 && early.secure_url) objects.push({ ...early, url: early.secure_url })
  return merged(objects.flatMap((object) => mediaObject(object, base)))
}

function mediaObject(written: Record<string, string>, base: string): MediaObject[] {
  const url = absoluteUrl(written.url, base)
  if (url === null) return []
  return [
    {
      url,
      secureUrl: absoluteUrl(written.secure_url, base),
      type: written.type ?? null,
      width: pixels(written.width),
      height: pixels(written.height),
      alt: written.alt ?? null,
    },
  ]
}

function pixels(written: string | undefined): number | null {
  const number = Number.parseInt(written ?? "", 10)
  return Number.isNaN(number) ? null : number
}

function merged(objects: MediaObject[]): MediaObject[] {
  const byUrl = new Map<string, MediaObject>()
  for (const object of objects) {
    const known = byUrl.get(object.url)
    if (!known) byUrl.set(object.url, object)
    else {
      for (const key of Object.keys(known) as (keyof MediaObject)[]) {
        if (known[key] === null) Object.assign(known, { [key]: object[key] })
      }
    }
  }
  return [...byUrl.values()]
}

/** `site_name` and `site-name` as `siteName`. */
function camelCase(name: string): string {
  return name.replace(/[-_:.]+(\w)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? "")
}

export type Nested = { [name: string]: string | string[] | Nested }

/** The tags of a prefix as nested objects: `product:price:amount` is `price.amount`. */
export function nestedTags(pairs: [string, string][], prefix: string): Nested | null {
  const root: Nested = {}
  for (const [name, content] of pairs) {
    if (!name.startsWith(`${prefix}:`)) continue
    const path = name
      .slice(prefix.length + 1)
      .split(":")
      .filter(Boolean)
      .map(camelCase)
    if (path.length > 0) put(root, path, content)
  }
  return Object.keys(root).length > 0 ? root : null
}

function put(node: Nested, [name, ...rest]: string[], content: string): void {
  const known = node[name!]
  if (rest.length > 0) {
    const inner: Nested = known === undefined ? {} : isNested(known) ? known : { value: known }
    node[name!] = inner
    put(inner, rest, content)
  } else if (known === undefined) node[name!] = content
  else if (isNested(known)) known.value ??= content
  else if (known !== content) node[name!] = [...new Set([known, content].flat())]
}

const isNested = (value: Nested[string]): value is Nested =>
  typeof value === "object" && !Array.isArray(value)

/** The tags of a prefix as one flat object of first contents: `og:image:alt` is `imageAlt`. */
export function flatTags(pairs: [string, string][], ...prefixes: string[]): Record<string, string> {
  const tags: Record<string, string> = {}
  for (const [name, content] of pairs) {
    const prefix = prefixes.find((start) => name.startsWith(start) && name.length > start.length)
    if (prefix !== undefined) tags[camelCase(name.slice(prefix.length))] ??= content
  }
  return tags
}
