import { diskIssue } from "./upkeep/disk-error.ts"

const maxWaitMs = 2_000

/**
 * Makes a change that must not be lost, or reads what nothing can go on without, again and again while
 * the disk is full or failing or the server is away; the operator is told of that by the writer's
 * watch. @throws every other error of `change`, and such a one once `signal` is aborted
 */
export async function persist<R>(change: () => Promise<R>, signal?: AbortSignal): Promise<R> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!diskIssue(error) || signal?.aborted) throw error
      await Bun.sleep(Math.min(maxWaitMs, 250 * 2 ** attempt))
    }
  }
}
