// @ts-expect-error A file of bytes has no types.
import diff from "../../../docs/pictures/guide-diff.webp" with { type: "file" }
// @ts-expect-error A file of bytes has no types.
import picker from "../../../docs/pictures/guide-picker.webp" with { type: "file" }
// @ts-expect-error A file of bytes has no types.
import table from "../../../docs/pictures/guide-table.webp" with { type: "file" }

/** The pictures of the guide by name. `scripts/take-screenshots.ts` takes them. */
export const guidePictures: Readonly<Record<string, string>> = {
  "guide-diff.webp": diff,
  "guide-picker.webp": picker,
  "guide-table.webp": table,
}
