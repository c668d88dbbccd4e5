/** The inside of a group of a regular expression: any of the words, given in rows apart by `|`. */
export const words = (...rows: string[]) => rows.join("|")
