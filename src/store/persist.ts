/** Failures of the disk, not of the change: it can be made once there is room again. */
const passing = /^SQLITE_(?:FULL|IOERR|BUSY|LOCKED|CANTOPEN)/

const longestWait = 15_000

/**
 * Makes a change that must not be lost, again and again while the disk is full or failing.
 * @throws every other error of `change`, and the signal's reason.
 */
export async function persist<R>(
  change: () => Promise<R>,
  onWait: (message: string) => void,
  signal?: AbortSignal,
): Promise<R> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (!passing.test(code ?? "") || signal?.aborted) throw error
      onWait(`The database cannot be written (${message}); trying again.`)
      await Bun.sleep(Math.min(longestWait, 250 * 2 ** attempt))
    }
  }
}
