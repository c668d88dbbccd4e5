import { Blocked, ScrapeError, type UpstreamResponse } from "../../catalogue/kit/index.ts"
import { challengeOfVendor } from "./judge-page.ts"

interface Clearing {
  /** What the targets of a run share. */
  shared: Map<string, unknown>
  signal: AbortSignal
  /** Opens the address in Chrome, which waits for a challenge to clear. */
  open(): Promise<UpstreamResponse>
}

/** Makes a call, and once more where Chrome has cleared the challenge that it met. */
export async function withClearance<T>(
  url: string,
  ask: () => Promise<T>,
  clearing: Clearing,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isChallenged = error instanceof Blocked && !clearing.signal.aborted
    if (!isChallenged || !(await clears(url, clearing))) throw error
    return ask()
  }
}

/** Returns an answer that is no challenge. @throws Blocked also if the caller accepts the status */
export function requireNoChallenge(response: UpstreamResponse): UpstreamResponse {
  const { url, status, headers } = response
  if (status < 400) return response
  const challenge = challengeOfVendor({ url, status, headers, html: response.text() })
  if (challenge) throw challenge
  return response
}

/** Whether Chrome clears a host's challenge; tried once in a run. */
function clears(url: string, { shared, open }: Clearing): Promise<boolean> {
  const key = `clearance ${new URL(url).host}`
  const known = shared.get(key) as Promise<boolean> | undefined
  if (known) return known
  const clearing = open().then(
    (visible) => !(visible.explainMissing("data") instanceof Blocked),
    (error) => {
      // Chrome may be gone, or the challenge may be for people alone: the call has failed all the same.
      if (error instanceof ScrapeError) return false
      throw error
    },
  )
  shared.set(key, clearing)
  return clearing
}
