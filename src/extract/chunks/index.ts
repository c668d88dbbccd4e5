/** Markdown in parts for retrieval. */
export { type Chunk, chunkMarkdown } from "./chunks.ts"
