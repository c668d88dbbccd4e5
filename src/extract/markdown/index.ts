/** HTML as Markdown. */
export { codeLanguage } from "./code.ts"
export { fragmentMarkdown } from "./fragment.ts"
export { toMarkdown } from "./markdown.ts"
