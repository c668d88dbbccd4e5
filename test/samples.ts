import { test } from "bun:test"

/**
 * True in `bun run verify --all`, which includes tests that `bun run verify` omits to save time.
 */
export const isRunningAll = process.env.VERIFY_ALL === "1"

/** Declares a test that repeats in another way what others test. `bun run verify` omits it. */
export const testOfAll: (...terms: Parameters<typeof test>) => void = isRunningAll ? test : () => {}

/** Returns all entries in `bun run verify --all`, else each `nth` one, starting with the first. */
export function everyNth<T>(entries: readonly T[], nth: number): T[] {
  return entries.filter((_, index) => isRunningAll || index % nth === 0)
}

/**
 * Returns the pairs of two lists to test: all of them in `bun run verify --all`, else a few that
 * contain each entry of both lists at least once.
 */
export function samplePairs<A, B>(first: readonly A[], second: readonly B[]): [A, B][] {
  if (isRunningAll) return first.flatMap((one) => second.map((other): [A, B] => [one, other]))
  const count = Math.max(first.length, second.length)
  return Array.from({ length: count }, (_, index) => [
    first[index % first.length]!,
    second[index % second.length]!,
  ])
}
