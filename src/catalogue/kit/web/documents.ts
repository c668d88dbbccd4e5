import { Type } from "@sinclair/typebox"
import { mainContent } from "../../../extract/article/index.ts"
import type { UpstreamResponse } from "../context.ts"
import { integerField, itemObject, nullable, textField } from "../fields.ts"

/**
 * Facts of a page that was made from a document.
 * @example document: documentField,
 */
export const documentField = Type.Optional(
  itemObject(
    {
      format: Type.String({ description: "Such as pdf, docx, xlsx, pptx, odt, epub or eml." }),
      contentType: Type.String({ description: "Media type of the response." }),
      pageCount: integerField("Pages, slides, sheets, chapters or entries."),
      pagesRead: integerField("Number of pages that were read; fewer for very long documents."),
      pagesWithoutText: Type.Integer({
        description:
          "Pages, slides or chapters that are images or blank: text in images is not read.",
      }),
      unmappedGlyphs: Type.Optional(
        Type.Integer({
          description: "Glyphs of a PDF without known characters: their text is missing or wrong.",
        }),
      ),
      isCut: Type.Optional(
        Type.Boolean({
          description: "Whether it is incomplete: the part that was received was read.",
        }),
      ),
      outline: Type.Array(
        itemObject({
          level: Type.Integer(),
          title: Type.String(),
          page: nullable(Type.Integer()),
        }),
        { description: "Its table of contents." },
      ),
      createdAt: textField("When the file was made, ISO 8601."),
      page: Type.Optional(
        Type.Integer({ description: "Number of the page, for items of one page." }),
      ),
    },
    { description: "Facts of a document other than HTML." },
  ),
)

/**
 * Returns the field of an item whose page was a document.
 * @example yield { ...page, ...fileOf(response) }
 */
export const fileOf = ({ file }: UpstreamResponse) => (file ? { document: file } : {})

/**
 * Returns the main content of a page; of a document, all.
 * @example const root = mainRoot(response)
 */
export function mainRoot(response: UpstreamResponse): Element {
  return response.file ? response.document.body : mainContent(response.document, response.url).root
}

/**
 * Returns the pages, slides, sheets or chapters of a document.
 * @example documentParts(response) // fields of a document's own parts
 */
export function documentParts(response: UpstreamResponse): Element[] {
  return response.file ? [...response.document.querySelectorAll("section[data-part]")] : []
}
