import { dateInText } from "../text/dates-in-text.ts"
import type { PageLines } from "./lines.ts"

const maxDated = 120

/** The lines of a page with a date; each is parsed once. */
export class LineDates {
  private readonly dated = new Map<number, boolean>()

  constructor(private readonly page: PageLines) {}

  has(at: number): boolean {
    const text = this.page.lines[at]?.text ?? ""
    if (text.length > maxDated || !/\d/.test(text)) return false
    let has = this.dated.get(at)
    if (has === undefined) {
      has = dateInText(text, null) !== null
      this.dated.set(at, has)
    }
    return has
  }
}
