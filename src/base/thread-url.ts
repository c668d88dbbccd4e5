/**
 * Returns the URL of a thread's file, by its path under src, in the sources or the executable.
 * @example new Worker(threadUrl("store/writer/writer-thread.ts"))
 */
export function threadUrl(path: string): string {
  // All code of the executable is one file at its root, next to the entry points of its threads.
  const toRoot = import.meta.url.endsWith("/base/thread-url.ts") ? "../" : "./"
  return new URL(toRoot + path, import.meta.url).href
}
