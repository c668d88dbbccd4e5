/** Footnotes and endnotes of one document: marks in its text, and the notes as a list at its end. */
export class Notes {
  private readonly notes: string[] = []

  /** Returns the mark that stands for a note in the text. */
  add(html: string): string {
    const number = this.notes.push(html)
    return `<sup><a href="#note-${number}" id="note-ref-${number}">[${number}]</a></sup>`
  }

  /** Returns all notes that were added; "" for none. */
  list(): string {
    const items = this.notes.map((html, at) => `<li id="note-${at + 1}">${html}</li>`)
    return items.length > 0 ? `<ol>${items.join("\n")}</ol>` : ""
  }
}
