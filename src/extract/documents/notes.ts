/**
 * Footnotes and endnotes of one document: references in its text, and the notes as a list at its
 * end.
 */
export class Notes {
  private readonly notes: string[] = []

  /** Adds a note and returns its reference in the text. */
  add(html: string): string {
    const number = this.notes.push(html)
    return `<sup><a href="#note-${number}" id="note-ref-${number}">[${number}]</a></sup>`
  }

  /** Returns the list of all notes; "" for none. */
  list(): string {
    const items = this.notes.map((html, at) => `<li id="note-${at + 1}">${html}</li>`)
    return items.length > 0 ? `<ol>${items.join("\n")}</ol>` : ""
  }
}
