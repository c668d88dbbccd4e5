import { streamed } from "./stream.ts"

/** Status and headers of a response, which cannot change later. */
export interface Head {
  status: number
  headers?: Record<string, string>
}

/**
 * Returns the response of `work`, and keeps the connection alive meanwhile, because reverse proxies
 * time out after a silent minute. `work` calls `begin` when the status is known. If it takes longer
 * than the interval, the headers and then a space per interval are sent: JSON may start with white
 * space.
 *
 * A failure before `begin` has its own status. After the headers, a failure closes the connection,
 * so that no client mistakes a part for the whole.
 */
export async function longResponse(
  beatMs: number,
  work: (begin: (head: Head) => void) => Promise<Response>,
  onError: (error: unknown) => void,
): Promise<Response> {
  const started = Promise.withResolvers<Head>()
  const response = work(started.resolve)
  const overdue = started.promise.then(async (head) => {
    await beat(beatMs, response)
    return head
  })
  const first = await Promise.race([response, overdue])
  if (first instanceof Response) return first
  return streamed(
    body(beatMs, response, onError),
    {
      "content-type": "application/json;charset=utf-8",
      // Otherwise nginx would buffer the spaces.
      "x-accel-buffering": "no",
      ...first.headers,
    },
    first.status,
  )
}

async function* body(
  beatMs: number,
  response: Promise<Response>,
  onError: (error: unknown) => void,
): AsyncGenerator<string> {
  try {
    do yield " "
    while (!(await beat(beatMs, response)))
    yield await (await response).text()
  } catch (error) {
    onError(error)
    throw error
  }
}

/** Waits for the next interval. Returns true if the response arrived first. */
async function beat(milliseconds: number, response: Promise<unknown>): Promise<boolean> {
  const pause = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => pause.resolve(false), milliseconds)
  try {
    const settled = response.then(
      () => true,
      () => true,
    )
    return await Promise.race([settled, pause.promise])
  } finally {
    clearTimeout(timer)
  }
}
