import type { ComponentChildren } from "preact"
import { isMissing } from "../data/request.ts"
import { ErrorMessage } from "./error-message.tsx"

interface NotLoadedProps {
  error: Error
  again(): void
  /** Name of the content in lower case. */
  what: string
  /** Link to the list. */
  children: ComponentChildren
}

/** Replaces a screen whose content is missing or could not be loaded. */
export function LoadError({ error, again, what, children }: NotLoadedProps) {
  const isGone = isMissing(error)
  return (
    <>
      <h1>{isGone ? `No such ${what}` : `The ${what} could not be loaded`}</h1>
      <ErrorMessage>{error.message}</ErrorMessage>
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
