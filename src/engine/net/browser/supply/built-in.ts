/** A Chrome that travels in the executable, as a zip. */
export interface BuiltInChrome {
  path: string
  /** Within the zip. */
  program: string
  hash: string
}

/** `bun run build --with-chrome` puts another module in the place of this one. */
export const builtInChrome: BuiltInChrome | undefined = undefined
