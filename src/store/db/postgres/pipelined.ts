/**
 * Waits for statements that were sent one after the other on one connection, without waiting for their
 * responses in between. Also waits for the others if one fails, because they would otherwise end up in the
 * next transaction. @throws the error of the first one that failed
 */
export async function pipelined<T extends readonly unknown[]>(
  statements: T,
): Promise<{ [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(statements)
  const failed = results.filter((result) => result.status === "rejected")
  // The statements after a failed one are refused.
  const first = failed.find(({ reason }) => reason?.code !== "POSTGRES_25P02") ?? failed[0]
  if (first) throw first.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never
}
