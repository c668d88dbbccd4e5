/** HTML and XML as trees, text, numbers, dates and words: the base of all other subjects. */

export { textStart } from "./brief-text.ts"
export { cutElements, spansBetween, trimLineEnds, upToSign } from "./cutting.ts"
export { dateIn, isoDate, isoDay, isoFromUnix, plainTime } from "./dates.ts"
export { md5, sha256 } from "./hash.ts"
export {
  absoluteUrl,
  baseUrl,
  elementsAmong,
  elementsNamed,
  elementsWhere,
  parseDocument,
  textOf,
} from "./html.ts"
export { SearchedText } from "./keywords.ts"
export { diffHunks, diffLines, diffText, hunkHeading } from "./line-diff.ts"
export { linkWithRel } from "./link-header.ts"
export { attributesOf, firstChildOf, nextSiblingOf } from "./linked-nodes.ts"
export {
  booleanOrNull,
  countOf,
  countSource,
  integerOrNull,
  numberOrNull,
  numberRecord,
  parseCount,
  round,
} from "./numbers.ts"
export { factOf, indexPage } from "./page-index.ts"
export {
  blockText,
  blockTextLength,
  lineText,
  paragraphText,
  proseLines,
  textLines,
} from "./page-text.ts"
export { isPermalink } from "./permalink.ts"
export { allTexts, firstAttribute, firstText, plainText } from "./pick.ts"
export { deepCopy, documentForCopies, originalOf, plainCopy, putNew } from "./quick-copy.ts"
export { retryAfterSeconds } from "./retry-after.ts"
export { checkSelector, Finder, SelectorError } from "./selectors.ts"
export {
  decodeEntities,
  distinct,
  foldSpace,
  hashtags,
  htmlToText,
  isBlank,
  isEven,
  mentions,
  objectList,
  textList,
  textOrNull,
  textRecord,
  titleOrNull,
  unseen,
  unseenElements,
  withoutEnds,
} from "./text.ts"
export { TooManyElements } from "./tree-builder.ts"
export { isBlock, isHidden, isUnseen, zeroWidth } from "./visibility.ts"
export { type WordTable, wordList, wordSet, words } from "./word-table.ts"
export { lowerWords } from "./wording/lower-words.ts"
export { KnownWords, sharedWordsOf } from "./wording/shared-words.ts"
export { countWords, cutAtWord, holdsWords, readingMinutes } from "./words.ts"
export { parseBrokenXml, parseXml, TooDeepXml, XmlElement } from "./xml.ts"
export { decodeXml } from "./xml-charset.ts"
