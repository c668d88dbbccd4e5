import { integerOrNull, numberOrNull, textList, textOrNull, titleOrNull } from "../core/index.ts"
import { at } from "./json-in-text.ts"

export type Path = (string | number)[]

/** Reads typed values from a tree of JSON by their paths; missing values are null or `[]`. */
export class JsonReader {
  constructor(readonly root: unknown) {}

  value<T = unknown>(...path: Path): T | undefined {
    return at<T>(this.root, ...path)
  }

  /** The subtree at a path; it may be empty. */
  in(...path: Path): JsonReader {
    return new JsonReader(at(this.root, ...path))
  }

  has(...path: Path): boolean {
    const value = this.value(...path)
    return value !== undefined && value !== null
  }

  /** Returns the value at a path that holds one value. */
  single(...path: Path): unknown {
    return this.value(...path)
  }

  /** A text as it is written, ends trimmed; numbers become texts. */
  text(...path: Path): string | null {
    return textOrNull(this.single(...path))?.trim() ?? null
  }

  /** A name or title: entities decoded, white space folded. */
  title(...path: Path): string | null {
    return titleOrNull(this.single(...path))
  }

  number(...path: Path): number | null {
    return numberOrNull(this.single(...path))
  }

  integer(...path: Path): number | null {
    return integerOrNull(this.single(...path))
  }

  /** True or false as such: in trees that scripts wrote, a 0 may be anything. */
  flag(...path: Path): boolean | null {
    const value = this.single(...path)
    return typeof value === "boolean" ? value : null
  }

  /** The texts of a list. */
  texts(...path: Path): string[] {
    return textList(at(this.root, ...path))
  }

  /** The objects of a list; also of an object by key, which some upstreams use in its place. */
  list(...path: Path): JsonReader[] {
    return this.entries(...path).map(([, entry]) => entry)
  }

  /** The objects of an object, with their keys; of a list, with their indices. */
  entries(...path: Path): [key: string, value: JsonReader][] {
    const value = at(this.root, ...path)
    if (typeof value !== "object" || value === null) return []
    return Object.entries(value)
      .filter(([, entry]) => typeof entry === "object" && entry !== null)
      .map(([key, entry]) => [key, new JsonReader(entry)])
  }
}
