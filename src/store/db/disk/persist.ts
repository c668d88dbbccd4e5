import { diskIssue } from "./disk-error.ts"

const maxWaitMs = 2_000

/**
 * Repeats a change that must not be lost, or a read that is required to continue, while the disk is
 * full or failing or the server is away. The writer's watch notifies the operator.
 * @param makeSignal Called after the first such error.
 * @throws every other error of `change`, and such an error once the signal is aborted
 */
export async function persist<R>(
  change: () => Promise<R>,
  makeSignal?: () => AbortSignal,
): Promise<R> {
  let signal: AbortSignal | undefined
  for (let attempt = 0; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!diskIssue(error)) throw error
      signal ??= makeSignal?.()
      if (signal?.aborted) throw error
      await Bun.sleep(Math.min(maxWaitMs, 250 * 2 ** attempt))
    }
  }
}
