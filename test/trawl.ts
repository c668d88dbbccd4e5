import { join } from "node:path"

const { TRAWL_BINARY: binary, TRAWL_TEST_POSTGRES: _, ...environment } = process.env

/** The command line under test: the executable that TRAWL_BINARY names, else the sources. */
export const trawlCommand = binary
  ? [binary]
  : [process.execPath, join(import.meta.dir, "../src/main.ts")]

/** Our environment without what is for tests alone: Trawl refuses a setting that is none. */
export const ownEnvironment = environment
