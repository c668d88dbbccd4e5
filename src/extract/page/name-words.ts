import { Memo } from "../../base/memo.ts"
import { factOf } from "../core/index.ts"
import { type Role, roleOfWords } from "./boilerplate.ts"

/** Names that a style compiler made up: `style_1k79xgg`, `css-10x2p`. */
const generated = /(?:^|[-_])(?=[a-z0-9]{5,}(?:$|[-_]))[a-z]*\d+[a-z]+\d*[a-z0-9]*/

/** Words separated by hyphens, as in most names; a name of letters only was not generated. */
const plain = /^[a-z]+(?:-[a-z]+)*$/

function splitWords(name: string): readonly string[] {
  if (plain.test(name)) return name.split("-")
  if (/\d/.test(name) && generated.test(name)) return []
  const apart = /[a-z][A-Z]/.test(name) ? name.replace(/([a-z])([A-Z])/g, "$1-$2") : name
  return apart.toLowerCase().match(/[a-z]+/g) ?? []
}

/** A class name or ID, and the role that it gives an element. */
export class Name {
  readonly role: Role | "content" | null
  private ownParts: readonly string[] | null = null

  constructor(readonly words: readonly string[]) {
    this.role = roleOfWords(words)
  }

  /** The words of more than one letter, then each pair of adjacent words. */
  get parts(): readonly string[] {
    if (!this.ownParts) {
      const words = this.words.filter((word) => word.length > 1)
      this.ownParts = [...words, ...words.slice(1).map((word, at) => `${words[at]}-${word}`)]
    }
    return this.ownParts
  }
}

const names = new Memo((name) => new Name(splitWords(name)))

/** The words of a class name or id: `RelatedPosts__list` has related, posts and list. */
export const wordsOfName = (name: string): readonly string[] => names.of(name).words

/** The names in a class attribute or an id. */
export const namesIn = (written: string): Name[] => {
  // Most have one word.
  if (written !== "" && !/\s/.test(written)) return [names.of(written)]
  return (written.match(/\S+/g) ?? []).map((name) => names.of(name))
}

/** The names of a page's elements, cached because many elements share them. */
export class NamesOfPage {
  private readonly known = new Map<string, readonly Name[]>()

  of(written: string): readonly Name[] {
    let own = this.known.get(written)
    if (!own) {
      own = namesIn(written)
      this.known.set(written, own)
    }
    return own
  }
}

/** Shared by all that walk over an indexed page. */
export const namesOfPage = (document: Document): NamesOfPage =>
  factOf(document, NamesOfPage, () => new NamesOfPage())

/** Content outweighs all, a part the others; of list and line the first counts. */
export function roleOfNames(names: readonly Name[]): Role | null {
  let role: Role | null = null
  for (const { role: own } of names) {
    if (own === "content") return null
    if (own === "part") role = "part"
    else role ??= own
  }
  return role
}

/** The words of each class name and id of an element. */
export const nameWords = (element: Element): readonly (readonly string[])[] =>
  namesIn(`${element.className} ${element.getAttribute("id") ?? ""}`).map(({ words }) => words)
