import { useRef } from "preact/hooks"
import { type Loaded, useLoaded } from "./use-loaded.ts"

/** Like useLoaded, but returns the previous value until the new one has loaded. */
export function useStored<T>(
  load: (signal: AbortSignal) => Promise<T>,
  keys: unknown[],
): Loaded<T> {
  const loaded = useLoaded(load, keys)
  const last = useRef<Loaded<T> | undefined>(undefined)
  if (loaded.state === "there") last.current = loaded
  return loaded.state === "loading" ? (last.current ?? loaded) : loaded
}
