import type { ComponentChildren } from "preact"
import { isMissing } from "../data/ask.ts"
import { Issue } from "./fault.tsx"

interface NotLoadedProps {
  error: Error
  again(): void
  /** What was to be shown, in small letters. */
  what: string
  /** Where the others are. */
  children: ComponentChildren
}

/** In place of a screen: what it is to show is not there, or nobody could say so now. */
export function LoadError({ error, again, what, children }: NotLoadedProps) {
  const isGone = isMissing(error)
  return (
    <>
      <h1>{isGone ? `No such ${what}` : `The ${what} could not be loaded`}</h1>
      <Issue>{error.message}</Issue>
      <p class="actions">
        {!isGone && (
          <button type="button" onClick={again}>
            Try again
          </button>
        )}
        {children}
      </p>
    </>
  )
}
