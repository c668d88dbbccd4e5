import type { XmlElement } from "../core/index.ts"
import { named } from "./odf-names.ts"
import type { OdfText } from "./odf-text.ts"
import { escaped } from "./pages/document-page.ts"

/** Reads slides of OpenDocument. Footers and texts of masters are with the first slide that shows them only. */
export class OdfSlides {
  /** Footers and fixed dates by their names. */
  private readonly footers: Map<string, string>
  private readonly masters: Map<string, XmlElement>
  /** Styles of slides that hide the texts of their masters. */
  private readonly hiding = new Set<string>()
  private readonly shown = new Set<string>()

  constructor(
    private readonly presentation: XmlElement,
    private readonly text: OdfText,
    content: XmlElement,
    styles: XmlElement | undefined,
  ) {
    const dates = presentation
      .all("date-time-decl")
      .filter((date) => named(date, "source") === "fixed")
    this.footers = new Map(
      [...presentation.all("footer-decl"), ...dates].map((footer) => [
        named(footer, "name") ?? "",
        footer.text.trim(),
      ]),
    )
    const masters = styles?.first("master-styles")?.all("master-page") ?? []
    this.masters = new Map(masters.map((master) => [named(master, "name") ?? "", master]))
    for (const style of content.first("automatic-styles")?.all("style") ?? []) {
      const properties = style.first("drawing-page-properties")
      const isHiding = properties && named(properties, "background-objects-visible") === "false"
      if (isHiding) this.hiding.add(named(style, "name") ?? "")
    }
  }

  html(): string[] {
    return this.presentation.all("page").map((page) => this.slide(page))
  }

  private slide(page: XmlElement): string {
    const notes = page.first("notes")
    const stated = notes ? this.text.blocks(notes) : ""
    const slide = [
      this.text.blocks(page),
      this.master(page),
      this.footer(named(page, "use-footer-name") ?? ""),
      this.footer(named(page, "use-date-time-name") ?? ""),
    ]
    const html = slide.filter((part) => part !== "").join("\n")
    return stated === "" ? html : `${html}<blockquote>${stated}</blockquote>`
  }

  private footer(name: string): string {
    const footer = this.footers.get(name) ?? ""
    this.footers.delete(name)
    return footer === "" ? "" : `<p>${escaped(footer)}</p>`
  }

  /** Returns the texts of a slide's master, apart from its placeholders. */
  private master(page: XmlElement): string {
    const name = named(page, "master-page-name") ?? ""
    const master = this.masters.get(name)
    if (!master || this.hiding.has(named(page, "style-name") ?? "")) return ""
    this.masters.delete(name)
    const shapes = master
      .elements()
      .filter((shape) => shape.name !== "notes" && named(shape, "class") === null)
    // Masters of one design repeat each other's texts.
    const blocks = shapes
      .map((shape) => this.text.blockOf(shape))
      .filter((html) => html !== "" && !this.shown.has(html))
    for (const block of blocks) this.shown.add(block)
    return blocks.join("\n")
  }
}
