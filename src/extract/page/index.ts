/** Reads parts of any page: title, meta tags, headings, icons, images, and fields by selector. */
export type { Role } from "./boilerplate.ts"
export {
  attributeOf,
  checkSelectors,
  type FieldData,
  type FieldDefinition,
  FieldError,
  parseFields,
  readFields,
  readRowFields,
  readSelector,
  type SelectorForm,
} from "./fields.ts"
export { headingText, headingUrl, readHeadings } from "./headings.ts"
export { favicon, linkOf, pageIcons } from "./icons.ts"
export { imageText, imageUrlOf, isEmoji } from "./images.ts"
export { guessLanguage } from "./language.ts"
export { mainHeading } from "./main-heading.ts"
export {
  copyOfMath,
  delimitedTex,
  hiddenMath,
  isDisplayedMath,
  isDrawnMath,
  isMathCopy,
  texOf,
  texOfImage,
  texOfScript,
  writtenFormula,
} from "./math.ts"
export { type MetaTags, metaContent, readMeta } from "./meta.ts"
export {
  type Name,
  NamesOfPage,
  namesIn,
  namesOfPage,
  nameWords,
  roleOfNames,
  wordsOfName,
} from "./name-words.ts"
export {
  flatTags,
  type MediaObject,
  mediaObjects,
  metaPairs,
  nestedTags,
} from "./open-graph.ts"
export { isOwnHeading, pageHeading, plainText } from "./page-heading.ts"
export { playerUrl } from "./players.ts"
export { documentTitle, sharedWords, shareOfWords, withoutSiteName } from "./title.ts"
