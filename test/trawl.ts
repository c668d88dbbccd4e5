import { join } from "node:path"

const { TRAWL_BINARY: binary, TRAWL_TEST_POSTGRES: _, ...environment } = process.env

/** The command line under test: the executable that TRAWL_BINARY names, else the sources. */
export const trawlCommand = binary
  ? [binary]
  : [process.execPath, join(import.meta.dir, "../src/main.ts")]

/** Our environment without variables of tests: Trawl rejects an unknown setting. */
export const ownEnvironment = environment
