/** A page's main content, without the page around it. */
export {
  type Article,
  articleImages,
  articleLinks,
  articleVideos,
  cleanHtml,
  readArticle,
} from "./article.ts"
export { embeddedBody } from "./embedded-body.ts"
export { mainContent } from "./main-content.ts"
export {
  frontMatter,
  mainMarkdown,
  markdownFigures,
  pageMarkdown,
  withHeading,
  withTitle,
} from "./page-markdown.ts"
export { type ReaderView, readerView } from "./reader-view.ts"
export type { PageType } from "./reading/page-type.ts"
export { likelyTypes } from "./reading/reading.ts"
