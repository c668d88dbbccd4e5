import { Blocked, ScrapeError, type UpstreamResponse } from "../../catalogue/kit/index.ts"
import { challengeOfVendor } from "./judge-page.ts"

interface Clearing {
  /** State that the targets of a run share. */
  shared: Map<string, unknown>
  signal: AbortSignal
  /** Opens the URL in Chrome, which waits until the challenge is cleared. */
  open(): Promise<UpstreamResponse>
}

/** Makes a request, and repeats it once if Chrome has cleared the challenge that it met. */
export async function withClearance<T>(
  url: string,
  request: () => Promise<T>,
  clearing: Clearing,
): Promise<T> {
  try {
    return await request()
  } catch (error) {
    const isChallenged = error instanceof Blocked && !clearing.signal.aborted
    if (!isChallenged || !(await clears(url, clearing))) throw error
    return request()
  }
}

/**
 * Returns the response. @throws Blocked if it is a challenge, even if the caller accepts its status
 */
export function requireNoChallenge(response: UpstreamResponse): UpstreamResponse {
  const { url, status, headers } = response
  if (status < 400) return response
  const challenge = challengeOfVendor({ url, status, headers, html: response.text() })
  if (challenge) throw challenge
  return response
}

/** Returns whether Chrome cleared a host's challenge. Tried once per run and host. */
function clears(url: string, { shared, open }: Clearing): Promise<boolean> {
  const key = `clearance ${new URL(url).host}`
  const known = shared.get(key) as Promise<boolean> | undefined
  if (known) return known
  const clearing = open().then(
    (visible) => !(visible.explainMissing("data") instanceof Blocked),
    (error) => {
      // Chrome may have crashed, or the challenge may need a person. In both cases, the request has
      // failed.
      if (error instanceof ScrapeError) return false
      throw error
    },
  )
  shared.set(key, clearing)
  return clearing
}
