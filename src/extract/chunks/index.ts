/** Markdown in parts for retrieval. */
export { chunkMarkdown } from "./chunks.ts"
