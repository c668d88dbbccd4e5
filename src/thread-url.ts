/** Returns the URL of a thread's file, by its path under src, in the sources or the executable. */
export function threadUrl(path: string): string {
  // All code of the executable is one file at its root, next to the entry points of its threads.
  return new URL(`./${path}`, import.meta.url).href
}
