import { isoDate, textOrNull, type XmlElement } from "../core/index.ts"
import { type Archive, partName } from "./archive.ts"
import type { DocumentMetadata } from "./pages/document-page.ts"

const relationNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const strictNamespace = "http://purl.oclc.org/ooxml/officeDocument/relationships"

/** Returns an attribute such as `r:id`, in either form of the standard. */
export function relationAttribute(element: XmlElement, name = "id"): string | null {
  return element.attribute(name, relationNamespace) ?? element.attribute(name, strictNamespace)
}

export interface Relation {
  /** The last word of the relation's type, for example `slide` or `hyperlink`. */
  type: string
  /** A part's name, or a URL if the target is external. */
  target: string
  outside: boolean
}

/** Returns the relations of a part of an Office document by ID. */
export function relationsOf(archive: Archive, part: string): Map<string, Relation> {
  const folder = part.split("/").slice(0, -1).join("/")
  const file = part.split("/").at(-1)
  const root = archive.xml(`${folder}${folder ? "/" : ""}_rels/${file}.rels`)
  const relations = new Map<string, Relation>()
  for (const relation of root?.all("Relationship") ?? []) {
    const target = relation.attribute("Target") ?? ""
    const outside = relation.attribute("TargetMode") === "External"
    relations.set(relation.attribute("Id") ?? "", {
      type: (relation.attribute("Type") ?? "").split("/").at(-1)!,
      target: outside ? target : partName(target, part),
      outside,
    })
  }
  return relations
}

/** Returns the name of the main part of an Office document. */
export function mainPart(archive: Archive, usual: string): string {
  const main = [...relationsOf(archive, "").values()].find(({ type }) => type === "officeDocument")
  return main?.target ?? usual
}

/** Returns the properties of an Office document as its program wrote them. */
export function officeMetadata(archive: Archive): DocumentMetadata {
  const core = archive.xml("docProps/core.xml")
  const text = (name: string) => textOrNull(core?.first(name)?.text ?? "")
  return {
    title: text("title"),
    author: text("creator"),
    description: text("description") ?? text("subject"),
    keywords: text("keywords"),
    language: text("language"),
    createdAt: isoDate(text("created")),
    modifiedAt: isoDate(text("modified")),
  }
}
