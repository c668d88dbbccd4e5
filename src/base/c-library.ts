import { dlopen, type FFIFunction } from "bun:ffi"

/** Names of the C library: glibc and musl. */
const names = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]

/** Returns functions of the system's C library; undefined if it has none of these names. */
export function openC<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const name of names) {
    try {
      return dlopen(name, functions).symbols
    } catch {
      // Try the next name.
    }
  }
  return undefined
}
