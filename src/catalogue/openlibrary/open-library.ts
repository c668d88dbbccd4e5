import { distinct, objectList, textList, textOrNull } from "../../extract/core/index.ts"
import {
  busyIsRateLimit,
  Changed,
  type Context,
  field,
  NotFound,
  type Row,
  record,
  required,
} from "../kit/index.ts"

export const site = "https://openlibrary.org"
const maxRedirects = 5

/** A record of one work. It names its authors only by key. */
export interface Work extends Row {
  key: string
  authors?: { author?: { key?: string } | string; key?: string }[]
  type?: { key?: string }
  location?: string
}

/** Returns the record of a work; for a merged work, the record of the work that replaced it. */
export async function workRecord(key: string, ctx: Context): Promise<Work> {
  let path = `/works/${key}`
  for (let step = 0; step < maxRedirects; step++) {
    const work = await busyIsRateLimit(ctx.json<Work>(`${site}${path}.json`))
    if (work?.type?.key === "/type/delete") {
      throw new NotFound(`Open Library has deleted the work ${key}.`)
    }
    if (work?.type?.key !== "/type/redirect" || !work.location) {
      if (!/^\/works\/OL\d+W$/.test(work?.key ?? "")) {
        throw new Changed("Open Library's response has no work.")
      }
      return work
    }
    path = work.location
  }
  throw new Changed(`The work ${key} has too many redirects.`)
}

const excerptsOf = ({ excerpts }: Row): string[] =>
  objectList(excerpts as { excerpt?: { value?: unknown } }[]).flatMap(
    ({ excerpt }) => textOrNull(excerpt) ?? textOrNull(excerpt?.value) ?? [],
  )

const linksOf = ({ links }: Row): Row[] =>
  Array.isArray(links) ? links.filter((link) => link?.url) : []

/** Fields that only the record of a work has. */
export const workDetails = record({
  firstPublishDate: field.text(
    "first_publish_date",
    "Date of the first edition, as written in the record.",
  ),
  // Old records have a string here, new ones an object.
  description: field.text("description|description.value", "Description of the work."),
  links: field.objects(linksOf, "Links to other sites about the work.", {
    title: field.title("title", "Title of the link."),
    url: required(field.text("url", "URL of the linked page.")),
  }),
  excerpts: field.texts(excerptsOf, "Excerpts from the work."),
  createdAt: field.time("created.value", "Time of the record's creation (ISO 8601, UTC)."),
  updatedAt: field.time("last_modified.value", "Time of the record's last change (ISO 8601, UTC)."),
})

/** Returns the IDs of the covers; some records contain -1 or null. */
export const coversOf = (work: Work) =>
  [work.covers].flat().filter((id): id is number => typeof id === "number" && id > 0)

/** Returns the work in the form of a search hit, with fewer fields. */
export function hitOf(work: Work) {
  const authors = objectList(work.authors).flatMap(({ author, key }) => {
    const match = typeof author === "string" ? author : (author?.key ?? key)
    return match ? [match.replace("/authors/", "")] : []
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
