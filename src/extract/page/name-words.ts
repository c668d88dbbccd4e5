import { Memo } from "../../base/memo.ts"

/** Names that a style compiler made up: `style_1k79xgg`, `css-10x2p`. */
const generated = /(?:^|[-_])(?=[a-z0-9]{5,}(?:$|[-_]))[a-z]*\d+[a-z]+\d*[a-z0-9]*/

const words = new Memo((name): readonly string[] =>
  generated.test(name)
    ? []
    : name
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter(Boolean),
)

/** The words of a class name or id: `RelatedPosts__list` has related, posts and list. */
export const wordsOfName = (name: string): readonly string[] => words.of(name)

export const splitNames = (names: string) => names.split(/\s+/).filter((name) => name !== "")

const wordsOfAll = new Memo((names) => splitNames(names).map(wordsOfName))

/** The words of each of some class names, and of an id; "" for none. */
export const wordsOfNames = (classes: string, id: string): readonly (readonly string[])[] =>
  classes === "" && id === "" ? [] : wordsOfAll.of(`${classes} ${id}`)

/** The words of each class name and id of an element. */
export const nameWords = (element: Element): readonly (readonly string[])[] =>
  wordsOfNames(element.className, element.getAttribute("id") ?? "")
