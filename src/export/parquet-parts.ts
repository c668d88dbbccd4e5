/** What is used of the library; packed by itself in the executable (build.ts). */
export { ByteWriter, ParquetWriter } from "hyparquet-writer"
