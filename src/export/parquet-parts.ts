/** The used parts of the library, bundled separately in the executable (build.ts). */
export { ByteWriter, ParquetWriter } from "hyparquet-writer"
