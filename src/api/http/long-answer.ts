import { streamed } from "./stream.ts"

/** The head of an answer, from which on its status cannot change any more. */
export interface Head {
  status: number
  headers?: Record<string, string>
}

/**
 * Returns the response of `work`, and keeps the connection alive meanwhile: a reverse proxy gives up on
 * an upstream that is silent for a minute. `work` calls `begin` when the status is known. If it then
 * takes longer than a beat, the headers are sent, and a space at each beat: JSON may begin with white
 * space.
 *
 * A failure before `begin` has its own status. After the headers, a failure closes the connection, so
 * that no client takes a part for the whole.
 */
export async function longResponse(
  beatMs: number,
  work: (begin: (head: Head) => void) => Promise<Response>,
  onError: (error: unknown) => void,
): Promise<Response> {
  const begun = Promise.withResolvers<Head>()
  const response = work(begun.resolve)
  const overdue = begun.promise.then(async (head) => {
    await beat(beatMs, response)
    return head
  })
  const first = await Promise.race([response, overdue])
  if (first instanceof Response) return first
  return streamed(
    body(beatMs, response, onError),
    {
      "content-type": "application/json;charset=utf-8",
      // nginx would hold the spaces back.
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

/** Waits for the next beat; true when the answer was there before. */
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
