import { Forbidden, type ScrapeError } from "../../../catalogue/kit/index.ts"
import { noChromeHere } from "../../net/browser/supply/find.ts"

/**
 * Explains a failure that is caused by missing Chrome, or by a secret that is set but not available
 * to runs without a key.
 */
export function explained(
  scrapeError: ScrapeError,
  missed: ReadonlySet<string>,
  lacksChrome: boolean,
): ScrapeError {
  if (scrapeError.kind === "EmptyShell" && lacksChrome) {
    const message = `${scrapeError.message} It needs Chrome; ${noChromeHere}`
    const { nextStep: _, tried: __, ...details } = scrapeError
    return new Forbidden(message, { ...details, code: "browser_unavailable" })
  }
  if (missed.size === 0 || scrapeError.code !== "missing_credentials") return scrapeError
  const names = [...missed].join(" and ")
  return new Forbidden(
    `This needs ${names}, which this server uses only for runs of accounts: send an API key.`,
    { ...scrapeError, code: scrapeError.code },
  )
}

/** Returns the error of a fetch method that requires settings of the operator. */
export const missingCredentials = (url: string, fetchMethod: string, names: readonly string[]) =>
  new Forbidden(
    `${new URL(url).host} by ${fetchMethod} needs ${names.join(" and ")}, which the operator can set.`,
    { url, code: "missing_credentials" },
  )

/** Returns the error of a run without a model. */
export const noModel = (isWithheld: boolean): Forbidden =>
  isWithheld
    ? new Forbidden(
        "extract: this server uses its model only for runs of accounts: send an API key.",
        {
          code: "account_required",
        },
      )
    : new Forbidden(
        "extract: the operator has set up no model (TRAWL_LLM_URL). Use a schema without a prompt, which needs none.",
        { code: "no_model" },
      )
