import { isoDate } from "../../extract/dates.ts"
import { distinct, textList, textOrNull, titleOrNull } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { busyIsRateLimit, Changed, NotFound } from "../outcome.ts"

export const site = "https://openlibrary.org"
const mostRedirects = 5

/** A record of one work. It names its authors by key alone. */
export interface Work {
  key: string
  title?: string
  subtitle?: string
  covers?: (number | null)[]
  authors?: { author?: { key?: string } | string; key?: string }[]
  subjects?: unknown
  description?: string | { value?: string }
  links?: { title?: string; url?: string }[]
  excerpts?: { excerpt?: string | { value?: string } }[]
  created?: { value?: string }
  last_modified?: { value?: string }
  type?: { key?: string }
  location?: string
  [field: string]: unknown
}

/** The record of a work; one that was merged into another answers with that other's. */
export async function workRecord(key: string, ctx: Context): Promise<Work> {
  let path = `/works/${key}`
  for (let step = 0; step < mostRedirects; step++) {
    const work = await busyIsRateLimit(ctx.json<Work>(`${site}${path}.json`))
    if (work?.type?.key === "/type/delete") {
      throw new NotFound(`Open Library has deleted the work ${key}.`)
    }
    if (work?.type?.key !== "/type/redirect" || !work.location) {
      if (!/^\/works\/OL\d+W$/.test(work?.key ?? "")) {
        throw new Changed("Open Library's answer holds no work.")
      }
      return work
    }
    path = work.location
  }
  throw new Changed(`The work ${key} redirects too often.`)
}

/** What only the record of a work knows. */
export function detailsOf(work: Work) {
  return {
    firstPublishDate: textOrNull(work.first_publish_date),
    description: textOrNull(writtenText(work.description)),
    links: (work.links ?? []).flatMap(({ title, url }) =>
      url ? [{ title: titleOrNull(title), url }] : [],
    ),
    excerpts: (work.excerpts ?? []).flatMap(
      (excerpt) => textOrNull(writtenText(excerpt.excerpt)) ?? [],
    ),
    createdAt: isoDate(work.created?.value),
    updatedAt: isoDate(work.last_modified?.value),
  }
}

export const noDetails: ReturnType<typeof detailsOf> = {
  firstPublishDate: null,
  description: null,
  links: [],
  excerpts: [],
  createdAt: null,
  updatedAt: null,
}

/** Cover ids may be -1 or null. */
export function coversOf(work: Work): number[] {
  return (work.covers ?? []).filter((id) => typeof id === "number" && id > 0) as number[]
}

/** The work in the form of a search hit, as far as it goes. */
export function hitOf(work: Work) {
  const authors = (work.authors ?? []).flatMap(({ author, key }) => {
    const found = typeof author === "string" ? author : (author?.key ?? key)
    return found ? [found.replace("/authors/", "")] : []
  })
  return {
    key: work.key,
    title: work.title,
    subtitle: work.subtitle,
    author_key: authors,
    cover_i: coversOf(work)[0],
    subject: distinct(textList(work.subjects)),
    place: textList(work.subject_places),
    person: textList(work.subject_people),
    time: textList(work.subject_times),
  }
}

function writtenText(value: string | { value?: string } | undefined): string | undefined {
  return typeof value === "string" ? value : value?.value
}
