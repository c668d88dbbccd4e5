import { diskFault } from "../../store/upkeep/disk-fault.ts"

const longestWaitMs = 2_000

/**
 * Makes a change that must not be lost, again and again while the disk is full or failing; the
 * operator is told of that by the writer's watch. @throws every other error of `change`
 */
export async function persist<R>(change: () => Promise<R>): Promise<R> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!diskFault(error)) throw error
      await Bun.sleep(Math.min(longestWaitMs, 250 * 2 ** attempt))
    }
  }
}
