import { useEffect, useState } from "preact/hooks"
import { type Free, freeQuota } from "../data/keyless.ts"
import { account, freeDaily } from "../data/shell.ts"

/** Returns the rest of the daily free quota, from the last response or the server. */
export function useFree(last: Free | undefined): Free | undefined {
  const [free, setFree] = useState<Free>()
  useEffect(() => {
    const leaving = new AbortController()
    if (freeDaily > 0 && account === undefined) freeQuota(leaving.signal).then(setFree, () => {})
    return () => leaving.abort()
  }, [])
  return last ?? free
}
