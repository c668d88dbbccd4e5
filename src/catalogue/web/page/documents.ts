import { Type } from "@sinclair/typebox"
import { mainContent } from "../../../extract/article/index.ts"
import { items, type UpstreamResponse } from "../../kit/index.ts"

/** Facts about a document from which a page was made. */
export const documentField = Type.Optional(
  items.requiredObject("Facts about a document other than HTML.", {
    format: items.requiredText(
      "Format of the document, for example pdf, docx, xlsx, pptx, odt, epub or eml.",
    ),
    contentType: items.requiredText("Media type of the response."),
    pageCount: items.integer("Number of pages, slides, sheets, chapters or entries."),
    pagesRead: items.integer(
      "Number of pages that were read; lower than `pageCount` for very long documents.",
    ),
    pagesWithoutText: items.requiredInteger(
      "Number of pages, slides or chapters that are blank or only images. Text in images is not read.",
    ),
    unmappedGlyphs: items.optionalInteger(
      "Number of glyphs of a PDF without known characters. Their text is missing or wrong.",
    ),
    isCut: items.optionalBoolean(
      "Whether the document is incomplete. The part that was received was read.",
    ),
    outline: items.objects("Table of contents.", {
      level: items.requiredInteger("Level of the entry, from 1."),
      title: items.requiredText("Title of the entry."),
      page: items.integer("Number of the page, from 1; null if the document does not state it."),
    }),
    createdAt: items.text("Time of creation in the file (ISO 8601)."),
    page: items.optionalInteger("Number of the page, in items of one page."),
  }),
)

/** Returns the `document` field of an item whose page was a document; else no field. */
export const fileOf = ({ file }: UpstreamResponse) => (file ? { document: file } : {})

/** Returns the main content of a page; for a document, all of its content. */
export function mainRoot(response: UpstreamResponse): Element {
  return response.file ? response.document.body : mainContent(response.document, response.url).root
}

/** Returns the pages, slides, sheets or chapters of a document. */
export function documentParts(response: UpstreamResponse): Element[] {
  return response.file ? [...response.document.querySelectorAll("section[data-part]")] : []
}
