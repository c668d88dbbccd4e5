import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { type KeylessResponse, messageOf, type Outcome } from "../data/keyless.ts"
import { base, signUpOpen, signupCredits } from "../data/shell.ts"
import type { Run } from "../hooks/use-run.ts"
import { Link } from "../routing/router.tsx"

interface ProgressProps {
  run: Run
  /** The text if there are no items. */
  none?: string
  /** Renders a successful outcome. */
  children(outcome: Outcome): ComponentChildren
}

/** The progress of a call, announced to screen readers. */
export function Progress({ run: { current, stop }, none, children }: ProgressProps) {
  return (
    <div aria-live="polite" aria-busy={current.state === "running"}>
      {current.state === "running" && <Working since={current.since} stop={stop} />}
      {current.state === "failed" && (
        <p class="notice bad" role="alert">
          {current.message}
        </p>
      )}
      {current.state === "done" && (
        <>
          <Refusal response={current.outcome.response} />
          {current.outcome.response.notice && (
            <p class="notice">{current.outcome.response.notice}</p>
          )}
          {current.outcome.runId && (
            <p class="count">
              <Link to={`/runs/${current.outcome.runId}`}>See this run in Runs</Link>
            </p>
          )}
          {current.outcome.response.items.length > 0 && children(current.outcome)}
          {current.outcome.response.status === "SUCCEEDED" &&
            current.outcome.response.items.length === 0 && (
              <p class="notice">
                {none ?? "The site has no results for this. Try other words or another URL."}
              </p>
            )}
        </>
      )}
    </div>
  )
}

function Working({ since, stop }: { since: number; stop(): void }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.round((Date.now() - since) / 1000)
  return (
    <div class="working">
      <progress aria-label="Running" />
      <span>
        Fetching{" "}
        <span aria-hidden="true" class="muted">
          {seconds > 0 && `${seconds} s`}
        </span>
      </span>
      <button type="button" class="quiet" onClick={stop}>
        Stop waiting
      </button>
    </div>
  )
}

/** The reason why a call returned no items, and what to do. */
function Refusal({ response }: { response: KeylessResponse }) {
  if (response.status === "PAYMENT_REQUIRED" && response.free) {
    return (
      <p class="notice" role="alert">
        The daily free quota is used up. It is renewed at {timeOf(response.free.resetsAt)}.{" "}
        {signUpOpen ? (
          <>
            <a href={`${base}/signup`}>Sign up</a> for {signupCredits} credits and no daily limit.
          </>
        ) : (
          <>The operator of this service can create an account for you.</>
        )}
      </p>
    )
  }
  const message = messageOf(response)
  // Failed items contain their own messages, so that the call's message is not needed.
  if (!message || response.items.length > 0) return null
  return (
    <p class="notice bad" role="alert">
      {message}
    </p>
  )
}

const timeOf = (iso: string) =>
  new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
