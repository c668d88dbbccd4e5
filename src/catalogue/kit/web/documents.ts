import { Type } from "@sinclair/typebox"
import { mainContent } from "../../../extract/article/index.ts"
import type { UpstreamResponse } from "../context.ts"
import { integerField, itemObject, nullable, textField } from "../fields.ts"

/** What is said of a page that was made of a document. */
export const documentField = Type.Optional(
  itemObject(
    {
      format: Type.String({ description: "Such as pdf, docx, xlsx, pptx, odt, epub or eml." }),
      contentType: Type.String({ description: "Media type of the answer." }),
      pageCount: integerField("Pages, slides, sheets, chapters or entries."),
      pagesRead: integerField("Those that were read; fewer where a document is very long."),
      pagesWithoutText: Type.Integer({
        description:
          "Pages, slides or chapters that are pictures or blank: text of pictures is not read.",
      }),
      unmappedGlyphs: Type.Optional(
        Type.Integer({
          description:
            "Glyphs of a PDF whose characters its fonts do not say: their text is missing or wrong.",
        }),
      ),
      isCut: Type.Optional(
        Type.Boolean({ description: "It breaks off before its end: what is there was read." }),
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
      page: Type.Optional(Type.Integer({ description: "Of an item a page: which page it is." })),
    },
    { description: "Facts of a document other than HTML." },
  ),
)

/** The field of an item, where its page was a document. */
export const fileOf = ({ file }: UpstreamResponse) => (file ? { document: file } : {})

/** What a page is about; of a document, all. */
export function mainRoot(response: UpstreamResponse): Element {
  return response.file ? response.document.body : mainContent(response.document, response.url).root
}

/** The pages, slides, sheets or chapters of a document. */
export function documentParts(response: UpstreamResponse): Element[] {
  return response.file ? [...response.document.querySelectorAll("section[data-part]")] : []
}
