import { Forbidden, type Outcome } from "../../catalogue/kit/index.ts"
import { noChromeHere } from "../browser/find.ts"

/**
 * What failed for want of Chrome says so, and so does what failed for want of a secret that is set here,
 * but not for runs without a key.
 */
export function explained(
  outcome: Outcome,
  missed: ReadonlySet<string>,
  lacksChrome: boolean,
): Outcome {
  if (outcome.kind === "EmptyShell" && lacksChrome) {
    const message = `${outcome.message} It needs Chrome; ${noChromeHere}`
    return new Forbidden(message, { ...outcome, code: "browser_unavailable" })
  }
  if (missed.size === 0 || outcome.code !== "missing_credentials") return outcome
  const names = [...missed].join(" and ")
  return new Forbidden(
    `This needs ${names}, which here serves the runs of accounts only: call with an API key.`,
    { ...outcome, code: outcome.code },
  )
}

/** Why a run has no model. */
export const noModel = (isWithheld: boolean): Forbidden =>
  isWithheld
    ? new Forbidden("extract: the model here serves runs of accounts: call with an API key.", {
        code: "account_required",
      })
    : new Forbidden(
        "extract: no model is set up here; the operator sets TRAWL_LLM_URL. A schema alone needs none.",
        { code: "no_model" },
      )
