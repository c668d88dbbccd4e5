import { useEffect, useState } from "preact/hooks"

export type Loaded<T> =
  | { state: "loading" }
  | { state: "there"; value: T }
  | { state: "failed"; error: Error; again: () => void }

/** Returns the state of a promise. Loads again if `keys` change, and aborts when the screen closes. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: unknown[],
): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const leaving = new AbortController()
    setLoaded({ state: "loading" })
    load(leaving.signal).then(
      (value) => !leaving.signal.aborted && setLoaded({ state: "there", value }),
      (error) =>
        !leaving.signal.aborted &&
        setLoaded({ state: "failed", error, again: () => setTries((count) => count + 1) }),
    )
    return () => leaving.abort()
  }, [...keys, tries])
  return loaded
}
