import { Forbidden, type ScrapeError } from "../../../catalogue/kit/index.ts"
import { noChromeHere } from "../../net/browser/find.ts"

/**
 * What failed for want of Chrome says so, and so does what failed for want of a secret that is set here,
 * but not for runs without a key.
 */
export function explained(
  scrapeError: ScrapeError,
  missed: ReadonlySet<string>,
  lacksChrome: boolean,
): ScrapeError {
  if (scrapeError.kind === "EmptyShell" && lacksChrome) {
    const message = `${scrapeError.message} It needs Chrome; ${noChromeHere}`
    return new Forbidden(message, { ...scrapeError, code: "browser_unavailable" })
  }
  if (missed.size === 0 || scrapeError.code !== "missing_credentials") return scrapeError
  const names = [...missed].join(" and ")
  return new Forbidden(
    `This needs ${names}, which here serves the runs of accounts only: call with an API key.`,
    { ...scrapeError, code: scrapeError.code },
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
