import { join } from "node:path"

const { TRAWL_BINARY: binary, ...environment } = process.env

/** The command line under test: the executable that TRAWL_BINARY names, else the sources. */
export const trawlCommand = binary
  ? [binary]
  : [process.execPath, join(import.meta.dir, "../src/main.ts")]

/** Our environment without TRAWL_BINARY: Trawl refuses a setting that is none. */
export const ownEnvironment = environment
