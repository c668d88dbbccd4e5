/** Documentation sites: their content, navigation and llms.txt. */
export {
  codeLanguages,
  docsContent,
  docsGenerator,
  docsModified,
  docsPath,
  docsSection,
  docsTitles,
  editUrl,
  navigationLinks,
  neighbourPages,
} from "./docs-page.ts"
export { docsScope } from "./docs-scope.ts"
export { docsifyFile, docsifyLinks, docsifyRoute, isDocsify, markdownDocument } from "./docsify.ts"
export {
  firstSentence,
  groupPages,
  type LlmsPage,
  pageTitle,
  sharedTitlePart,
  shortened,
  writeLlmsFull,
  writeLlmsTxt,
} from "./llms-txt.ts"
