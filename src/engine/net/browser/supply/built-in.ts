/** A Chrome inside the executable, as a ZIP archive. */
export interface BuiltInChrome {
  path: string
  /** Path inside the archive. */
  program: string
  hash: string
}

/** `bun run build --with-chrome` replaces this module. */
export const builtInChrome: BuiltInChrome | undefined = undefined
